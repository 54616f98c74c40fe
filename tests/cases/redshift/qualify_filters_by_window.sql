-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
create table o as select id from a qualify row_number() over (partition by x order by y) = 1;
--> o <- a.x  FILTER
--> o <- a.y  FILTER
--> o.id <- a.id  IDENTITY
