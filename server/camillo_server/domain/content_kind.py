"""What sort of content an artifact holds."""

from enum import IntEnum


class ContentKind(IntEnum):
    """TEXT is prose; TABLE holds JSON lines, too, whose keys are its columns."""

    UNSPECIFIED = 0
    TEXT = 1
    LOG = 2
    JSON = 3
    TABLE = 4
    CODE = 5
    BINARY = 6
