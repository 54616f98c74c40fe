-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
begin;
insert into t (id) select id from a;
rollback;
insert into t (id) select id from b;
--> t.id <- b.id  IDENTITY
