-- schema: a(id, x, y)
-- schema: b(id, x, z)
-- schema: c(id, k, z)
-- schema: t(id, x, grp)
load data local infile '/in/t.csv' into table t fields terminated by ';' ignore 1 lines (id, @v, @w) set x = @v / 60, grp = concat(@w, id);
--> t.grp <- /in/t.csv.*  TRANSFORMATION
--> t.id <- /in/t.csv.*  IDENTITY
--> t.x <- /in/t.csv.*  TRANSFORMATION
