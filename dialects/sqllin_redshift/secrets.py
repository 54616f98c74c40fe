"""Where Redshift's statements hold secrets.

Roles and the ids of keys and secrets (IAM_ROLE, KMS_KEY_ID, SECRET_ARN) are none: they are of no use without
the account. The JSON of CREATE IDENTITY PROVIDER and signed S3 addresses show in any text: no clause.
Source: https://docs.aws.amazon.com/redshift/latest/dg/r_CREATE_IDENTITY_PROVIDER.html
"""

from __future__ import annotations

from sqllin_redshift.lexis import LEXIS
from sqllineage_svc.sql.redact import Clause, SecretRules

SECRETS = SecretRules(
    lexis=LEXIS,
    clauses=(
        # https://docs.aws.amazon.com/redshift/latest/dg/copy-parameters-authorization.html
        Clause("ACCESS_KEY_ID"),
        Clause("SECRET_ACCESS_KEY"),
        Clause("SESSION_TOKEN"),
        # https://docs.aws.amazon.com/redshift/latest/dg/copy-parameters-data-source-s3.html, …/r_UNLOAD.html
        Clause("MASTER_SYMMETRIC_KEY"),
        # 'password', 'md5…' or 'sha256|…': https://docs.aws.amazon.com/redshift/latest/dg/r_CREATE_USER.html
        Clause("PASSWORD"),
        Clause("PASSWORD", behind="CREATE USER"),
        # https://docs.aws.amazon.com/redshift/latest/dg/r_ALTER_USER.html
        Clause("PASSWORD", behind="ALTER USER"),
    ),
    # https://docs.aws.amazon.com/redshift/latest/dg/copy-parameters-authorization.html#copy-credentials
    credentials=("CREDENTIALS",),
    public_keys=("aws_iam_role",),
)
