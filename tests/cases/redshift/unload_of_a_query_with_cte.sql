-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
unload ('with q as (select id from a where x > 1) select q.id, b.z from q join b on q.id = b.id') to 's3://lake/out/q_' iam_role default parquet partition by (z);
--> s3://lake/out/q_ <- a.id  JOIN
--> s3://lake/out/q_ <- a.x  FILTER
--> s3://lake/out/q_ <- b.id  JOIN
--> s3://lake/out/q_.id <- a.id  IDENTITY
--> s3://lake/out/q_.z <- b.z  IDENTITY
