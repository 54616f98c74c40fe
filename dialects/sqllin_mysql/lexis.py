"""What MySQL and mysql, its client, take for a quote, a comment or the end of a statement."""

from __future__ import annotations

from sqllineage_svc.sql.split import Lexis

LEXIS = Lexis(
    backslash_escapes=True,
    hash_comments=True,
    dash_needs_blank=True,
    versioned_comments=True,
    routine_bodies=True,
    delimiter_command=True,
    terminators=("\\G", "\\g"),
    client_commands=r"(?:source|\\\.)[ \t][^\n]*",
)
