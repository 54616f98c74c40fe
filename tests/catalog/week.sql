-- A week of a small warehouse. `-- at` gives the time of the statements behind it, `-- look` a moment to look at.

-- at 2026-01-05 06:00
create table stage.orders (id int, customer int, amount int);
create table mart.customer (id int, name varchar(50));
create table mart.sales (customer int, total int);
copy stage.orders from 's3://in/orders' iam_role default;
copy mart.customer from 's3://in/customers' iam_role default;
insert into mart.sales select customer, sum(amount) from stage.orders group by customer;
-- look 2026-01-05 07:00  the first load

-- at 2026-01-05 22:00
truncate stage.orders;
-- look 2026-01-05 23:00  staging is empty, what came of it stays

-- at 2026-01-06 06:00
create view mart.best as select c.name, s.total from mart.sales s join mart.customer c on c.id = s.customer;
-- look 2026-01-06 07:00  a view reads through

-- at 2026-01-06 08:00
alter table mart.customer add column country char(2);
update mart.customer set country = r.code from ref.region r where r.id = mart.customer.id;
-- look 2026-01-06 09:00  a new column is filled

-- at 2026-01-07 06:00
create table mart.sales_next as select customer, max(amount) as total from archive.orders group by customer;
-- look 2026-01-07 07:00  the next table stands beside

-- at 2026-01-07 08:00
alter table mart.sales rename to sales_old;
alter table mart.sales_next rename to sales;
-- look 2026-01-07 09:00  the tables are swapped

-- at 2026-01-07 20:00
drop table mart.sales_old;
-- look 2026-01-07 21:00  the old one is dropped

-- at 2026-01-08 06:00
unload ('select name, total from mart.best') to 's3://out/best/' iam_role default;
-- look 2026-01-08 07:00  files are written from the view

-- at 2026-01-09 06:00
alter table mart.customer drop column country;
-- look 2026-01-09 07:00  a column is gone

-- at 2026-01-09 08:00
delete from mart.sales;
-- look 2026-01-09 09:00  everything is deleted

-- at 2026-01-10 06:00
insert into mart.sales select customer, total * 2 from archive.sales where total > 0;
-- look 2026-01-10 07:00  and filled again

-- at 2026-01-11 06:00
drop view mart.best;
-- look 2026-01-11 07:00  the view is dropped
