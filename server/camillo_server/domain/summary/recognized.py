"""What an output was recognized as."""

import re
from dataclasses import dataclass

from camillo_server.domain.content_kind import ContentKind


@dataclass(frozen=True, slots=True)
class Recognized:
    """The kind, how it is described, and what a summary tells of it.

    Where `holds_messages`, failures are looked for in all lines but those that match `contents`.
    """

    kind: ContentKind
    headline: str
    lines: tuple[str, ...] = ()
    holds_messages: bool = False
    contents: re.Pattern[str] | None = None
