"""Alembic's entry: it is always given the connection to use."""

from alembic import context

from sqllineage_svc.catalog.tables import metadata

context.configure(connection=context.config.attributes["connection"], target_metadata=metadata)
context.run_migrations()
