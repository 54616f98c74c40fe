"""What the resolving of one statement shares: the session, what was read, what could not be known."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from sqlglot import exp

from sqllineage_svc.engine.origins import Origins
from sqllineage_svc.engine.session import Session
from sqllineage_svc.engine.sources import Output
from sqllineage_svc.model.lineage import Issue
from sqllineage_svc.model.names import Dataset

Resolve = Callable[["Context", exp.Expr, object, Mapping[str, Output]], Output]


class Context:
    """Held open while one statement is resolved.

    `inputs` are the datasets it reads, in order, with how often. `assigned` are the variables it sets,
    with the origins of their values so far. `resolve` resolves a query inside an expression (`queries.resolve`).
    `fold_column` and `fold_relation` fold a name without quotes, and any where not `quotes_matter`.
    """

    __slots__ = (
        "_fold_quoted_column", "_fold_quoted_relation", "_made", "assigned", "fold_column", "fold_relation",
        "inputs", "issues", "quotes_matter", "resolve", "session", "uses_variables",
    )  # fmt: skip

    def __init__(self, session: Session, resolve: Resolve) -> None:
        self.session = session
        self.resolve = resolve
        self.issues: dict[Issue, None] = {}
        self.inputs: dict[Dataset, int] = {}
        self.assigned: dict[str, Origins] = {}
        self.uses_variables = False
        self._made: dict[int, tuple[Origins, exp.Expr]] = {}
        rules = session.identifiers
        self.quotes_matter = rules.quotes_matter
        self.fold_column = rules.column.function
        self._fold_quoted_column = rules.quoted_column.function
        self.fold_relation = rules.relation.function
        self._fold_quoted_relation = rules.quoted_relation.function

    def column_name(self, identifier: exp.Expr) -> str:
        """The folded name that an identifier stands for."""
        args = identifier.args
        written = args.get("this")
        if not isinstance(written, str):
            return ""
        return self._fold_quoted_column(written) if args.get("quoted") else self.fold_column(written)

    def relation_name(self, identifier: exp.Expr) -> str:
        """The folded part of a relation's name, or an alias, that an identifier stands for."""
        args = identifier.args
        written = args.get("this")
        if not isinstance(written, str):
            return ""
        return self._fold_quoted_relation(written) if args.get("quoted") else self.fold_relation(written)

    def made_by(self, node: exp.Expr, origins: Origins) -> exp.Expr:
        """The expression that makes a value: for a bare column of an inner query, the one in there.

        A bare column hands on the origins that it has from the inner query, the same object.
        """
        if type(node) is exp.Column:
            made = self._made.get(id(origins))
            return node if made is None else made[1]
        self._made[id(origins)] = (origins, node)
        return node

    def reads(self, dataset: Dataset) -> None:
        """Note that a dataset is read once more."""
        self.inputs[dataset] = self.inputs.get(dataset, 0) + 1

    def issue(self, code: str, message: str, node: exp.Expr | None = None) -> None:
        """Note what could not be known, at the place of a node."""
        line, column = place(node)
        self.issues[Issue(code, message, line, column)] = None


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
