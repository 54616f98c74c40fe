-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
create or replace procedure p(day int) as $$
declare best int; r record;
begin
  select into best max(k) from c where z = day;
  if best > 3 then insert into t (id, x) select id, best from b; end if;
  for r in select id, y from a where x = day loop
    update t set grp = r.y where t.id = r.id;
  end loop;
end;
$$ language plpgsql;
call p(3);
--> t <- a.id  FILTER
--> t <- a.x  FILTER
--> t <- b.id  FILTER
--> t <- c.k  FILTER
--> t <- c.z  FILTER
--> t <- t.id  FILTER
--> t.grp <- a.y  IDENTITY
--> t.id <- b.id  IDENTITY
--> t.x <- c.k  AGGREGATION
--> t.x <- c.z  FILTER
