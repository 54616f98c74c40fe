-- schema: s(id, n)
create table added (id int, n int);
insert into added select id, n from s;
alter table added add column twice int generated always as (n * 2) stored;
create table alike like added;
insert into alike (n) select n from s;
--> added.id <- s.id  IDENTITY
--> added.n <- s.n  IDENTITY
--> added.twice <- s.n  TRANSFORMATION
--> alike.n <- s.n  IDENTITY
--> alike.twice <- s.n  TRANSFORMATION
