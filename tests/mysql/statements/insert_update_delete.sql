INSERT LOW_PRIORITY IGNORE INTO t SELECT a FROM u;
--> Write(target=t, query=SELECT a FROM u, keyed=True)

INSERT t SET a = 1, b = (SELECT MAX(x) FROM u) ON DUPLICATE KEY UPDATE a = VALUES(a) + 1;
--> Write(target=t, query=VALUES (1, (SELECT MAX(x) FROM u)), columns=[a, b], keyed=True, updates=[Assignment(column=a, expression=VALUES(a) + 1)])

INSERT INTO t SELECT a, b FROM u ON DUPLICATE KEY UPDATE b = u.b + t.b;
--> Write(target=t, query=SELECT a, b FROM u, keyed=True, updates=[Assignment(column=b, expression=u.b + t.b)])

INSERT INTO t (a, b) VALUES (1, 2) AS new ON DUPLICATE KEY UPDATE b = new.b;
--> Write(target=t, columns=[a, b], keyed=True, updates=[Assignment(column=b, expression=new.b)], row_alias=new)

INSERT INTO t (a, b) VALUES (1, f(2)) AS new(m, n) ON DUPLICATE KEY UPDATE b = m + n;
--> Write(target=t, query=VALUES (1, F(2)), columns=[a, b], keyed=True, updates=[Assignment(column=b, expression=m + n)], row_alias=new, row_columns=[m, n])

INSERT INTO t TABLE u;
--> Write(target=t, query=SELECT * FROM u)

INSERT INTO t PARTITION (p0) (a) SELECT a FROM u;
--> Write(target=t, query=SELECT a FROM u, columns=[a])

INSERT INTO t (a) VALUES (1) RETURNING id;
--> Write(target=t, columns=[a])

INSERT INTO t (a) VALUES (DEFAULT), (f());
--> Write(target=t, query=VALUES (NULL), (F()), columns=[a])

INSERT INTO t VALUES ROW(f(1), 2);
--> Write(target=t, query=VALUES (F(1), 2))

REPLACE LOW_PRIORITY t SET a = 1, b = b + 1;
--> Write(target=t, query=VALUES (1, b + 1), columns=[a, b], keyed=True)

REPLACE DELAYED INTO t SELECT * FROM u;
--> Write(target=t, query=SELECT * FROM u, keyed=True)

UPDATE t SET a = a + 1, b = DEFAULT, c = DEFAULT(c);
--> Change(kind=UPDATE, query=SELECT a + 1, NULL, NULL FROM t, targets=[t], assigned=[[None, a], [None, b], [None, c]], sequential=True)

UPDATE LOW_PRIORITY IGNORE t AS x SET x.a = 1 ORDER BY x.c LIMIT 3;
--> Change(kind=UPDATE, query=SELECT 1 FROM t AS x ORDER BY x.c LIMIT 3, targets=[x], assigned=[[x, a]], sequential=True)

UPDATE t, u SET t.a = u.b, u.c = t.d WHERE t.x = u.x;
--> Change(kind=UPDATE, query=SELECT u.b, t.d FROM t, u WHERE t.x = u.x, assigned=[[t, a], [u, c]])

UPDATE t STRAIGHT_JOIN u USING (x) SET t.a = u.b;
--> Change(kind=UPDATE, query=SELECT u.b FROM t STRAIGHT_JOIN u USING (x), assigned=[[t, a]])

UPDATE t FOR PORTION OF p FROM '2020-01-01' TO '2021-01-01' SET a = b;
--> Change(kind=UPDATE, query=SELECT b FROM t, targets=[t], assigned=[[None, a]], sequential=True)

WITH c AS (SELECT 1 AS x) UPDATE t, c SET t.a = c.x;
--> Change(kind=UPDATE, query=WITH c AS (SELECT 1 AS x) SELECT c.x FROM t, c, assigned=[[t, a]])

DELETE FROM t;
--> Change(kind=DELETE, query=SELECT 1 FROM t, targets=[t], every_row=True)

DELETE QUICK FROM t PARTITION (p0);
--> Change(kind=DELETE, query=SELECT 1 FROM t WHERE 1, targets=[t])

DELETE FROM t FOR PORTION OF p FROM '2020-01-01' TO '2021-01-01';
--> Change(kind=DELETE, query=SELECT 1 FROM t WHERE 1, targets=[t])

DELETE t.*, u.* FROM t, u WHERE t.a = u.a;
--> Change(kind=DELETE, query=SELECT 1 FROM t, u WHERE t.a = u.a, targets=[t, u])

DELETE db.t FROM db.t JOIN u USING (k);
--> Change(kind=DELETE, query=SELECT 1 FROM db.t JOIN u USING (k), targets=[db.t])

DELETE FROM x USING t AS x JOIN u ON x.a = u.a;
--> Change(kind=DELETE, query=SELECT 1 FROM t AS x JOIN u ON x.a = u.a, targets=[x])

DELETE HISTORY FROM t BEFORE SYSTEM_TIME '2020-01-01';
--> Inert(reason=removes old versions of rows)

WITH c AS (SELECT 1 AS x) DELETE t FROM t JOIN c ON c.x = t.x;
--> Change(kind=DELETE, query=WITH c AS (SELECT 1 AS x) SELECT 1 FROM t JOIN c ON c.x = t.x, targets=[t])
