-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
create table o as select x from a order by (select max(z) from b) limit 3;
--> o <- b.z  SORT
--> o.x <- a.x  IDENTITY
