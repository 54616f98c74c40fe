"""An expression to its origins: which columns feed its value, and which only decide it.

One walk with a stack of its own, so that a chain of 100,000 terms is as safe as one term. A node's class is
looked at once and remembered: most pass on how they act (`way`) to their children, a few give it to some
children and "decides" to others.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cache

from sqlglot import exp

from sqllineage_svc.dialect import FunctionFacts
from sqllineage_svc.engine.origins import (
    AGGREGATION,
    CONDITIONAL,
    IDENTITY,
    INDIRECT,
    MASKED,
    MASKED_AGGREGATION,
    NOTHING,
    SORT,
    TRANSFORMATION,
    WINDOW,
    Origins,
    add,
    through,
)
from sqllineage_svc.engine.scope import Scope
from sqllineage_svc.model.names import VALUE, ColumnRef, Variable

Child = tuple[exp.Expr, int]
Children = Sequence[Child]
Special = Callable[[exp.Expr, int, Scope, Origins], Children]
"""Gives the children of a node, in the order of the text, with how each acts."""

_AGGREGATES = 1
_MASKS = 2
_LISTS = 4
_LEAVES = (
    exp.Literal, exp.Identifier, exp.Var, exp.DataType, exp.Star, exp.Null, exp.Boolean, exp.Placeholder,
    exp.SessionParameter, exp.JSONPath, exp.Introducer, exp.National, exp.RawString, exp.HexString, exp.BitString,
    exp.WindowSpec, exp.TimeUnit, exp.CurrentTimestamp, exp.CurrentDate, exp.CurrentUser,
)  # fmt: skip


def origins_of(node: exp.Expr, scope: Scope) -> Origins:
    """The origins of an expression's value; those of a bare column are passed on as they are."""
    while type(node) is exp.Paren or type(node) is exp.Alias:
        node = node.args["this"]
    if type(node) is exp.Column:
        return scope.column(node)
    if type(node) is exp.Literal:
        return NOTHING
    found: Origins = {}
    gather(node, IDENTITY, scope, found)
    return found


def decide(node: exp.Expr, way: int, scope: Scope) -> None:
    """Let everything in this expression decide, in this way, which rows the scope has."""
    gather(node, way, scope, scope.rows.own)


def gather(root: exp.Expr, way: int, scope: Scope, found: Origins) -> None:
    """Add to `found` every column under `root`, acting by `way`."""
    stack: list[Child] = [(root, way)]
    push = stack.append
    pop = stack.pop
    column = scope.column
    get = _classes(scope.context.session.dialect.functions).get
    if get(type(root), 0) is None:
        return
    while stack:
        node, way = pop()
        kind = type(node)
        if kind is exp.Column:
            for ref, inner in column(node).items():
                found[ref] = found.get(ref, 0) | (way if inner == IDENTITY else through(inner, way))
            continue
        behaviour = get(kind, 0)
        if behaviour:
            if not isinstance(behaviour, int):
                stack.extend(reversed(behaviour(node, way, scope, found)))
                continue
            way = _stronger(way, behaviour)
        elif way == IDENTITY and kind is not exp.Paren:
            way = TRANSFORMATION
        for value in reversed(node.args.values()):
            behaviour = get(type(value), 0)
            if behaviour is None:
                continue
            if behaviour == _LISTS:
                for item in reversed(value):
                    if get(type(item), 0) is not None:
                        push((item, way))
            else:
                push((value, way))


def _stronger(way: int, behaviour: int) -> int:
    if way & INDIRECT:
        return way
    hidden = behaviour & _MASKS or way & (MASKED | MASKED_AGGREGATION)
    if behaviour & _AGGREGATES or way & (AGGREGATION | MASKED_AGGREGATION):
        return MASKED_AGGREGATION if hidden else AGGREGATION
    return MASKED if hidden else TRANSFORMATION


def _transformed(way: int) -> int:
    """How a child acts whose value is changed on the way up."""
    return TRANSFORMATION if way == IDENTITY else way


def _deciding(way: int, kind: int) -> int:
    """How a child acts that decides a value: by `kind`, or as the whole expression does if that decides."""
    return way if way & INDIRECT else kind


