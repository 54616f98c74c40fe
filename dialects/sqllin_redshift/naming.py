"""What OpenLineage calls a dataset of this warehouse.

Source: https://openlineage.io/docs/spec/naming
"""

from __future__ import annotations

import re
from urllib.parse import parse_qs, urlsplit

from sqllineage_svc.errors import UsageError
from sqllineage_svc.model.names import Dataset, DatasetName, Location, location_name

_PORT = 5439
_AMAZON = (".amazonaws.com", ".amazonaws.com.cn")


def name_dataset(dataset: Dataset, instance: str) -> DatasetName:
    """The dataset's namespace and name; what the statement did not say comes from the instance's URL.

        app.orders, redshift://sales.eu-west-1:5439/dev  ->  redshift://sales.eu-west-1:5439  dev.app.orders

    The host may also be the whole endpoint. Raises UsageError where the URL names no host.
    """
    if isinstance(dataset, Location):
        return location_name(dataset)
    url = urlsplit(instance)
    if url.scheme != "redshift" or not url.hostname:
        raise UsageError(
            f"{instance!r} is no instance; expected redshift://cluster.region:5439/database?schema=public"
        )
    local = url.netloc == "local"  # stands for no real server
    namespace = "redshift://local" if local else f"redshift://{_short(url.hostname)}:{url.port or _PORT}"
    schemas = parse_qs(url.query).get("schema", ["public"])
    parts = (dataset.catalog or url.path.strip("/"), dataset.schema or schemas[0], dataset.name)
    return DatasetName(namespace, ".".join(part for part in parts if part))


def canonical_name(name: DatasetName) -> DatasetName | None:
    """The name of a table as `name_dataset` spells it.

    Spark and dbt give the whole endpoint, a JDBC URL with IAM leaves the database in the namespace; identifiers
    fold to lower case, but for quoted ones.

        redshift://wg.123456789012.us-west-2.redshift-serverless.amazonaws.com:5439  dev.public.T
            ->  redshift://wg.us-west-2:5439  dev.public.t
        redshift:iam://wg:us-west-2/dev  public.t  ->  redshift://wg.us-west-2:5439  dev.public.t

    Sources: https://openlineage.io/docs/spec/naming,
    https://docs.aws.amazon.com/redshift/latest/mgmt/jdbc20-obtain-url.html
    """
    table = name.name if '"' in name.name else name.name.lower()
    iam = _IAM.fullmatch(name.namespace)
    if iam is not None:
        cluster, region, database = iam.groups()
        return DatasetName(f"redshift://{cluster}.{region}:{_PORT}".lower(), f"{database}.{table}")
    try:
        url = urlsplit(name.namespace)
        host, port = url.hostname, url.port
    except ValueError:  # a port that is no number, a bracket that is never closed
        return None
    if url.scheme != "redshift" or not host:
        return None
    place = "local" if url.netloc == "local" else f"{_short(host)}:{port or _PORT}"
    return DatasetName(f"redshift://{place}", table)


_IAM = re.compile(r"redshift:iam://([^:/]+):([^:/]+)/([^/?]+)")


def _short(host: str) -> str:
    """cluster.region of an endpoint; any other host as it is.

    sales.abc123.eu-west-1.redshift.amazonaws.com                     ->  sales.eu-west-1
    wg.123456789012.eu-west-1.redshift-serverless.amazonaws.com       ->  wg.eu-west-1
    """
    labels = host.split(".")
    return f"{labels[0]}.{labels[2]}" if host.endswith(_AMAZON) and len(labels) >= 6 else host
