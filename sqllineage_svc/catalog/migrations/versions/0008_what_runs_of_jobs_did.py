"""What the runs of each job did, once; in the place of two indexes of all runs"""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "doing",
        *(
            sa.Column(name, sa.BigInteger(), autoincrement=False, nullable=False)
            for name in ("job_id", "payload_id", "text_id")
        ),
        sa.PrimaryKeyConstraint("job_id", "payload_id", "text_id", name=op.f("pk_doing")),
        sqlite_with_rowid=False,
    )
    op.create_index(op.f("ix_doing_text_id"), "doing", ["text_id"], unique=False)
    op.execute(
        "INSERT INTO doing (job_id, payload_id, text_id)"
        " SELECT DISTINCT job_id, payload_id, coalesce(text_id, 0) FROM run"
    )
    for name in ("ix_run_payload_id", "ix_run_job_id", "ix_run_text_id_job_id"):
        op.drop_index(op.f(name), table_name="run")
    op.create_index(op.f("ix_run_payload_id_job_id"), "run", ["payload_id", "job_id"], unique=False)
    declared = sa.text("state = 'DECLARED'")
    op.create_index(
        "ix_run_declared",
        "run",
        ["job_id"],
        unique=False,
        sqlite_where=declared,
        postgresql_where=declared,
    )
