"""When a memory ends."""

from datetime import datetime, timedelta


def end(now: datetime, days: float) -> datetime:
    return now.replace(tzinfo=None) + timedelta(days=days)
