-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
create table o as select grp, group_concat(distinct x order by id desc separator '; ') as xs from t group by grp with rollup;
--> o <- t.grp  GROUP_BY
--> o.grp <- t.grp  IDENTITY
--> o.xs <- t.id  SORT
--> o.xs <- t.x  AGGREGATION
