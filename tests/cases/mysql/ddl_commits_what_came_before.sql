-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
start transaction;
insert into t (id) select id from a;
create table q (i int);
insert into q (i) select id from b;
rollback;
--> q.i <- b.id  IDENTITY
--> t.id <- a.id  IDENTITY
