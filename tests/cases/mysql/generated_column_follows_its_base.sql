-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
create table g (p int, q int, s int generated always as (p + q) stored);
insert into g (p, q) select x, y from a;
--> g.p <- a.x  IDENTITY
--> g.q <- a.y  IDENTITY
--> g.s <- a.x  TRANSFORMATION
--> g.s <- a.y  TRANSFORMATION
