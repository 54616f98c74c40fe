-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
update t set x = s.m, grp = default from (select id, max(z) as m from b group by id) s where s.id = t.id;
--> t <- b.id  FILTER
--> t <- b.id  GROUP_BY
--> t <- t.id  FILTER
--> t.x <- b.z  AGGREGATION
