"""Times as numbers, where many of them are compared at once."""

from datetime import UTC, datetime, timedelta

BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
FIRST = datetime.min.replace(tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


def microseconds(moment: datetime) -> int:
    """Since 1970."""
    return (moment - BEGINNING) // MICROSECOND


def moment(value: int) -> datetime:
    """The time this many microseconds after 1970."""
    return BEGINNING + value * MICROSECOND


def earlier(moment: datetime, span: timedelta) -> datetime:
    """So much earlier; before the first moment there is none."""
    return moment - span if moment - FIRST >= span else FIRST
