-- schema: a(id)
-- schema: t(id)
-- schema: u(id)
-- schema: v(id)
start transaction;
insert into t (id) select id from a;
create index i on t (id);
rollback;
start transaction;
insert into u (id) select id from a;
lock tables u write;
rollback;
start transaction;
insert into v (id) select id from a;
show tables;
rollback;
--> t.id <- a.id  IDENTITY
--> u.id <- a.id  IDENTITY
