"""A session's edges end to end: from what was there before to what the tables hold when it is over.

Each relation's contents are followed as a value: which columns of which earlier relation are in which column,
and what decided its rows. A statement's flows are composed with the contents they read, so temporary tables,
views and tables that the script makes are seen through, emptied and renamed ones as they were at that moment.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from sqllineage_svc.engine.flows import (
    Altered,
    ColumnRenamed,
    Emptied,
    Flow,
    Gone,
    Made,
    Moved,
    Renamed,
    Step,
)
from sqllineage_svc.engine.layers import Layers
from sqllineage_svc.engine.origins import EXISTENCE, IDENTITY, NOTHING, Origins, add, transformations
from sqllineage_svc.model.lineage import ColumnEdge, RowEdge
from sqllineage_svc.model.names import (
    ALL_COLUMNS,
    RESULT,
    ROWS,
    ColumnRef,
    Location,
    Relation,
    Variable,
    permanent_key,
    temporary_key,
)


@dataclass(frozen=True, slots=True)
class Content:
    """What a relation holds.

    `base` is the relation whose rows from before the script are still in it, None if there are none;
    `base_columns` are its columns that have another name now (None: gone), `names` all, where known.
    `columns` and `rows` are what the script has brought. A view has a `definition` instead. A `bare` one was
    made or emptied but not filled: what is read from it was put there by somebody else, so it is its own
    source.
    """

    name: Relation | Location
    base: Relation | None = None
    base_columns: Mapping[str, str | None] = field(default_factory=dict)
    names: Sequence[str] | None = None
    columns: Mapping[str, Origins] = field(default_factory=dict)
    rows: Origins = field(default_factory=dict)
    temporary: bool = False
    definition: Flow | None = None
    exists: bool = True
    bare: bool = False


@dataclass(frozen=True, slots=True)
class Contents:
    """The contents of all relations that the script has touched, and of its variables. A value."""

    default_schemas: tuple[str, ...] = ()
    relations: Layers[Relation | Location, Content] = field(default_factory=Layers)
    variables: Layers[str, Origins] = field(default_factory=Layers)

    def after(self, steps: Sequence[Step]) -> Contents:
        """The contents after what a statement does."""
        contents = self
        for step in steps:
            contents = contents._after(step)
        return contents

    def next_session(self) -> Contents:
        """The contents that another session finds: no temporary tables, no variables."""
        relations = self.relations
        for key, held in self.relations.items():
            if held.temporary and held.exists:
                relations = relations.set(key, replace(held, exists=False))
        return Contents(self.default_schemas, relations)

    def _after(self, step: Step) -> Contents:
        match step:
            case Moved(flows):
                return self._moved(flows)
            case Made(relation, temporary, _, definition, _):
                base = relation if definition is None else None
                made = Content(
                    relation, base, temporary=temporary, definition=definition, bare=base is not None
                )
                return self._set(relation, made, temporary)
            case Gone(relation):
                return self._gone(relation)
            case Emptied(relation):
                held = self._get(relation)
                return self._set(relation, _bare(held), held.temporary)
            case Renamed(old, new, names):
                return self._renamed(old, new, names)
            case ColumnRenamed(relation, old_column, new_column):
                return self._column_renamed(relation, old_column, new_column)
            case Altered():
                return self

    def _key(self, relation: Relation | Location) -> Relation | Location:
        if isinstance(relation, Location):
            return relation
        if relation.schema is None:
            temporary = temporary_key(relation)
            held = self.relations.get(temporary)
            if held is not None and held.exists:
                return temporary
        return permanent_key(relation, self.default_schemas)

    def _get(self, relation: Relation | Location) -> Content:
        held = self.relations.get(self._key(relation))
        if held is not None and held.exists:
            return held
        return Content(relation, relation if isinstance(relation, Relation) else None)

    def _set(self, relation: Relation | Location, content: Content, temporary: bool = False) -> Contents:
        key = self._key(relation)
        if temporary and isinstance(relation, Relation):
            key = temporary_key(relation)
        elif not temporary and isinstance(relation, Relation) and content.exists:
            key = permanent_key(relation, self.default_schemas)
        return replace(self, relations=self.relations.set(key, content))

    def _moved(self, flows: Sequence[Flow]) -> Contents:
        memo: dict[ColumnRef, Origins] = {}
        composed = [
            (flow, {name: self._composed(origins, memo) for name, origins in flow.columns.items()},
             self._composed(flow.rows, memo))
            for flow in flows
        ]  # fmt: skip
        contents = self
        for flow, columns, rows in composed:
            contents = contents._received(flow, columns, rows)
        return contents

    def _received(self, flow: Flow, columns: Mapping[str, Origins], rows: Origins) -> Contents:
        target = flow.target
        if isinstance(target, Variable):
            value = next(iter(columns.values()), NOTHING)
            if not flow.overwrites:
                value = _union(self.variables.get(target.variable) or NOTHING, value)
            return replace(self, variables=self.variables.set(target.variable, value))
        if target == RESULT:
            return self
        held = self._get(target)
        if flow.overwrites and not columns:
            held = _bare(held)
        elif flow.overwrites:
            held = replace(held, base=None, base_columns={}, columns={}, rows={}, bare=False)
        elif held.bare:
            held = replace(held, base=None, base_columns={}, bare=False)
        merged = dict(held.columns)
        for name, origins in columns.items():
            merged[name] = _union(merged[name], origins) if name in merged else origins
        return self._set(target, replace(held, columns=merged, rows=_union(held.rows, rows)), held.temporary)

    def _composed(self, origins: Origins, memo: dict[ColumnRef, Origins]) -> Origins:
        """The origins as they are before the script."""
        self._look_up(origins, memo)
        result: Origins = {}
        for ref, ways in origins.items():
            add(result, memo[ref], ways)
        return result

    def _look_up(self, refs: Iterable[ColumnRef], memo: dict[ColumnRef, Origins]) -> None:
        """Note what these come from, and what the views on the way come from, however many there are.

        A view that reads itself reads a relation of its name that was there before.
        """
        waiting = [ref for ref in refs if ref not in memo]
        entered: set[ColumnRef] = set()
        while waiting:
            ref = waiting[-1]
            read = None if ref in memo else self._read_by_view(ref)
            inside = [inner for inner in read or () if inner.dataset != ref.dataset]
            missing = [inner for inner in inside if inner not in memo and inner not in entered]
            if missing and ref not in entered:
                entered.add(ref)
                waiting += missing
                continue
            waiting.pop()
            if ref in memo:
                continue
            if read is None:
                memo[ref] = self._held(ref)
                continue
            composed: Origins = {}
            for inner, ways in read.items():
                known = inner in memo and inner.dataset != ref.dataset
                add(composed, memo[inner] if known else _itself(inner), ways)
            memo[ref] = composed

    def _read_by_view(self, ref: ColumnRef) -> Origins | None:
        """What a view's query reads for a column, or for its rows; None for what is no view."""
        if isinstance(ref.dataset, Variable):
            return None
        held = self.relations.get(self._key(ref.dataset))
        if held is None or not held.exists or held.definition is None:
            return None
        view = held.definition
        return view.rows if ref.column == ROWS else _column(view.columns, ref.column)

    def _held(self, ref: ColumnRef) -> Origins:
        """What a column, or the rows, of a relation that is no view come from."""
        dataset = ref.dataset
        itself = _itself(ref)
        if isinstance(dataset, Variable):
            return self.variables.get(dataset.variable) or NOTHING
        held = self.relations.get(self._key(dataset))
        if held is None or not held.exists:
            return itself
        if isinstance(dataset, Location) and ref.column == ALL_COLUMNS:
            return itself  # which field of the file is which column is not known
        found = _column(held.columns, ref.column) if ref.column != ROWS else held.rows
        if held.base is None:
            return found
        base = (
            ref.column if ref.column in (ROWS, ALL_COLUMNS) else held.base_columns.get(ref.column, ref.column)
        )
        if base is None:
            return found
        return _union({ColumnRef(held.base, base): itself[ref]}, found)

    def _gone(self, relation: Relation) -> Contents:
        if relation.name == "":
            contents = self
            for key, held in self.relations.items():
                if isinstance(key, Relation) and key.schema == relation.schema and held.exists:
                    contents = contents._set(key, replace(held, exists=False))
            return contents
        held = self._get(relation)
        return self._set(relation, replace(held, exists=False), held.temporary)

    def _renamed(self, old: Relation, new: Relation, names: Sequence[str] | None) -> Contents:
        held = self._get(old)
        contents = self._set(old, replace(held, exists=False), held.temporary)
        return contents._set(new, replace(held, name=new, names=names or held.names), held.temporary)

    def _column_renamed(self, relation: Relation, old: str, new: str | None) -> Contents:
        held = self._get(relation)
        columns = dict(held.columns)
        moved = columns.pop(old, None)
        base_columns = dict(held.base_columns)
        base = base_columns.pop(old, old)
        if new is not None:
            base_columns[new] = base
            if moved is not None:
                columns[new] = moved
        base_columns[old] = None
        return self._set(
            relation,
            replace(held, columns=columns, base_columns=base_columns if held.base else {}),
            held.temporary,
        )

    def edges(self) -> tuple[tuple[ColumnEdge, ...], tuple[RowEdge, ...]]:
        """The edges from what was there before to the relations and files as they are named now."""
        columns: dict[ColumnEdge, None] = {}
        rows: dict[RowEdge, None] = {}
        memo: dict[ColumnRef, Origins] = {}
        for key, held in self.relations.items():
            if not held.exists or held.temporary or key == RESULT:
                continue
            for name, origins in self._final(held, memo):
                target = ColumnRef(held.name, name)
                for source, ways in origins.items():
                    if source.column != ROWS:
                        for kind, masking in transformations(ways):
                            columns[ColumnEdge(source, target, kind, masking)] = None
            row_origins = held.rows if held.definition is None else self._composed(held.definition.rows, memo)
            for source, ways in row_origins.items():
                if source.column != ROWS:
                    for kind, _ in transformations(ways):
                        rows[RowEdge(source, held.name, kind)] = None
        return tuple(columns), tuple(rows)

    def _final(self, held: Content, memo: dict[ColumnRef, Origins]) -> Iterator[tuple[str, Origins]]:
        if held.definition is not None:
            for name, origins in held.definition.columns.items():
                yield name, self._composed(origins, memo)
            return
        yield from held.columns.items()
        base = held.base
        if base is None or held.bare:
            return
        if base != held.name:
            for name in held.names or (ALL_COLUMNS,):
                before = held.base_columns.get(name, name)
                if before is not None:
                    yield name, {ColumnRef(base, before): IDENTITY}
            return
        for name, before in held.base_columns.items():
            if before is not None and before != name:
                yield name, {ColumnRef(base, before): IDENTITY}


def _bare(held: Content) -> Content:
    """A relation that the script has emptied."""
    base = held.name if isinstance(held.name, Relation) else None
    return Content(held.name, base, temporary=held.temporary, bare=True)


def _itself(ref: ColumnRef) -> Origins:
    return {ref: EXISTENCE if ref.column == ROWS else IDENTITY}


def _column(columns: Mapping[str, Origins], name: str) -> Origins:
    """The column of this name; for `*` all of them, for one not listed what is behind `*`."""
    found = columns.get(name)
    if found is not None:
        return found
    if name != ALL_COLUMNS:
        return columns.get(ALL_COLUMNS, NOTHING)
    everything: Origins = {}
    for origins in columns.values():
        add(everything, origins, IDENTITY)
    return everything


def _union(first: Origins, second: Origins) -> Origins:
    if not first:
        return second
    result = dict(first)
    for ref, ways in second.items():
        result[ref] = result.get(ref, 0) | ways
    return result
