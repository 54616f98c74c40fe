-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
create trigger tr after insert on a for each row insert into b (id, x) values (new.id, new.x + 1);
insert into a (id, x) select k, z from c;
--> a.id <- c.k  IDENTITY
--> a.x <- c.z  IDENTITY
--> b.id <- a.id  IDENTITY
--> b.id <- c.k  IDENTITY
--> b.x <- a.x  TRANSFORMATION
--> b.x <- c.z  TRANSFORMATION
