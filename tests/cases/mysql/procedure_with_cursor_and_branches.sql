-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
delimiter //
create procedure p(in lim int)
begin
  declare v, w int; declare done int default 0;
  declare cur cursor for select x, y from a where id < lim;
  declare continue handler for not found set done = 1;
  if lim > (select max(k) from c) then insert into t (id) select id from b; else delete from t where grp = lim; end if;
  open cur;
  walk: loop
    fetch cur into v, w;
    if done then leave walk; end if;
    insert into t (x, grp) values (v, w);
  end loop;
  close cur;
end //
delimiter ;
call p(3);
--> t <- c.k  FILTER
--> t <- t.grp  FILTER
--> t.grp <- a.id  FILTER
--> t.grp <- a.y  IDENTITY
--> t.id <- b.id  IDENTITY
--> t.x <- a.id  FILTER
--> t.x <- a.x  IDENTITY
