-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
create table o as
with recursive r (n, root, lvl) as (
  select id, x, 1 from a where y is null
  union all
  select a.id, r.root, r.lvl + 1 from a join r on a.y = r.n
)
select root, max(lvl) as depth from r group by root;
--> o <- a.id  JOIN
--> o <- a.x  GROUP_BY
--> o <- a.y  FILTER
--> o <- a.y  JOIN
--> o.root <- a.x  IDENTITY
