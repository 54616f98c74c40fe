-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
insert into t set id = 1, x = (select max(k) from c where z > 2);
--> t.x <- c.k  AGGREGATION
--> t.x <- c.z  FILTER
