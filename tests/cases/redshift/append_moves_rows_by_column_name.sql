-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
create table s (id int, x int, memo int);
insert into s (id, x, memo) select id, x, y from a;
alter table t append from s ignoreextra;
create table o as select id, memo from s;
--> o.id <- s.id  IDENTITY
--> o.memo <- s.memo  IDENTITY
--> t.id <- a.id  IDENTITY
--> t.x <- a.x  IDENTITY
