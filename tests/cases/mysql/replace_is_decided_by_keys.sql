-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
create table p (id int primary key, v int);
replace into p select id, x from a;
--> p <- a.id  JOIN
--> p <- p.id  JOIN
--> p.id <- a.id  IDENTITY
--> p.v <- a.x  IDENTITY
