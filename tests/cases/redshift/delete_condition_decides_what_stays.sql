-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
delete from t using b where t.id = b.id and b.z = 1;
--> t <- b.id  FILTER
--> t <- b.z  FILTER
--> t <- t.id  FILTER
