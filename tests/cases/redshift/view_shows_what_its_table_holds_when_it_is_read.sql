-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
create view v as select id from t where grp > 1;
insert into t (id) select id from a where y = 2;
create table o as select id from v;
--> o <- a.y  FILTER
--> o <- t.grp  FILTER
--> o.id <- a.id  IDENTITY
--> o.id <- t.id  IDENTITY
--> t <- a.y  FILTER
--> t.id <- a.id  IDENTITY
--> v <- a.y  FILTER
--> v <- t.grp  FILTER
--> v.id <- a.id  IDENTITY
--> v.id <- t.id  IDENTITY
