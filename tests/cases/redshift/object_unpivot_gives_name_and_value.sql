-- schema: t(id, props)
create table o as select attr, val from t as c, unpivot c.props as val at attr where c.id = 7;
--> o <- t.id  FILTER
--> o <- t.props  JOIN
--> o.attr <- t.props  TRANSFORMATION
--> o.val <- t.props  TRANSFORMATION
