"""Where MySQL's and MariaDB's statements hold secrets.

`MASTER_PASSWORD = '…'`, `PASSWORD='…'` of START REPLICA, `@password := '…'` assign to a name that says what
it holds, so they need no clause; nor do FEDERATED's `CONNECTION='mysql://user:password@host'` and Spider's
`COMMENT='… password "…"'`, which show in any text.
Source: https://dev.mysql.com/doc/refman/8.4/en/password-logging.html
"""

from __future__ import annotations

from sqllin_mysql.lexis import LEXIS
from sqllineage_svc.sql.redact import Clause, SecretRules

SECRETS = SecretRules(
    lexis=LEXIS,
    clauses=(
        # CREATE USER, ALTER USER, GRANT, CLONE: BY 'password' REPLACE 'old password', AS 'hash'
        # https://dev.mysql.com/doc/refman/8.4/en/alter-user.html, https://dev.mysql.com/doc/refman/8.4/en/clone.html
        Clause("BY", behind="IDENTIFIED"),
        Clause("AS", behind="IDENTIFIED"),
        Clause("REPLACE", behind="IDENTIFIED"),
        # IDENTIFIED BY PASSWORD 'hash', IDENTIFIED VIA plugin USING 'hash' OR plugin USING PASSWORD('…')
        # https://mariadb.com/kb/en/create-user/
        Clause("BY PASSWORD", behind="IDENTIFIED"),
        Clause("USING", behind="IDENTIFIED"),
        # FINISH REGISTRATION SET CHALLENGE_RESPONSE AS '…': https://dev.mysql.com/doc/refman/8.4/en/alter-user.html
        Clause("CHALLENGE_RESPONSE AS"),
        # https://dev.mysql.com/doc/refman/8.4/en/set-password.html, https://mariadb.com/kb/en/set-password/
        Clause("=", behind="SET PASSWORD FOR"),
        Clause("REPLACE", behind="SET PASSWORD"),
        # https://dev.mysql.com/doc/refman/8.4/en/create-server.html
        Clause("PASSWORD", behind="OPTIONS"),
    ),
    functions=(
        # https://dev.mysql.com/doc/refman/8.4/en/encryption-functions.html
        "AES_ENCRYPT", "AES_DECRYPT", "VALIDATE_PASSWORD_STRENGTH",
        # https://dev.mysql.com/doc/refman/5.7/en/encryption-functions.html
        "DES_ENCRYPT", "DES_DECRYPT", "ENCRYPT", "PASSWORD", "OLD_PASSWORD",
        # https://dev.mysql.com/doc/refman/8.4/en/enterprise-encryption-functions.html
        "ASYMMETRIC_DECRYPT", "ASYMMETRIC_ENCRYPT", "ASYMMETRIC_SIGN", "CREATE_ASYMMETRIC_PUB_KEY",
        # https://dev.mysql.com/doc/refman/8.4/en/keyring-functions-general-purpose.html
        "KEYRING_KEY_STORE",
        # https://mariadb.com/kb/en/kdf/, https://mariadb.com/kb/en/authentication-plugin-ed25519/
        "KDF", "ED25519_PASSWORD",
    ),
    # DECODE(text, password), but not Oracle's DECODE(value, match, result, …): https://mariadb.com/kb/en/decode/
    pair_functions=("ENCODE", "DECODE"),
)  # fmt: skip
