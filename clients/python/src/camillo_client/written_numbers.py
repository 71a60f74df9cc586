"""Numbers that a server wrote as text, as in the metadata of errors."""

from __future__ import annotations

import re

# Of 64 bits; a longer one is no number of the contract.
_NUMBER = re.compile(r"-?[0-9]{1,19}")


def number_in(text: str) -> int | None:
    """The number in a text; None where it is none."""
    stripped = text.strip()
    return int(stripped) if _NUMBER.fullmatch(stripped) else None
