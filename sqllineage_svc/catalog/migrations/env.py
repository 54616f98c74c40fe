"""Alembic's entry: it is always given the connection to use."""

from alembic import context

from sqllineage_svc.catalog.indexing import is_index
from sqllineage_svc.catalog.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    include_name=lambda name, type_, _: type_ != "table" or name is None or not is_index(name),
)
context.run_migrations()
