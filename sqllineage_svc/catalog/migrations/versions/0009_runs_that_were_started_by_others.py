"""Runs that were started by others"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "ancestor",
        sa.Column("run_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("ancestor_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("namespace", sa.Text(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("root", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("run_id", "ancestor_id", name=op.f("pk_ancestor")),
    )
    op.create_index(op.f("ix_ancestor_ancestor_id"), "ancestor", ["ancestor_id"], unique=False)
