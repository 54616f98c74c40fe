"""What a warehouse must tell us, and how an installed dialect is found."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.resources import files

from sqllineage_svc.errors import DialectConflict, UnknownDialect
from sqllineage_svc.model.names import Dataset, DatasetName
from sqllineage_svc.sql.identifiers import IdentifierRules
from sqllineage_svc.sql.reading import Reader
from sqllineage_svc.sql.redact import SecretRules
from sqllineage_svc.sql.split import Lexis

GROUP = "sqllin.dialects"


@dataclass(frozen=True, slots=True, eq=False)
class FunctionFacts:
    """What sqlglot does not know of a warehouse's functions; names in lower case.

    `masking` functions do not reveal their argument. `decided_by_first` return one of their later
    arguments, chosen by the first. `date_parts` take the name of a date part (and where: 0-based).
    `niladic` are called without parentheses, so they look like columns; `pseudo_columns` belong to no table.
    `column_names`: what an unnamed column is called whose function sqlglot knows by another name.
    """

    masking: frozenset[str] = frozenset()
    aggregates: frozenset[str] = frozenset()
    decided_by_first: frozenset[str] = frozenset()
    date_parts: Mapping[str, int] = field(default_factory=dict)
    niladic: frozenset[str] = frozenset()
    pseudo_columns: frozenset[str] = frozenset()
    column_names: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ScopeRules:
    """Where a warehouse sees the aliases of the select list, and how it names columns nobody named.

    `lateral_aliases`: a later select item, and WHERE, may use an alias where no column has that name.
    `prefers_aliases`: HAVING takes an alias before a column that GROUP BY does not name, and the
    ORDER BY of a window before any column.
    `navigates_values`: `a.b` may lead into a semi-structured column a.
    `unnamed_is_text`: an output column is named after its expression.
    `unnamed_column`: a column of VALUES, counted from `first_unnamed`.
    `common_columns_follow_right`: in a RIGHT JOIN … USING the right side's columns come first in `*`;
    `common_columns_in_table_order`: the common ones come as in that table, else as USING lists them.
    `conditionless_joins`: JOIN may stand without ON and USING.
    `assignments_in_order`: a column that is assigned or inserted may be read by the ones behind it; in an
    UPDATE of joined tables, or of one that it reads a second time, it then has its new value or its old one.
    """

    lateral_aliases: bool = False
    prefers_aliases: bool = False
    navigates_values: bool = False
    unnamed_is_text: bool = False
    unnamed_column: str = "column{position}"
    first_unnamed: int = 1
    common_columns_follow_right: bool = False
    common_columns_in_table_order: bool = False
    conditionless_joins: bool = False
    assignments_in_order: bool = False


@dataclass(frozen=True, slots=True)
class Dialect:
    """One warehouse: its facts, and the readers of what sqlglot cannot read.

    `readers` go by the statement's first two words, then by its first. `inert` says of statements, by the
    same words, why they move no data. `default_schemas` are searched for unqualified names.
    `commits_implicitly` are the types of statements that end a transaction, unless of a temporary table;
    `committing` the first words, one or two, of those that move no data and end one all the same.
    `local_instance` is the URL that stands for a server that nobody named. `canonical_name` gives the one
    spelling of a name that producers spell differently; None where it is of no such warehouse.
    """

    name: str
    sqlglot: str
    lexis: Lexis
    identifiers: IdentifierRules
    case_sensitive_identifiers: IdentifierRules
    default_schemas: tuple[str, ...]
    readers: Mapping[str, Reader]
    inert: Mapping[str, str]
    functions: FunctionFacts
    scoping: ScopeRules
    secrets: SecretRules
    databases_hold_schemas: bool
    commits_implicitly: tuple[type, ...]
    committing: frozenset[str]
    settings_survive_rollback: bool
    name_dataset: Callable[[Dataset, str], DatasetName]
    local_instance: str
    canonical_name: Callable[[DatasetName], DatasetName | None]
    system_schemas: frozenset[str] = frozenset()
    tableless: frozenset[str] = frozenset()


@cache
def load_dialect(name: str) -> Dialect:
    """The installed dialect of this name.

    Raises UnknownDialect, listing those installed, or DialectConflict when two distributions offer it.
    """
    found = [point for point in entry_points(group=GROUP) if point.name == name]
    if not found:
        installed = ", ".join(installed_dialects()) or "none; run: pip install -e ."
        raise UnknownDialect(f"no dialect {name!r} (installed: {installed})")
    if len({point.value for point in found}) > 1:
        owners = " and ".join(sorted(_distribution(point) for point in found))
        raise DialectConflict(f"dialect {name!r} is offered by {owners}; uninstall one of them")
    dialect = found[0].load()
    if not isinstance(dialect, Dialect):
        raise UnknownDialect(f"dialect {name!r} of {_distribution(found[0])} is no sqllin dialect")
    return dialect


def installed_dialects() -> tuple[str, ...]:
    """The names of the installed dialects, sorted."""
    return tuple(sorted({point.name for point in entry_points(group=GROUP)}))


@cache
def load_dialects() -> tuple[Dialect, ...]:
    """All installed dialects, in the order of their names. Raises DialectConflict as `load_dialect` does."""
    return tuple(load_dialect(name) for name in installed_dialects())


def load_function_facts(package: str) -> FunctionFacts:
    """The facts of `functions.toml` in a dialect's package."""
    facts = tomllib.loads(files(package).joinpath("functions.toml").read_text("utf-8"))
    return FunctionFacts(
        masking=frozenset(facts.get("masking", ())),
        aggregates=frozenset(facts.get("aggregates", ())),
        decided_by_first=frozenset(facts.get("decided_by_first", ())),
        date_parts=dict(facts.get("date_parts", {})),
        niladic=frozenset(facts.get("niladic", ())),
        pseudo_columns=frozenset(facts.get("pseudo_columns", ())),
        column_names=dict(facts.get("column_names", {})),
    )


def _distribution(point: EntryPoint) -> str:
    return point.dist.name if point.dist else point.value