@cache
def _classes(facts: FunctionFacts) -> dict[type, int | Special | None]:
    """What each class of node does with its children; a class that is not listed passes its way on.

    None: it holds no column, as no text and no flag does. A number: it aggregates, masks or is a list.
    """
    classes: dict[type, int | Special | None] = dict.fromkeys((*_LEAVES, str, bool, int, dict, type(None)))
    classes[list] = _LISTS
    classes.update(_SPECIAL)
    for kind in _all_classes(exp.AggFunc):
        classes.setdefault(kind, _AGGREGATES)
    for name in facts.masking:
        typed = exp.FUNCTION_BY_NAME.get(name.upper())
        if typed is not None and typed not in _SPECIAL:
            classes[typed] = _MASKS | (_AGGREGATES if issubclass(typed, exp.AggFunc) else 0)
    classes[exp.Anonymous] = _anonymous(facts)
    for kind in _all_classes(exp.Query):
        classes[kind] = _query
    return classes


def _all_classes(root: type[exp.Expr]) -> list[type[exp.Expr]]:
    found: list[type[exp.Expr]] = []
    waiting = [root]
    while waiting:
        kind = waiting.pop()
        found.append(kind)
        waiting.extend(kind.__subclasses__())
    return found


def _anonymous(facts: FunctionFacts) -> Special:
    def anonymous(node: exp.Expr, way: int, scope: Scope, found: Origins) -> Children:
        name = node.name.lower()
        arguments = node.expressions
        if name == "values" and scope.inserted is not None and arguments:
            add(found, scope.inserted.get(arguments[0].name.lower(), NOTHING), way)
            return ()
        behaviour = (_AGGREGATES if name in facts.aggregates else 0) | (
            _MASKS if name in facts.masking else 0
        )
        inner = _stronger(way, behaviour) if behaviour else _transformed(way)
        first = _deciding(way, CONDITIONAL) if name in facts.decided_by_first else inner
        date_part = facts.date_parts.get(name, -1)
        return [
            (argument, inner if at else first) for at, argument in enumerate(arguments) if at != date_part
        ]

    return anonymous


def _case(node: exp.Expr, way: int, scope: Scope, found: Origins) -> Children:
    value, decides = _transformed(way), _deciding(way, CONDITIONAL)
    children: list[Child] = []
    if operand := node.args.get("this"):
        children.append((operand, decides))
    for branch in node.args.get("ifs") or ():
        children.append((branch.args["this"], decides))
        if result := branch.args.get("true"):
            children.append((result, value))
    if default := node.args.get("default"):
        children.append((default, value))
    return children


def _if(node: exp.Expr, way: int, scope: Scope, found: Origins) -> Children:
    value = _transformed(way)
    results = [(node.args[key], value) for key in ("true", "false") if node.args.get(key)]
    return [(node.args["this"], _deciding(way, CONDITIONAL)), *results]


def _nullif(node: exp.Expr, way: int, scope: Scope, found: Origins) -> Children:
    return [(node.args["this"], _transformed(way)), (node.args["expression"], _deciding(way, CONDITIONAL))]


def _decode(node: exp.Expr, way: int, scope: Scope, found: Origins) -> Children:
    """DECODE(value, search, result, …, default)."""
    value, decides = _transformed(way), _deciding(way, CONDITIONAL)
    last = len(node.expressions) - 1
    return [
        (argument, value if at and (at % 2 == 0 or at == last) else decides)
        for at, argument in enumerate(node.expressions)
    ]


def _elt(node: exp.Expr, way: int, scope: Scope, found: Origins) -> Children:
    value = _transformed(way)
    return [(node.args["this"], _deciding(way, CONDITIONAL)), *((item, value) for item in node.expressions)]


def _filter(node: exp.Expr, way: int, scope: Scope, found: Origins) -> Children:
    return [(node.args["this"], way), (node.args["expression"], _deciding(way, CONDITIONAL))]


def _window(node: exp.Expr, way: int, scope: Scope, found: Origins) -> Children:
    decides = _deciding(way, WINDOW)
    children: list[Child] = []
    function = node.args.get("this")
    if function is not None and type(function) is not exp.Identifier:
        children.append((function, _transformed(way)))
    named = node.args.get("alias")
    if named is not None and (window := scope.windows.get(named.name.lower())) is not None:
        children.append((window, decides))
    partition, order = node.args.get("partition_by") or (), node.args.get("order")
    if scope.context.session.dialect.scoping.prefers_aliases:
        ordered = [item.args["this"] for item in order.expressions] if order is not None else []
        return [*children, *((item, decides) for item in _window_items(partition, ordered, scope))]
    children += [(item, decides) for item in partition]
    if order is not None:
        children.append((order, decides))
    return children


