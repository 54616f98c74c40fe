-- schema: t(id, a, b)
delete from t using t as other where t.a = other.b;
delete from t using (select max(a) as m, upper(b) as n from t group by upper(b)) as q where t.a = q.m;
--> t <- t.a  FILTER
--> t <- t.b  FILTER
--> t <- t.b  GROUP_BY
