-- schema: app.src(x)
set search_path to app, public;
create table o as select x from src;
--> app.o.x <- app.src.x  IDENTITY
