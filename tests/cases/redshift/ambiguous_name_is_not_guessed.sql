create table o as select v from unknown_one join unknown_two on unknown_one.id = unknown_two.id;
--> o <- unknown_one.id  JOIN
--> o <- unknown_two.id  JOIN
--> o.v <- unknown_one.*  IDENTITY
--> o.v <- unknown_two.*  IDENTITY
--! AmbiguousColumn
