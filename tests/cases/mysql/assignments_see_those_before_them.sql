-- schema: t(id, a, b, c)
-- schema: correlated(id, a, b, c)
-- schema: filtered(id, a, b, c)
-- schema: twice(id, a, b, c)
-- schema: u(id, x)
update t set a = a + c, b = a;
update correlated set a = c, b = (select max(x) from u where u.id = correlated.a);
-- WHERE and ORDER BY see what was there before
update filtered set a = c, b = 1 where a > 1 order by b limit 1;
-- a second look at the table makes it an UPDATE of joined tables
update twice set a = c, b = a, c = (select max(id) from twice);
--> correlated.a <- correlated.c  IDENTITY
--> correlated.b <- correlated.c  FILTER
--> correlated.b <- u.id  FILTER
--> correlated.b <- u.x  AGGREGATION
--> filtered <- filtered.a  FILTER
--> filtered <- filtered.b  SORT
--> filtered.a <- filtered.c  IDENTITY
--> t.a <- t.a  TRANSFORMATION
--> t.a <- t.c  TRANSFORMATION
--> t.b <- t.a  TRANSFORMATION
--> t.b <- t.c  TRANSFORMATION
--> twice.a <- twice.c  IDENTITY
--> twice.b <- twice.a  IDENTITY
--> twice.b <- twice.c  IDENTITY
--> twice.c <- twice.id  AGGREGATION
