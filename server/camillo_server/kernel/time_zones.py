"""Time zones by their names: in them days begin and end."""

import re
from datetime import datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from zoneinfo import ZoneInfo

MAX_CHARACTERS = 64
WANTED = "a time zone of the IANA database such as Europe/Madrid, or an offset such as +11:00"
_OFFSET = re.compile(r"([+-])(0\d|1[0-4]):([0-5]\d)")


@lru_cache(maxsize=1_000)
def time_zone(name: str) -> tzinfo | None:
    """The zone of a name or an offset from UTC; None where there is none."""
    if offset := _OFFSET.fullmatch(name):
        minutes = int(offset[2]) * 60 + int(offset[3])
        return timezone(timedelta(minutes=-minutes if offset[1] == "-" else minutes))
    if not name.isascii() or not 0 < len(name) <= MAX_CHARACTERS:
        return None
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, KeyError):
        # The name of no file, of a folder, or a path that leads out of the database.
        return None


def in_zone(moment: datetime, zone: tzinfo) -> datetime:
    """The same moment as the zone's clocks show it; within hours of the first or last year, what its clock shows."""
    try:
        return moment.astimezone(zone)
    except OverflowError:
        return moment.replace(tzinfo=zone)
