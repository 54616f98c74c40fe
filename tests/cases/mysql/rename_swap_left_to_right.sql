-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
create table t_new like t;
insert into t_new select id, x, y from a;
rename table t to t_old, t_new to t;
drop table t_old;
--> t.grp <- a.y  IDENTITY
--> t.id <- a.id  IDENTITY
--> t.x <- a.x  IDENTITY
