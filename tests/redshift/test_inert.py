"""Every command that moves no data says why; the reasons are read by people."""

from __future__ import annotations

import pytest

from sqllineage_svc.sql.statement import Inert
from tests.redshift.reading import read

COMMANDS = """
alter database d rename to e
alter datashare d add schema public
alter default privileges in schema s grant select on tables to u
alter external schema x iam_role 'y'
alter external view s.v remove definition
alter function f(int) rename to g
alter group g add user u
alter identity provider x parameters '{}'
alter masking policy m using (x)
alter materialized view v auto refresh no
alter procedure p(int) owner to u
alter rls policy p using (true)
alter role r rename to s
alter schema s owner to u
alter system set data_catalog_auto_mount = on
alter table t alter column a encode lzo, alter column b encode zstd
alter table t alter diststyle key distkey a, alter compound sortkey (a, b)
alter table t add constraint x primary key (a)
alter table t drop partition (p='1')
alter table t owner to u
alter table t row level security on
alter table t set table properties ('numRows'='1')
alter template t add csv
alter user u set search_path to a
analyze t predicate columns
analyze compression t
attach masking policy m on t (a) to public
attach rls policy p on t to role r
cancel 123 'why'
close c
comment on table t is 'x'
copy job run j
copy job list
create database d from integration 'x'
create datashare d set publicaccessible true
create external function f (a int) returns int volatile lambda 'x' iam_role 'r'
create external model m iam_role default model_type bedrock settings (model_id 'x')
create external schema x from data catalog database 'd' iam_role 'r'
create function f (a int) returns int stable as $$ return a; $$ language plpythonu
create group g with user u
create identity provider p type azure namespace 'x'
create library l language plpythonu from 's3://x'
create masking policy m with (a int) using (sha2(a, 256))
create or replace function f (int) returns int immutable as $$ select $1 $$ language sql
create rls policy p with (a int) using (a = 1)
create role r
create schema if not exists s authorization u quota 50 gb
create template t for copy as csv
create user u password 'x'
deallocate prepare all
desc datashare d
desc identity provider p
detach masking policy m on t (a) from public
detach rls policy p on t from role r
drop database d
drop datashare d
drop group g
drop identity provider x
drop library l
drop masking policy x
drop rls policy x
drop role r force
drop template t
drop user if exists u
explain verbose insert into t select 1
grant select for tables in database d to role r
lock table t
reset query_group
revoke all on schema s from public
set query_group to 'x'
set session authorization 'u'
set session characteristics as transaction read only
show grants on table t
show tables from schema d.s
unlisten *
vacuum delete only t to 100 percent
padb_fetch_sample: select count(*) from t
small table validation: select 1
Undoing 1 transactions on table 100123 with current xid 4523 : 4523
context: SQL statement "x"
Count rows in target table
\\d t
"""


@pytest.mark.parametrize("text", COMMANDS.strip().splitlines())
def test_commands_that_move_no_data(text: str) -> None:
    statement = read(text)
    assert isinstance(statement, Inert)
    assert statement.reason


@pytest.mark.parametrize(
    ("source", "linked"),
    [
        ("data catalog database 'd'", "a database of the data catalog"),
        ("postgres database 'd' schema 's' uri 'h'", "a schema of a PostgreSQL database"),
        ("mysql database 'd' uri 'h'", "a MySQL database"),
        ("kinesis iam_role 'r'", "Kinesis streams"),
        ("msk iam_role 'r' authentication none", "Kafka topics of Amazon MSK"),
        ("hive metastore database 'd' uri 'h'", "a database of a Hive metastore"),
        ("redshift database 'd' schema 's'", "a schema of another database of the warehouse"),
    ],
)
def test_an_external_schema_says_what_it_links(source: str, linked: str) -> None:
    text = f"create external schema if not exists x from {source}"
    expected = Inert(f"links a schema to {linked}; its tables are read where they are")
    assert read(text) == expected
