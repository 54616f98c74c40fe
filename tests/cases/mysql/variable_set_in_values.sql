-- schema: u(id, x)
create table t (id int primary key, a int, b int);
create table updated (id int primary key, a int, b int);
create table after (id int, a int, b int);
insert into t (id, a) values (1, @v := (select max(x) from u));
insert into updated (id, a) select id, 1 from u on duplicate key update b = (@w := u.x);
insert into after set a = @v, b = @w;
--> after.a <- u.x  AGGREGATION
--> after.b <- u.x  IDENTITY
--> t.a <- u.x  AGGREGATION
--> updated <- u.id  JOIN
--> updated <- updated.id  JOIN
--> updated.a <- updated.a  IDENTITY
--> updated.b <- u.x  TRANSFORMATION
--> updated.id <- u.id  IDENTITY
