-- schema: t(id, a)
-- schema: s(id, a)
merge into t using s on t.id = s.id when matched then update set a = s.a when not matched then insert (id, a) values (id, a + 1);
--> t <- s.id  JOIN
--> t <- t.id  JOIN
--> t.a <- s.a  TRANSFORMATION
--> t.id <- s.id  IDENTITY
