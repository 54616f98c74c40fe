-- schema: a(id, k, n)
-- schema: b(id, k)
-- schema: c(id, k, n)
create table j as select a.n from a, b join c using (k);
create table o as select a.id from a, b join c on n = 1;
delete from a using b join c using (k) where a.id = b.id;
--> a <- a.id  FILTER
--> a <- b.id  FILTER
--> a <- b.k  JOIN
--> a <- c.k  JOIN
--> j <- b.k  JOIN
--> j <- c.k  JOIN
--> j.n <- a.n  IDENTITY
--> o <- c.n  JOIN
--> o.id <- a.id  IDENTITY
