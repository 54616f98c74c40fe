-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
/*!50001 create view v as select id from a */;
create table o as select /*! straight_join */ v.id from v join b on b.id = v.id /*!99999 where b.z > 1 */;
--> o <- a.id  JOIN
--> o <- b.id  JOIN
--> o.id <- a.id  IDENTITY
--> v.id <- a.id  IDENTITY
