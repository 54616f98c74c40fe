-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
create table o as select a.x, (select max(k) from c where c.id = a.id) as top from a;
--> o.top <- a.id  FILTER
--> o.top <- c.id  FILTER
--> o.top <- c.k  AGGREGATION
--> o.x <- a.x  IDENTITY
