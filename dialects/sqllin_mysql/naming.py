"""What OpenLineage calls the tables of a server, and the files it reads and writes.

Source: https://openlineage.io/docs/spec/naming
"""

from __future__ import annotations

from urllib.parse import urlsplit

from sqllineage_svc.model.names import Dataset, DatasetName, Location, location_name

DEFAULT_PORT = 3306


def name_dataset(dataset: Dataset, instance: str) -> DatasetName:
    """The name of a dataset on a server; the server's URL also says which database unqualified names mean.

    orders  at mysql://Db.example/shop  ->  mysql://db.example:3306  shop.orders
    """
    if isinstance(dataset, Location):
        return location_name(dataset)
    url = urlsplit(instance)
    hosts = [_with_port(host) for host in url.netloc.rpartition("@")[2].lower().split(",") if host]
    namespace = f"mysql://{','.join(hosts)}" if hosts else instance
    database = dataset.schema or url.path.strip("/") or None
    return DatasetName(namespace, str(dataset._replace(catalog=None, schema=database)))


def canonical_name(name: DatasetName) -> DatasetName | None:
    """The name of a table as `name_dataset` spells it: the host in lower case, with its port.

    mysql://DB.example  shop.orders  ->  mysql://db.example:3306  shop.orders
    """
    if not name.namespace.lower().startswith("mysql://"):
        return None
    try:
        netloc = urlsplit(name.namespace).netloc.lower()
    except ValueError:  # a bracket that is never closed
        return None
    hosts = [_with_port(host) for host in netloc.split(",") if host]
    return DatasetName(f"mysql://{','.join(hosts)}", name.name) if hosts else None


def _with_port(host: str) -> str:
    if host == "local":  # stands for no real server
        return host
    named = host.rpartition("]")[2] if host.startswith("[") else host
    return host if ":" in named else f"{host}:{DEFAULT_PORT}"
