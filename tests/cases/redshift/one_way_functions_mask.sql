-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
create table o as select md5(x) as h, count(distinct y) as n, sha2(id || x, 256) as s from a;
--> o.h <- a.x  TRANSFORMATION  masked
--> o.n <- a.y  AGGREGATION  masked
--> o.s <- a.id  TRANSFORMATION  masked
--> o.s <- a.x  TRANSFORMATION  masked
