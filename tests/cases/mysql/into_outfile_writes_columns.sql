-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
select id, x into outfile '/out/a.csv' fields terminated by ',' from a where y = 1;
--> /out/a.csv <- a.y  FILTER
--> /out/a.csv.id <- a.id  IDENTITY
--> /out/a.csv.x <- a.x  IDENTITY
