-- schema: app.orders(id, day)
-- schema: app.items(id, order_id)
-- schema: app.returns(id, day)
-- the first ON can only mean the k of the query around, the second has its own
insert into mart.found (id)
select k.id
from app.orders k
where exists (
    select 1
    from app.items i
    join app.items j on j.order_id = k.day
    join app.returns k on k.day = i.id
);
--> mart.found <- app.items.id  FILTER
--> mart.found <- app.items.order_id  FILTER
--> mart.found <- app.orders.day  FILTER
--> mart.found <- app.returns.day  FILTER
--> mart.found.id <- app.orders.id  IDENTITY
