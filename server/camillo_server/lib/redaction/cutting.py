"""Cuts texts that may hold secrets: what is left of one that is cut would be known for none."""

from typing import TYPE_CHECKING

from camillo_formats.characters import border_at_or_before
from camillo_formats.terminal_sequences import without_terminal_sequences

if TYPE_CHECKING:
    from camillo_server.lib.redaction.redaction import Redactor

# How far around the end is looked. A longer secret is found all the same where a part of it is one.
_REACH = 65_536
# Secrets so near to the end are taken out: what tells that they are secrets may stand behind it.
_CONTEXT = 1_000


def cut(text: str, limit: int, redactor: "Redactor | None" = None) -> str:
    """The first `limit` characters of a text that may hold secrets, fewer where its end would be a part of one.

    A secret at the end is replaced by a placeholder; one far before it stays, for whoever redacts what was cut.
    """
    text = without_terminal_sequences(text)
    if len(text) <= limit:
        return text
    # Loaded where it is needed: most texts are short, and a command or a hook starts sooner without.
    from camillo_server.lib.redaction.redaction import Redactor, placeholder

    first = max(0, limit - _REACH)
    encoded = text[first : limit + _REACH].encode("utf-8", "replace")
    parts, done = list[str](), 0
    for secret in (redactor or Redactor()).secrets(encoded):
        start, end = (first + len(encoded[:at].decode()) for at in (secret.start, secret.end))
        if end > limit - _CONTEXT and start < limit:
            parts += (text[done:start], placeholder(secret.kind, end - start))
            done = end
    text = "".join((*parts, text[done:]))
    return text[: border_at_or_before(text, limit, -1)]
