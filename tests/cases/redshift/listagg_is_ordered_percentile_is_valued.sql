-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
create table o as select listagg(x, ',') within group (order by y) as l, percentile_cont(0.5) within group (order by y) as p from a;
--> o.l <- a.x  AGGREGATION
--> o.l <- a.y  SORT
--> o.p <- a.y  AGGREGATION
