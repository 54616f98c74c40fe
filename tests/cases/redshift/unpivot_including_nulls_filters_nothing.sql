-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
create table o as select * from a unpivot include nulls (v for n in (x, y));
--> o.id <- a.id  IDENTITY
--> o.v <- a.x  TRANSFORMATION
--> o.v <- a.y  TRANSFORMATION
