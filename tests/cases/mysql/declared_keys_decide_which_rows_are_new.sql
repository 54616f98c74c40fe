-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
create table p (id int primary key, v int, w int);
insert into p (id, v, w) select id, x, y from a on duplicate key update v = values(v);
--> p <- a.id  JOIN
--> p <- p.id  JOIN
--> p.id <- a.id  IDENTITY
--> p.v <- a.x  IDENTITY
--> p.w <- a.y  IDENTITY
--> p.w <- p.w  IDENTITY
