"""What Redshift and psql, its client, take for a quote, a comment or a command of their own."""

from __future__ import annotations

from sqllineage_svc.sql.split import Lexis

LEXIS = Lexis(backslash_escapes=True, dollar_quotes=True, client_commands=r"\\[a-z!?][^\n]*")
