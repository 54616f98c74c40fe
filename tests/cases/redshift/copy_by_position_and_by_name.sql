-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
copy t from 's3://lake/in/t.csv' iam_role default csv;
copy a from 's3://lake/in/a/' iam_role default format as parquet;
copy b (id, z) from 's3://lake/in/b.txt' iam_role default delimiter '|';
--> a.id <- s3://lake/in/a/.id  IDENTITY
--> a.x <- s3://lake/in/a/.x  IDENTITY
--> a.y <- s3://lake/in/a/.y  IDENTITY
--> b.id <- s3://lake/in/b.txt.*  IDENTITY
--> b.z <- s3://lake/in/b.txt.*  IDENTITY
--> t.grp <- s3://lake/in/t.csv.*  IDENTITY
--> t.id <- s3://lake/in/t.csv.*  IDENTITY
--> t.x <- s3://lake/in/t.csv.*  IDENTITY
