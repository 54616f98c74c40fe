-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
insert into t (id, x) select id, sum(y) from a group by id
on duplicate key update x = t.x + values(x), grp = id;
--> t <- a.id  GROUP_BY
--> t <- a.id  JOIN
--> t <- t.id  JOIN
--> t.grp <- a.id  IDENTITY
--> t.grp <- t.id  IDENTITY
--> t.id <- a.id  IDENTITY
--> t.x <- a.y  AGGREGATION
--> t.x <- t.x  TRANSFORMATION
