"""`sqllin analyze` as a user meets it: formats, exit codes, errors."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import jsonschema
import pytest
from click.testing import CliRunner, Result

from sqllineage_svc import render
from sqllineage_svc.cli import main

SAMPLES = Path(__file__).parent.parent / "sample_queries"
SCRIPT = """create temp table paid as select order_id, amount * 2 as twice from app.orders where status = 'paid';
insert into mart.sales (id, total) select order_id, twice from paid;
"""


def analyze(*arguments: str | Path, text: str | None = None, dialect: str = "redshift") -> Result:
    """Run `sqllin analyze`."""
    return CliRunner().invoke(main, ["analyze", "--dialect", dialect, *map(str, arguments)], input=text)


def document(*arguments: str | Path, text: str | None = None, dialect: str = "redshift") -> dict[str, object]:
    """The JSON document of a run, which must be valid by its schema."""
    result = analyze("--format", "json", *arguments, text=text, dialect=dialect)
    parsed: dict[str, object] = json.loads(result.stdout)
    schema = json.loads((Path(render.__file__).parent / "analyze.schema.json").read_text("utf-8"))
    jsonschema.Draft202012Validator(schema).validate(parsed)
    return parsed


def test_json_is_the_contract() -> None:
    parsed = document("-", text=SCRIPT)
    assert parsed["end_to_end"] == {
        "edges": [
            {
                "source": ["app.orders", "order_id"], "target": ["mart.sales", "id"], "type": "DIRECT",
                "subtype": "IDENTITY", "expression": None, "masking": False,
            },
            {
                "source": ["app.orders", "amount"], "target": ["mart.sales", "total"], "type": "DIRECT",
                "subtype": "TRANSFORMATION", "expression": None, "masking": False,
            },
        ],
        "row_edges": [
            {"source": ["app.orders", "status"], "target": "mart.sales", "type": "INDIRECT", "subtype": "FILTER"}
        ],
    }  # fmt: skip
    first, second = parsed["statements"]  # type: ignore[misc]
    assert (first["kind"], first["inputs"], first["outputs"]) == ("create_table_as", ["app.orders"], ["paid"])  # type: ignore[index]
    assert second["line"] == 2  # type: ignore[index]


@pytest.mark.parametrize("dialect", ["redshift", "mysql"])
def test_every_sample_is_understood(dialect: str) -> None:
    parsed = document(*sorted((SAMPLES / dialect).glob("*.sql")), dialect=dialect)
    assert parsed["summary"]["unreadable"] == 0  # type: ignore[index]
    assert parsed["summary"]["issues"] == 0  # type: ignore[index]


def test_every_column_of_the_joined_table_has_its_source_files_included() -> None:
    parsed = document(SAMPLES / "redshift" / "hr_attendance.sql")
    edges = parsed["end_to_end"]["edges"]  # type: ignore[index]
    sources = {
        edge["target"][1]: edge["source"][0]
        for edge in edges
        if edge["target"][0] == "hr.employee_with_absence" and edge["type"] == "DIRECT"
    }
    employees, attendance = (
        "s3://acme-hr-landing/csv/employees.csv",
        "s3://acme-hr-landing/csv/attendance.csv",
    )
    of_employee = ("employee_id", "first_name", "last_name", "department", "salary", "hired_on")
    expected = dict.fromkeys(of_employee, employees) | dict.fromkeys(
        ("absent_on", "reason", "sick_hours"), attendance
    )
    assert sources == expected


def test_exit_codes(tmp_path: Path) -> None:
    bad = tmp_path / "bad.sql"
    bad.write_text(
        "insert into a (x) select x from b;\nselect x frm b where;\ninsert into c (x) select x from a;\n"
    )
    result = analyze(bad)
    assert result.exit_code == 3
    assert "UnreadableStatement" in result.output
    assert "bad.sql:2:" in result.output
    assert "c" in result.output
    assert analyze("-", text="select * from unknown").exit_code == 0
    assert analyze("--strict", "-", text="select * from unknown").exit_code == 3
    assert analyze(tmp_path / "missing.sql").exit_code == 2
    assert analyze(bad, dialect="oracle").exit_code == 2
    assert "installed: mysql, redshift" in analyze(bad, dialect="oracle").output


def test_glob_takes_files_in_order(tmp_path: Path) -> None:
    (tmp_path / "2.sql").write_text("create table c as select * from b;")
    (tmp_path / "1.sql").write_text("create table b as select x from a;")
    parsed = document(str(tmp_path / "*.sql"))
    assert [Path(statement["file"]).name for statement in parsed["statements"]] == ["1.sql", "2.sql"]  # type: ignore[attr-defined]
    assert [edge["source"] for edge in parsed["end_to_end"]["edges"]] == [["a", "x"], ["a", "x"]]  # type: ignore[index]
    assert analyze(str(tmp_path / "*.nothing")).exit_code == 2


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("s.json", '{"app.t": {"a": "int", "b": "text"}}'),
        ("s.json", '{"app": {"t": {"a": "int", "b": null}}}'),
        ("s.yaml", "app:\n  t:\n    a: int\n    b: text\n"),
        ("s.yml", "app.t: [a, b]\n"),
        ("s.sql", "create table app.t (a int primary key, b varchar(10));"),
    ],
    ids=["json", "json by schema", "yaml", "yaml list", "ddl"],
)
def test_schema_files(tmp_path: Path, name: str, content: str) -> None:
    (tmp_path / name).write_text(content)
    parsed = document("--schema", tmp_path / name, "-", text="create table x as select * from app.t")
    assert [edge["target"][1] for edge in parsed["end_to_end"]["edges"]] == ["a", "b"]  # type: ignore[index]


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("s.json", '{"t": ', "s.json"),
        ("s.json", '{"t": 3}', "'t'"),
        ("s.yaml", "t: [a", "line"),
        ("s.sql", "create table t (a int);\ncreate tabel u (b int);", "line 2"),
    ],
    ids=["cut json", "no columns", "cut yaml", "bad ddl"],
)
def test_a_bad_schema_file_is_named_with_its_place(
    tmp_path: Path, name: str, content: str, said: str
) -> None:
    (tmp_path / name).write_text(content)
    result = analyze("--schema", tmp_path / name, "-", text="select 1")
    assert result.exit_code == 2
    assert said in result.output


def test_csv_has_an_edge_a_line() -> None:
    rows = list(
        csv.DictReader(io.StringIO(analyze("--format", "csv", "--end-to-end", "-", text=SCRIPT).stdout))
    )
    assert [(row["source"], row["source_column"], row["target"], row["target_column"]) for row in rows] == [
        ("app.orders", "order_id", "mart.sales", "id"),
        ("app.orders", "amount", "mart.sales", "total"),
        ("app.orders", "status", "mart.sales", ""),
    ]


def test_column_shows_both_ways_and_nothing_else() -> None:
    text = SCRIPT + "create table other as select y from z;"
    parsed = document("--column", "paid.twice", "-", text=text)
    shown = {
        (*edge["source"], *edge["target"])
        for statement in parsed["statements"]
        for edge in statement["edges"]
    }  # type: ignore[attr-defined]
    assert shown == {("app.orders", "amount", "paid", "twice"), ("paid", "twice", "mart.sales", "total")}
    assert analyze("--column", "no.such", "-", text=text).exit_code == 2


def test_no_indirect_leaves_the_direct_edges() -> None:
    parsed = document("--no-indirect", "-", text=SCRIPT)
    statements = parsed["statements"]
    assert all(not statement["row_edges"] for statement in statements)  # type: ignore[attr-defined]
    assert sum(len(statement["edges"]) for statement in statements) == 4  # type: ignore[misc,attr-defined]


@pytest.mark.parametrize("format_", ["mermaid", "dot"])
def test_graphs_hold_each_column_once(format_: str) -> None:
    drawn = analyze("--format", format_, "--end-to-end", "-", text=SCRIPT).stdout
    assert drawn.startswith("flowchart" if format_ == "mermaid" else "digraph")
    assert drawn.count("order_id") == 1
    assert drawn.count("mart.sales") == 1


def test_instance_gives_full_names() -> None:
    parsed = document(
        "--instance",
        "redshift://wh.eu-west-1:5439/dev?schema=public",
        "-",
        text="insert into a (x) select x from s.b",
    )
    (edge,) = parsed["end_to_end"]["edges"]  # type: ignore[index]
    assert (edge["source"], edge["target"]) == (["dev.s.b", "x"], ["dev.public.a", "x"])


def test_the_table_names_what_was_skipped() -> None:
    output = analyze("-", text="vacuum t;\n" + SCRIPT).output
    assert "skipped line 1: " in output
    assert "3 of 3 statements understood, 1 of them skipped" in output


def test_latin1_is_read_with_a_word_about_it(tmp_path: Path) -> None:
    (tmp_path / "old.sql").write_bytes("insert into a (x) select 'é', x from b".encode("latin-1"))
    result = analyze(tmp_path / "old.sql")
    assert "Latin-1" in result.output
