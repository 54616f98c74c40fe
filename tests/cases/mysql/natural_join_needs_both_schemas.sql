-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
create table o as select x from a natural join unknown_table;
--> o <- a.*  JOIN
--> o <- unknown_table.*  JOIN
--> o.x <- a.x  IDENTITY
--! NaturalJoinNotKnown
