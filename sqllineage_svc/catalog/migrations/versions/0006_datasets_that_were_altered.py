"""Datasets that were altered, and payloads that name very many"""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    with op.batch_alter_table("payload_dataset") as table:
        table.alter_column(
            "number", existing_type=sa.SmallInteger(), type_=sa.Integer(), existing_nullable=False
        )
    op.create_index(
        "ix_payload_dataset_altered",
        "payload_dataset",
        ["dataset_id"],
        unique=False,
        sqlite_where=sa.text("effect = 6"),
        postgresql_where=sa.text("effect = 6"),
    )
