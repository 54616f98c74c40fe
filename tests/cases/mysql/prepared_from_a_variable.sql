-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
set @s = concat('insert into t (id) select x ', 'from a');
prepare q from @s;
execute q;
--> t.id <- a.x  IDENTITY
