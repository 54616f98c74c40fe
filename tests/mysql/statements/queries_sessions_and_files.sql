SELECT a INTO OUTFILE '/x' FIELDS TERMINATED BY ',' LINES TERMINATED BY '|' FROM t WHERE b = 1;
--> Unload(query=SELECT a FROM t WHERE b = 1, target=/x)

SELECT a FROM t WHERE b = 2 INTO OUTFILE '/x' CHARACTER SET utf8mb4;
--> Unload(query=SELECT a FROM t WHERE b = 2, target=/x)

SELECT a INTO DUMPFILE '/x' FROM t;
--> Unload(query=SELECT a FROM t, target=/x)

WITH c AS (SELECT 1 AS x) SELECT x FROM c INTO OUTFILE '/x';
--> Unload(query=WITH c AS (SELECT 1 AS x) SELECT x FROM c, target=/x)

TABLE t INTO OUTFILE '/x';
--> Unload(query=SELECT * FROM t, target=/x)

SELECT a, b INTO @X, @y FROM t LIMIT 1;
--> SetVariables(variables=[@x, @y], query=SELECT a, b FROM t LIMIT 1)

SELECT a FROM t FOR UPDATE INTO @x;
--> SetVariables(variables=[@x], query=SELECT a FROM t FOR UPDATE)

LOAD DATA LOCAL INFILE 'f.csv' IGNORE INTO TABLE db.t CHARACTER SET latin1 FIELDS TERMINATED BY ',' IGNORE 1 ROWS (a, @v) SET c = @v / 2;
--> Load(target=db.t, source=f.csv, columns=[a], variables=[@v], assignments=[Assignment(column=c, expression=@v / 2)], keyed=True)

LOAD DATA INFILE 'f' INTO TABLE t;
--> Load(target=t, source=f)

LOAD XML LOCAL INFILE 'p.xml' INTO TABLE t ROWS IDENTIFIED BY '<p>' (a, @b) SET c = @b;
--> Load(target=t, source=p.xml, columns=[a], named_fields=True, variables=[@b], assignments=[Assignment(column=c, expression=@b)])

SET @x := (SELECT MAX(a) FROM t), @`Y z` = @x + 1;
--> SetVariables(variables=[@x, @y z], query=SELECT (SELECT MAX(a) FROM t), @x + 1)

SET @old = @@sql_mode, sql_mode = 'ANSI';
--> SetVariables(variables=[@old], query=SELECT @@sql_mode)

SET SESSION sql_mode = 'x', @@global.y = 2;
--> Inert(reason=sets a variable of the server or the session)

SET @@session.autocommit = OFF;
--> Transaction(step=AUTOCOMMIT_OFF)

SET autocommit = 1;
--> Transaction(step=AUTOCOMMIT_ON)

SET GLOBAL autocommit = 0;
--> Inert(reason=sets a variable of the server or the session)

SET NAMES utf8mb4;
--> Inert(reason=sets the character set of the connection)

SET STATEMENT max_statement_time = 10, x = 1 FOR INSERT INTO t SELECT * FROM u;
--> Write(target=t, query=SELECT * FROM u)

START TRANSACTION READ ONLY;
--> Transaction(step=BEGIN)

BEGIN WORK;
--> Transaction(step=BEGIN)

COMMIT AND CHAIN;
--> Transaction(step=COMMIT)

ROLLBACK;
--> Transaction(step=ROLLBACK)

ROLLBACK WORK TO SAVEPOINT x;
--> Transaction(step=ROLLBACK_TO, savepoint=x)

SAVEPOINT x;
--> Transaction(step=SAVEPOINT, savepoint=x)

USE `my db`;
--> Use(name=my db)

PREPARE s FROM 'DELETE FROM t WHERE a = ?';
--> Prepare(name=s, body=Change(kind=DELETE, query=SELECT 1 FROM t WHERE a = ?, targets=[t]))

PREPARE s FROM @v;
--> Prepare(name=s, variable=@v)

EXECUTE s USING @a;
--> Execute(name=s)

EXECUTE IMMEDIATE 'DELETE FROM t';
--> Change(kind=DELETE, query=SELECT 1 FROM t, targets=[t], every_row=True)

EXECUTE IMMEDIATE CONCAT('x', @v);
--> Opaque(code=DynamicSql, reason=the text of this statement is made only when it runs)

CALL db.p(1, @x, (SELECT MAX(a) FROM t));
--> Call(relation=db.p, arguments=[1, @x, (SELECT MAX(a) FROM t)])

TABLE t ORDER BY a LIMIT 3;
--> Read(query=SELECT * FROM t ORDER BY a LIMIT 3)

VALUES ROW(1, 2), ROW(3, 4);
--> Read(query=VALUES (1, 2), (3, 4))

HANDLER db.t READ idx = (1) WHERE a > 3 LIMIT 5;
--> Read(query=SELECT * FROM db.t WHERE a > 3 LIMIT 5)

HANDLER t OPEN;
--> Inert(reason=opens or closes a table for HANDLER … READ)

DO (SELECT MAX(a) FROM t);
--> Read(query=SELECT (SELECT MAX(a) FROM t))

DO SLEEP(1);
--> Inert(reason=evaluates expressions of no table)

ANALYZE TABLE t;
--> Inert(reason=measures tables, commits=True)

ANALYZE FORMAT=JSON SELECT a FROM t;
--> Inert(reason=shows how a query ran, not its rows)

ANALYZE UPDATE t SET a = b;
--> Change(kind=UPDATE, query=SELECT b FROM t, targets=[t], assigned=[[None, a]], sequential=True)
