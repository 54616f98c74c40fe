create table o as select p + q as r, r * 2 as s from unknown_table;
--> o.r <- unknown_table.p  TRANSFORMATION
--> o.r <- unknown_table.q  TRANSFORMATION
--> o.s <- unknown_table.p  TRANSFORMATION
--> o.s <- unknown_table.q  TRANSFORMATION
--! AssumedAlias
