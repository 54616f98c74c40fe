"""Names of one table, and indexes that hold all that a walk asks of an edge"""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None


def upgrade() -> None:
    _add_names()
    op.drop_index("ix_edge_source_id", table_name="edge")
    op.drop_index("ix_edge_target_id", table_name="edge")
    if op.get_bind().dialect.name == "sqlite":
        _without_rowid()
    for end in ("source", "target"):
        columns = [f"{end}_id", "source_dataset_id", "target_dataset_id", "expression_id"]
        op.create_index(f"ix_edge_{end}", "edge", columns, unique=False)


def _id(name: str) -> sa.Column[int]:
    return sa.Column(name, sa.BigInteger(), autoincrement=False, nullable=False)


def _add_names() -> None:
    op.create_table(
        "symlink",
        *map(_id, ("payload_id", "dataset_id", "other_id")),
        sa.PrimaryKeyConstraint("payload_id", "dataset_id", "other_id", name=op.f("pk_symlink")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_symlink_dataset_id"), "symlink", ["dataset_id"], unique=False)
    op.create_index(op.f("ix_symlink_other_id"), "symlink", ["other_id"], unique=False)
    op.create_table(
        "identity_rule",
        _id("id"),
        *(
            sa.Column(name, sa.Text(), nullable=False)
            for name in ("namespace", "name", "other_namespace", "other_name")
        ),
        *map(_id, ("valid_from", "made_at")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_identity_rule")),
    )
    op.create_table(
        "identity",
        *map(_id, ("dataset_id", "other_id", "valid_from", "valid_to")),
        sa.PrimaryKeyConstraint("dataset_id", "other_id", "valid_from", name=op.f("pk_identity")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_identity_other_id"), "identity", ["other_id"], unique=False)
    op.create_table(
        "refused_identity",
        *map(_id, ("dataset_id", "other_id", "at")),
        sa.Column("clash", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("dataset_id", "other_id", "at", name=op.f("pk_refused_identity")),
    )


def _without_rowid() -> None:
    """SQLite keeps a table's rows in its primary key only where the table is made so."""
    op.create_table(
        "edge_by_key",
        *map(_id, ("payload_id", "source_id", "target_id")),
        sa.Column("way", sa.SmallInteger(), autoincrement=False, nullable=False),
        *map(_id, ("source_dataset_id", "target_dataset_id")),
        sa.Column("expression_id", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("payload_id", "source_id", "target_id", "way", name=op.f("pk_edge")),
        sqlite_with_rowid=False,
    )
    names = "payload_id, source_id, target_id, way, source_dataset_id, target_dataset_id, expression_id"
    op.execute(f"INSERT INTO edge_by_key ({names}) SELECT {names} FROM edge")  # noqa: S608 - names of ours
    op.drop_table("edge")
    op.rename_table("edge_by_key", "edge")
