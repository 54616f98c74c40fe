-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
select max(x) into @m from a where y > 1;
set @n = @m + 1;
update t set x = @n where grp = 2;
--> t <- t.grp  FILTER
--> t.x <- a.x  AGGREGATION
--> t.x <- a.y  FILTER
