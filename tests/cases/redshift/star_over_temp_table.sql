-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
create temp table p as select id, x * 2 as twice from a where y > 1;
insert into t (id, x) select * from p;
--> t <- a.y  FILTER
--> t.id <- a.id  IDENTITY
--> t.x <- a.x  TRANSFORMATION
