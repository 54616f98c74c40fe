-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
create table o as select id as x, x as y from a having y > 2;
create table o2 as select id as x, max(x) as y from a group by y having y > 2;
--> o <- a.x  FILTER
--> o.x <- a.id  IDENTITY
--> o.y <- a.x  IDENTITY
--> o2 <- a.y  FILTER
--> o2 <- a.y  GROUP_BY
--> o2.x <- a.id  IDENTITY
--> o2.y <- a.x  AGGREGATION
