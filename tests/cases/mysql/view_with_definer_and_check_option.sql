-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
create or replace algorithm = merge definer = `e`@`%` sql security invoker view v (p, q) as select id, x from a where y > 1 with cascaded check option;
create table o as select * from v;
--> o <- a.y  FILTER
--> o.p <- a.id  IDENTITY
--> o.q <- a.x  IDENTITY
--> v <- a.y  FILTER
--> v.p <- a.id  IDENTITY
--> v.q <- a.x  IDENTITY
