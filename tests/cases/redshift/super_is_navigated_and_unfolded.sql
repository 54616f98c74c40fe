-- schema: t(id, orders)
create table o as select t.id, o.sku, o.lines[0].price as price, n as position from t, t.orders o at n where o.state = 'new';
--> o <- t.orders  FILTER
--> o <- t.orders  JOIN
--> o.id <- t.id  IDENTITY
--> o.price <- t.orders  TRANSFORMATION
--> o.sku <- t.orders  TRANSFORMATION
