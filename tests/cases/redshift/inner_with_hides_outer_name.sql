-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
create table o as with q as (select id, z as x from b) select q.x, (with q as (select k from c) select max(k) from q) as m from q;
--> o.m <- c.k  AGGREGATION
--> o.x <- b.z  IDENTITY
