-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
create table o (n int auto_increment primary key, x bigint) engine = InnoDB ignore select x, y from a;
--> o.x <- a.x  IDENTITY
--> o.y <- a.y  IDENTITY
