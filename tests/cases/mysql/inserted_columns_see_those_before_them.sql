-- schema: u(id, x)
create table t (id int primary key, a int, b int);
create table assigned (id int primary key, a int, b int);
create table updated (id int primary key, a int, b int);
create table loaded (id int primary key, a int, b int);
insert into t (id, a, b) values (1, (select max(x) from u), a + 1), (2, 3, t.a);
insert into assigned set a = (select max(x) from u), b = a;
insert into updated (id, a) select id, 1 from u on duplicate key update a = x, b = a;
load data infile 'f' into table loaded (id, @v) set a = @v, b = a + 1;
--> assigned.a <- u.x  AGGREGATION
--> assigned.b <- u.x  AGGREGATION
--> loaded.a <- f.*  IDENTITY
--> loaded.b <- f.*  TRANSFORMATION
--> loaded.id <- f.*  IDENTITY
--> t.a <- u.x  AGGREGATION
--> t.b <- u.x  AGGREGATION
--> updated <- u.id  JOIN
--> updated <- updated.id  JOIN
--> updated.a <- u.x  IDENTITY
--> updated.b <- u.x  IDENTITY
--> updated.id <- u.id  IDENTITY
