-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
update a set x = y, y = x + 1;
--> a.x <- a.y  IDENTITY
--> a.y <- a.y  TRANSFORMATION
