"""What a removal leaves as its proof."""

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID


class Cause(enum.IntEnum):
    """What was called; the contract tells it by its name in small letters."""

    FORGET_MEMORIES = 1
    FORGET_EVENTS = 2
    PRUNE = 3
    MAINTENANCE = 4
    RESET = 5


@dataclass(frozen=True, slots=True)
class Receipt:
    """Rows removed by store, in the order of the stores' names, and how many values may not be stated again because of
    it. Of a dry run, `receipt_id` is None."""

    receipt_id: UUID | None
    cause: Cause
    stores: Mapping[str, int]
    blocked_values: int
    at: datetime


@dataclass(frozen=True, slots=True)
class ReceiptDone:
    """A receipt, and the revision from which it holds."""

    receipt: Receipt
    revision: int
