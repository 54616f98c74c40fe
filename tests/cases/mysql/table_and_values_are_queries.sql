-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
create table o as table a;
insert into t (id, x, grp) values row(1, 2, 3), row(4, 5, 6);
--> o.id <- a.id  IDENTITY
--> o.x <- a.x  IDENTITY
--> o.y <- a.y  IDENTITY
