-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
merge into t using b on t.id = b.id remove duplicates;
--> t <- b.id  JOIN
--> t <- t.id  JOIN
--> t.grp <- b.z  IDENTITY
--> t.id <- b.id  IDENTITY
--> t.x <- b.x  IDENTITY
