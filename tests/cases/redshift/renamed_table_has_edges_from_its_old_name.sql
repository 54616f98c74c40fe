-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
alter table t rename to t_old;
--> t_old.grp <- t.grp  IDENTITY
--> t_old.id <- t.id  IDENTITY
--> t_old.x <- t.x  IDENTITY
