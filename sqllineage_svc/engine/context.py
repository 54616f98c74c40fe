"""What the resolving of one statement shares: the session, what was read, what could not be known."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sqlglot import exp

from sqllineage_svc.engine.origins import Origins
from sqllineage_svc.engine.session import Session
from sqllineage_svc.engine.sources import Output
from sqllineage_svc.model.lineage import Issue
from sqllineage_svc.model.names import Dataset, Relation
from sqllineage_svc.model.schema import TableSchema

Resolve = Callable[["Context", exp.Expr, object, Mapping[str, Output]], Output]


class Context:
    """Held open while one statement is resolved.

    `inputs` are the datasets it reads, in order, with how often. `assigned` are the variables it sets, with the origins of
    their values so far. `resolve` resolves a query inside an expression (`queries.resolve`).
    """

    __slots__ = ("_columns", "_schemas", "assigned", "inputs", "issues", "resolve", "session")

    def __init__(self, session: Session, resolve: Resolve) -> None:
        self.session = session
        self.resolve = resolve
        self.issues: list[Issue] = []
        self.inputs: dict[Dataset, int] = {}
        self.assigned: dict[str, Origins] = {}
        self._columns: dict[str, str] = {}
        self._schemas: dict[Relation, TableSchema | None] = {}

    def column_name(self, identifier: exp.Expr) -> str:
        """The folded name that an identifier stands for."""
        text = identifier.args["this"]
        if not isinstance(text, str):
            return identifier.name
        folded = self._columns.get(text)
        if folded is None or identifier.args.get("quoted"):
            rules = self.session.identifiers
            folded = rules.fold_column(text, bool(identifier.args.get("quoted")))
            if not identifier.args.get("quoted"):
                self._columns[text] = folded
        return folded

    def relation_name(self, identifier: exp.Expr) -> str:
        """The folded part of a relation's name, or an alias, that an identifier stands for."""
        return self.session.identifiers.fold_relation(identifier.name, bool(identifier.args.get("quoted")))

    def schema(self, relation: Relation) -> TableSchema | None:
        """The columns of a relation, looked up once a statement."""
        if relation not in self._schemas:
            self._schemas[relation] = self.session.find(relation)
        return self._schemas[relation]

    def reads(self, dataset: Dataset) -> None:
        """Note that a dataset is read once more."""
        self.inputs[dataset] = self.inputs.get(dataset, 0) + 1

    def issue(self, code: str, message: str, node: exp.Expr | None = None) -> None:
        """Note what could not be known, at the place of a node."""
        line, column = place(node)
        issue = Issue(code, message, line, column)
        if issue not in self.issues:
            self.issues.append(issue)


def place(node: exp.Expr | None) -> tuple[int, int]:
    """The 1-based place of a node's first identifier in the statement's text; (0, 0) if it has none."""
    if node is None:
        return 0, 0
    for part in (node, *node.find_all(exp.Identifier)):
        line, column = part.meta.get("line"), part.meta.get("col")
        if line:
            start, end = part.meta.get("start", 0), part.meta.get("end", 0)
            return line, max(1, (column or 1) - (end - start))
    return 0, 0
