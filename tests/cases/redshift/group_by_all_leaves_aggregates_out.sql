-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
create table o as select x, sum(y) as s from a group by all;
--> o <- a.x  GROUP_BY
--> o.s <- a.y  AGGREGATION
--> o.x <- a.x  IDENTITY