def _window_items(
    partition: Sequence[exp.Expr], ordered: Sequence[exp.Expr], scope: Scope
) -> Iterator[exp.Expr]:
    """What a window is made of where a bare name in its ORDER BY is an alias first.

    In PARTITION BY servers of one family differ, so both are taken.
    """
    for at, item in enumerate((*partition, *ordered)):
        selected = scope.aliased(item)
        if selected is None or _has_window(selected):
            yield item
            continue
        yield selected.args["this"]
        if at < len(partition) and scope.has(item):
            yield item


def _has_window(node: exp.Expr) -> bool:
    """Is there a window in the expression itself, not in a query inside it?"""
    return any(type(part) is exp.Window for part in node.walk(prune=lambda part: isinstance(part, exp.Query)))


def _within_group(node: exp.Expr, way: int, scope: Scope, found: Origins) -> Children:
    """LISTAGG is only ordered by its WITHIN GROUP; a percentile takes its value from there."""
    function, order = node.args["this"], node.args["expression"]
    if isinstance(function, exp.GroupConcat):
        return [(function, way), (order, _deciding(way, SORT))]
    aggregated = _stronger(way, _AGGREGATES)
    return [(function, way), *((item, aggregated) for item in order.expressions)]


def _order(node: exp.Expr, way: int, scope: Scope, found: Origins) -> Children:
    """An ORDER BY inside an aggregate: around its argument (`this`), or alone in a window."""
    decides = _deciding(way, SORT)
    ordered = [(item, decides) for item in node.expressions]
    argument = node.args.get("this")
    return [(argument, way), *ordered] if argument else ordered


def _dot(node: exp.Expr, way: int, scope: Scope, found: Origins) -> Children:
    inner = _transformed(way)
    called = node.args.get("expression")
    return [(node.args["this"], inner), *([(called, inner)] if isinstance(called, exp.Func) else [])]


def _first_only(node: exp.Expr, way: int, scope: Scope, found: Origins) -> Children:
    inner = node.args.get("this")
    return [(inner, _transformed(way))] if isinstance(inner, exp.Expr) else ()


def _query(node: exp.Expr, way: int, scope: Scope, found: Origins) -> Children:
    """A query inside an expression: its columns are the value, what decides its rows decides the value."""
    output = scope.context.resolve(scope.context, node, scope, scope.ctes)
    inner = way if len(output.columns) == 1 else _transformed(way)
    for column in output.columns:
        add(found, column.origins, inner)
    add(found, output.rows.flat(), inner)
    return ()


def _exists(node: exp.Expr, way: int, scope: Scope, found: Origins) -> Children:
    """EXISTS asks only whether there are rows."""
    output = scope.context.resolve(scope.context, node.args["this"], scope, scope.ctes)
    add(found, output.rows.flat(), _deciding(way, CONDITIONAL))
    return ()


def _assignment(node: exp.Expr, way: int, scope: Scope, found: Origins) -> Children:
    """`@v := value` is the value, and keeps it for the rest of the statement and the session."""
    variable, value = node.args["this"], node.args["expression"]
    if not isinstance(variable, exp.Parameter):
        return [(variable, way), (value, way)]
    kept: Origins = {}
    gather(value, IDENTITY, scope, kept)
    name = variable_name(variable)
    scope.assigned[name] = None
    add(scope.context.assigned.setdefault(name, {}), kept, IDENTITY)
    add(found, kept, _transformed(way))
    return ()


def _variable(node: exp.Expr, way: int, scope: Scope, found: Origins) -> Children:
    """A variable stands for what it holds, which may come from the row before; `trace` puts that in."""
    scope.context.uses_variables = True
    ref = ColumnRef(Variable(variable_name(node)), VALUE)
    found[ref] = found.get(ref, 0) | way
    return ()


def variable_name(node: exp.Expr) -> str:
    """The name of a variable: `@x` for a user variable, whose case does not matter."""
    return "@" + node.name.lower()


_SPECIAL: dict[type, Special] = {
    exp.Case: _case,
    exp.If: _if,
    exp.Nvl2: _if,
    exp.Nullif: _nullif,
    exp.DecodeCase: _decode,
    exp.Elt: _elt,
    exp.Filter: _filter,
    exp.Window: _window,
    exp.WithinGroup: _within_group,
    exp.Order: _order,
    exp.Dot: _dot,
    exp.Cast: _first_only,
    exp.TryCast: _first_only,
    exp.Interval: _first_only,
    exp.Collate: _first_only,
    exp.Exists: _exists,
    exp.PropertyEQ: _assignment,
    exp.Parameter: _variable,
}
