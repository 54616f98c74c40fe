-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
prepare p (int) as insert into t (id) select id from a where x = $1;
execute p(3);
--> t <- a.x  FILTER
--> t.id <- a.id  IDENTITY
