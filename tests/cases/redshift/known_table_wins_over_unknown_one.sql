-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
create table o as select x from a join unknown_two u on a.id = u.id;
--> o <- a.id  JOIN
--> o <- unknown_two.id  JOIN
--> o.x <- a.x  IDENTITY
