"""The machine's time zone, in which a question's days begin and end."""

import os
import re
from datetime import datetime
from functools import lru_cache
from pathlib import Path

_OF_DATABASE = re.compile(r"(?:.*/)?zoneinfo/(?:posix/|right/)?([A-Za-z0-9_+/-]{1,64})")
_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_+-]*(?:/[A-Za-z0-9_+-]+){1,2}")
_UTC = frozenset({"UTC", "Etc/UTC", "Etc/UCT", "Etc/Universal", "Etc/Zulu", "Etc/GMT", "+00:00"})


def local_time_zone() -> str:
    """The name of the machine's time zone, or its offset if no name is known; empty for UTC, the server's default."""
    stated = os.environ.get("TZ", "").removeprefix(":")
    name = stated if _NAME.fullmatch(stated) else "" if stated else _of_machine()
    name = name or datetime.now().astimezone().isoformat()[-6:]
    return "" if name in _UTC else name


@lru_cache(maxsize=1)
def _of_machine() -> str:
    try:
        found = _OF_DATABASE.fullmatch(str(Path("/etc/localtime").readlink()))
        return found[1] if found else Path("/etc/timezone").read_text("utf-8").strip()
    except OSError:
        return ""
