-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
merge into t using b on t.id = b.id
when matched and b.z > 0 then update set x = b.x + t.x
when not matched then insert (id, grp) values (b.id, b.z);
--> t <- b.id  JOIN
--> t <- b.z  FILTER
--> t <- t.id  JOIN
--> t.grp <- b.z  IDENTITY
--> t.id <- b.id  IDENTITY
--> t.x <- b.x  TRANSFORMATION
--> t.x <- t.x  TRANSFORMATION
