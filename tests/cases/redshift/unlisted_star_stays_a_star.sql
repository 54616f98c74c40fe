create table o as select *, p + 1 as p1 from unknown_table;
--> o.* <- unknown_table.*  IDENTITY
--> o.p1 <- unknown_table.p  TRANSFORMATION
--! StarNotExpanded
