-- schema: s(id, code, n)
create table altered (id int, code int, n int);
alter table altered add primary key (id), add unique key by_code (code);
insert into altered select id, code, n from s on duplicate key update n = 1;
create table indexed (id int, code int, n int);
create unique index by_code on indexed (code);
insert into indexed select id, code, n from s on duplicate key update n = 1;
create table alike like altered;
insert into alike select id, code, n from s on duplicate key update n = 1;
create table renamed (id int primary key, n int);
alter table renamed change id number int;
insert into renamed select id, n from s on duplicate key update n = 1;
create table functional (id int, code int, n int, unique key k ((code * 2)));
insert into functional select id, code, n from s on duplicate key update n = 1;
--> alike <- alike.code  JOIN
--> alike <- alike.id  JOIN
--> alike <- s.code  JOIN
--> alike <- s.id  JOIN
--> alike.code <- s.code  IDENTITY
--> alike.id <- s.id  IDENTITY
--> alike.n <- s.n  IDENTITY
--> altered <- altered.code  JOIN
--> altered <- altered.id  JOIN
--> altered <- s.code  JOIN
--> altered <- s.id  JOIN
--> altered.code <- s.code  IDENTITY
--> altered.id <- s.id  IDENTITY
--> altered.n <- s.n  IDENTITY
--> functional <- functional.code  JOIN
--> functional <- s.code  JOIN
--> functional.code <- s.code  IDENTITY
--> functional.id <- functional.id  IDENTITY
--> functional.id <- s.id  IDENTITY
--> functional.n <- s.n  IDENTITY
--> indexed <- indexed.code  JOIN
--> indexed <- s.code  JOIN
--> indexed.code <- s.code  IDENTITY
--> indexed.id <- indexed.id  IDENTITY
--> indexed.id <- s.id  IDENTITY
--> indexed.n <- s.n  IDENTITY
--> renamed <- renamed.id  JOIN
--> renamed <- s.id  JOIN
--> renamed.n <- s.n  IDENTITY
--> renamed.number <- s.id  IDENTITY
