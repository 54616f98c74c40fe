-- An update that gives a key another value decides which row the next one of the same statement meets; so does what
-- a generated key is computed of.
create table t (id int primary key, n int, x int);
insert into t (id, x) select a.id, a.x from a on duplicate key update id = greatest(values(id), n), x = 0;
create table g (b int, x int, k int generated always as (b + 1) stored unique);
insert ignore into g (b, x) select a.id, a.x from a;
--> g <- a.id  JOIN
--> g <- g.k  JOIN
--> g.b <- a.id  IDENTITY
--> g.k <- a.id  TRANSFORMATION
--> g.x <- a.x  IDENTITY
--> t <- a.id  JOIN
--> t <- t.id  JOIN
--> t <- t.n  JOIN
--> t.id <- a.id  TRANSFORMATION
--> t.id <- t.n  TRANSFORMATION
--> t.x <- a.x  IDENTITY
