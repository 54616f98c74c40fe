-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
insert into t (id) select id from a;
select id frm b where;
insert into t (x) select z from b;
--> t.id <- a.id  IDENTITY
--> t.x <- b.z  IDENTITY
--! UnreadableStatement
