-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
create table t_new as select id, x, y as grp from a;
alter table t rename to t_old;
alter table t_new rename to t;
drop table t_old;
--> t.grp <- a.y  IDENTITY
--> t.id <- a.id  IDENTITY
--> t.x <- a.x  IDENTITY
