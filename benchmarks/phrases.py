"""The shop whose warehouse the corpus fills: its tables, and what people write over their columns.

A phrase has holes: `<n>` a number column, `<t>` text, `<d>` a time, `<i>` an id, `<k>` a number, `<w>` a
word, `<m>` a month. Each is filled anew, so a phrase is many expressions.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

KINDS = {"#": "i", "+": "n", "$": "t", "@": "d"}
TYPES = {"i": "bigint", "n": "decimal(12,2)", "t": "varchar(64)", "d": "timestamp"}

_TABLES = """
app.orders: order_id# customer_id# store_id# campaign_id# ordered_at@ shipped_at@ status$ channel$ currency$
    subtotal+ discount+ tax+ total+
app.order_lines: line_id# order_id# product_id# supplier_id# quantity+ unit_price+ unit_cost+ rebate+ size$
    color$ packed_at@
app.customers: customer_id# region_id# referrer_id# email$ first_name$ last_name$ segment$ country$
    signed_up_at@ last_seen_at@ credit_limit+ lifetime_value+
app.products: product_id# category_id# supplier_id# sku$ title$ brand$ list_price+ weight+ launched_at@
    retired_at@
app.stores: store_id# region_id# manager_id# store_name$ city$ format$ floor_area+ rent+ opened_at@
app.payments: payment_id# order_id# customer_id# method$ provider$ amount+ fee+ paid_at@ settled_at@
app.refunds: refund_id# order_id# line_id# reason$ refunded+ restocked+ refunded_at@
app.shipments: shipment_id# order_id# store_id# carrier$ service$ freight+ parcels+ dispatched_at@
    delivered_at@
app.visits: visit_id# customer_id# campaign_id# product_id# page$ device$ referrer$ seconds+ clicks+
    started_at@
app.campaigns: campaign_id# region_id# campaign_name$ medium$ budget+ spent+ starts_at@ ends_at@
app.inventory: inventory_id# store_id# product_id# on_hand+ reserved+ reorder_point+ counted_at@ bin$
app.employees: employee_id# store_id# manager_id# job_title$ grade$ salary+ bonus+ hired_at@ left_at@
app.suppliers: supplier_id# region_id# supplier_name$ rating$ lead_days+ minimum+ contracted_at@
app.regions: region_id# region_name$ country$ population+ target+ created_at@
"""

WORDS = (
    "web",
    "store",
    "paid",
    "open",
    "gold",
    "north",
    "cancelled",
    "express",
    "card",
    "EUR",
    "new",
    "mobile",
)

ITEMS: Mapping[str, tuple[str, ...]] = {
    "n": (
        "<n>",
        "<n>",
        "<n> - <n>",
        "<n> * <n>",
        "coalesce(<n>, 0)",
        "coalesce(<n>, <n>, 0) as net",
        "round(<n> / nullif(<n>, 0), 2) as ratio",
        "case when <t> = '<w>' then <n> else 0 end as part",
        "case\nwhen <t> in ('<w>', '<w>') then <n>\nwhen <n> > <k> then <n> * 0.9\nelse <n>\nend as rated",
        "sum(<n>) over (partition by <i> order by <d>) as running",
        "lag(<n>) over (partition by <i> order by <d>) as previous",
        "rank() over (partition by <t> order by <n> desc) as place",
    ),
    "t": (
        "<t>",
        "<t>",
        "upper(<t>)",
        "coalesce(<t>, '<w>')",
        "coalesce(<t>, <t>)",
        "trim(lower(<t>)) as clean",
        "case when <n> > <k> then 'high' when <n> > <k> then <t> else '<w>' end as band",
    ),
    "d": ("<d>", "<d>", "coalesce(<d>, <d>)", "greatest(<d>, <d>) as latest"),
    "i": ("<i>",),
}

AGGREGATES = (
    "sum(<n>) as sum",
    "sum(<n> - coalesce(<n>, 0)) as net",
    "avg(<n>) as average",
    "max(<d>) as last",
    "min(<d>) as first",
    "max(<n>) as top",
    "count(distinct <i>) as number",
    "sum(case when <t> = '<w>' then <n> else 0 end) as part",
    "sum(<n>) / nullif(count(*), 0) as mean",
)

PREDICATES = (
    "<t> in ('<w>', '<w>', '<w>')",
    "<t> <> '<w>'",
    "<n> > <k>",
    "<n> between 0 and <k>",
    "<d> >= '2024-<m>-01'",
    "<i> is not null",
    "(<t> = '<w>' or <n> < <k>)",
)


@dataclass(frozen=True, slots=True)
class Spelling:
    """What one warehouse writes its own way; `layout` ends the CREATE TABLE line, `{key}` a column."""

    items: Mapping[str, tuple[str, ...]]
    aggregates: tuple[str, ...]
    layout: str = ""
    qualify: bool = False


SPELLINGS = {
    "redshift": Spelling(
        items={
            "n": ("datediff(day, <d>, <d>) as days", "<n>::numeric(12, 2)", "nvl2(<t>, <n>, <n>) as chosen"),
            "t": ("<t> || '-' || <t> as label", "nvl(<t>, <t>)", "decode(<t>, '<w>', <t>, '<w>') as decoded"),
            "d": ("date_trunc('day', <d>) as day", "dateadd(day, 7, <d>) as week_on"),
        },
        aggregates=("listagg(distinct <t>, ',') within group (order by <t>) as list", "median(<n>) as mid"),
        layout=" distkey ({key}) sortkey ({key})",
        qualify=True,
    ),
    "mysql": Spelling(
        items={
            "n": (
                "timestampdiff(day, <d>, <d>) as days",
                "cast(<n> as decimal(12, 2))",
                "if(<t> = '<w>', <n>, <n>) as chosen",
            ),
            "t": ("concat(<t>, '-', <t>) as label", "ifnull(<t>, <t>)", "concat_ws(' ', <t>, <t>) as words"),
            "d": ("date(<d>) as day", "date_add(<d>, interval 7 day) as week_on"),
        },
        aggregates=("group_concat(distinct <t> order by <t> separator ',') as list", "std(<n>) as spread"),
    ),
}


def _tables() -> dict[str, dict[str, str]]:
    tables: dict[str, dict[str, str]] = {}
    name = ""
    for line in _TABLES.strip().splitlines():
        head, _, rest = line.rpartition(":")
        name = head or name
        tables.setdefault(name, {}).update({word[:-1]: KINDS[word[-1]] for word in rest.split()})
    return tables


TABLES: Mapping[str, Mapping[str, str]] = _tables()
"""table → column → kind (`i`, `n`, `t` or `d`)."""

SCHEMA: Mapping[str, Mapping[str, str]] = {
    table: {column: TYPES[kind] for column, kind in columns.items()} for table, columns in TABLES.items()
}
"""table → column → type: the schema that goes along with the corpus."""
