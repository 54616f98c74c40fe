CREATE TABLE t (id INT, d DATE) PARTITION BY RANGE (YEAR(d)) (PARTITION p0 VALUES LESS THAN (1990), PARTITION p1 VALUES LESS THAN MAXVALUE) SELECT id, d FROM u;
--> Define(relation=t, kind=TABLE, columns=[Column(name=id, type=INT), Column(name=d, type=DATE)], query=SELECT id, d FROM u, by_name=True)

CREATE TABLE IF NOT EXISTS t (PRIMARY KEY (a)) ENGINE=InnoDB REPLACE AS SELECT a FROM u;
--> Define(relation=t, kind=TABLE, keys=[[a]], query=SELECT a FROM u, by_name=True, keeps_existing=True)

CREATE TEMPORARY TABLE t TABLE u;
--> Define(relation=t, kind=TABLE, query=SELECT * FROM u, by_name=True, temporary=True)

CREATE TABLE t LIKE u;
--> Define(relation=t, kind=TABLE, like=u, by_name=True)

CREATE TABLE t (a INT, b INT AS (a + 1) VIRTUAL, UNIQUE KEY k (a, b(10)), INDEX ((a + b)), CHECK (a > 0));
--> Define(relation=t, kind=TABLE, columns=[Column(name=a, type=INT), Column(name=b, type=INT, generated=a + 1)], keys=[[a, b]], by_name=True)

CREATE TABLE t (a INT) ENGINE=MERGE UNION=(t1,t2);
--> Define(relation=t, kind=TABLE, columns=[Column(name=a, type=INT)], by_name=True)

CREATE TABLE t (a INT) START TRANSACTION;
--> Define(relation=t, kind=TABLE, columns=[Column(name=a, type=INT)], by_name=True)

CREATE TABLE t (a INT, s TIMESTAMP(6) GENERATED ALWAYS AS ROW START, PERIOD FOR SYSTEM_TIME (s, e)) WITH SYSTEM VERSIONING;
--> Define(relation=t, kind=TABLE, columns=[Column(name=a, type=INT), Column(name=s, type=TIMESTAMP(6))], by_name=True)

CREATE OR REPLACE ALGORITHM=MERGE DEFINER=`a`@`%` SQL SECURITY DEFINER VIEW v (x) AS SELECT a FROM t WITH CHECK OPTION;
--> Define(relation=v, kind=VIEW, columns=[Column(name=x)], query=SELECT a FROM t)

ALTER DEFINER=CURRENT_USER VIEW v AS SELECT a FROM t;
--> Define(relation=v, kind=VIEW, query=SELECT a FROM t)

ALTER TABLE t EXCHANGE PARTITION p WITH TABLE u WITHOUT VALIDATION;
--> ExchangeRows(relation=t, other=u)

ALTER TABLE t CONVERT PARTITION p TO TABLE u;
--> Block(body=[Define(relation=u, kind=TABLE, like=t), Write(target=u, query=SELECT * FROM `t`)])

ALTER TABLE t CONVERT TABLE u TO PARTITION p VALUES LESS THAN (10);
--> Block(body=[Write(target=t, query=SELECT * FROM `u`), Drop(relations=[u], kind=TABLE)])

ALTER TABLE t TRUNCATE PARTITION p0, p1;
--> Inert(reason=changes no column and moves no data, commits=True)

ALTER TABLE t ADD PARTITION (PARTITION p3 VALUES LESS THAN (2000));
--> Inert(reason=changes no column and moves no data, commits=True)

ALTER TABLE db.t RENAME AS u;
--> Rename(pairs=[[db.t, u]])

ALTER TABLE t RENAME COLUMN a TO b, RENAME INDEX i TO j;
--> Alter(relation=t, changes=[RenameColumn(column=a, new=b)])

ALTER TABLE t CHANGE a b BIGINT UNSIGNED NOT NULL AFTER c;
--> Alter(relation=t, changes=[RenameColumn(column=a, new=b, type=BIGINT UNSIGNED), AddColumn(column=Column(name=b, type=BIGINT UNSIGNED), after=c)])

ALTER TABLE t MODIFY a INT FIRST, MODIFY COLUMN c TEXT;
--> Alter(relation=t, changes=[AddColumn(column=Column(name=a, type=INT), after=), RetypeColumn(column=Column(name=c, type=TEXT))])

ALTER TABLE t WAIT 10 ADD COLUMN (c INT, d VARCHAR(10)), DROP e, ADD KEY (c);
--> Alter(relation=t, changes=[AddColumn(column=Column(name=c, type=INT)), AddColumn(column=Column(name=d, type=VARCHAR(10))), DropColumn(column=e)])

ALTER IGNORE TABLE t ADD UNIQUE (a);
--> Inert(reason=changes no column and moves no data, declares=Alter(relation=t, changes=[AddKey(columns=[a])]), commits=True)

RENAME TABLE a TO tmp, db.b TO a;
--> Rename(pairs=[[a, tmp], [db.b, a]])

DROP TEMPORARY TABLE IF EXISTS a, b;
--> Drop(relations=[a, b], kind=TABLE, temporary=True)

DROP DATABASE IF EXISTS d;
--> Drop(relations=[d.], kind=SCHEMA)

TRUNCATE t;
--> Truncate(relation=t)
