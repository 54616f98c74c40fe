-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
create temp table f as select id from a where x = 1;
create table o as select count(*) as n, (select count(*) from f) as m from b;
--> o.m <- a.x  FILTER
