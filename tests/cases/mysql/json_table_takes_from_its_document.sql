-- schema: t(id, doc)
create table o as select t.id, j.n, j.pos from t, json_table(t.doc, '$[*]' columns (pos for ordinality, n int path '$.n')) j where j.n > 3;
--> o <- t.doc  FILTER
--> o <- t.doc  JOIN
--> o.id <- t.id  IDENTITY
--> o.n <- t.doc  TRANSFORMATION
