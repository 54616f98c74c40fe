-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
insert into t (id, x) values (1, (select max(k) from c)) as new (i, m) on duplicate key update x = new.m + t.x;
--> t <- t.id  JOIN
--> t.x <- c.k  AGGREGATION
--> t.x <- t.x  TRANSFORMATION
