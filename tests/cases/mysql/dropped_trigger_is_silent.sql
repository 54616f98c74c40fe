-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
create trigger tr after insert on a for each row insert into b (id) values (new.id);
drop trigger tr;
insert into a (id) select k from c;
--> a.id <- c.k  IDENTITY
