-- schema: t(id, x)
-- schema: s(id, x)
alter table t exchange partition p0 with table s;
--> s.id <- t.id  IDENTITY
--> s.x <- t.x  IDENTITY
--> t.id <- s.id  IDENTITY
--> t.x <- s.x  IDENTITY
