use shop;
insert into o (i) select id from app.src;
use mart;
create table n as select i from shop.o;
--> mart.n.i <- app.src.id  IDENTITY
--> mart.n.i <- shop.o.i  IDENTITY
--> shop.o.i <- app.src.id  IDENTITY
