"""Occurrences: in which sessions, when, by whom and with what metadata a memory was stated, where that differs between
its statements.

They are stored beside the metadata, under a key that no caller can use: what holds for metadata (encryption, history,
forgetting, backups, policies of rows) holds for them, and what was stated once costs nothing."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any, NamedTuple

from camillo_server.kernel.kinds import Scalar

# No caller's key is empty.
KEY = ""
MAX_OCCURRENCES = 64
MAX_JSON_BYTES, MAX_METADATA_BYTES = 16 * 1024, 2 * 1024


class Occurrence(NamedTuple):
    """One statement of a memory."""

    session_id: str
    occurred_at: datetime
    actor: str
    metadata: Mapping[str, Scalar]

    def tells_nothing_beside(self, other: "Occurrence") -> bool:
        """Whether it has the session, the day and the actor of another, and no other metadata."""
        mine = (self.session_id, self.actor, self.occurred_at.date())
        same = mine == (other.session_id, other.actor, other.occurred_at.date())
        return same and _entries(self.metadata) <= _entries(other.metadata)

    def bounded(self) -> "Occurrence":
        """The occurrence, without its metadata if that is large."""
        size = len(json.dumps(dict(self.metadata), ensure_ascii=False).encode("utf-8", "surrogatepass"))
        return self if size <= MAX_METADATA_BYTES else self._replace(metadata={})

    def stored(self) -> dict[str, Any]:
        return {**self._asdict(), "occurred_at": self.occurred_at.isoformat()}


class Occurrences(NamedTuple):
    """The statements that are kept, the first and then the latest, and how many others there were."""

    kept: tuple[Occurrence, ...] = ()
    omitted: int = 0

    def with_one(self, first: Occurrence, added: Occurrence) -> "Occurrences":
        """The occurrences with another one, if it tells anything; `first` is the only one where none is kept."""
        known, added = self.kept or (first.bounded(),), added.bounded()
        if any(added.tells_nothing_beside(each) for each in known):
            return self
        kept, omitted = [*known, added], self.omitted
        while len(kept) > MAX_OCCURRENCES or _size(kept) > MAX_JSON_BYTES:
            del kept[1]
            omitted += 1
        return Occurrences(tuple(kept), omitted)

    def stored(self) -> dict[str, Any]:
        return {"kept": [each.stored() for each in self.kept], "omitted": self.omitted}


NO_OCCURRENCES = Occurrences()


def stored_metadata(metadata: Mapping[str, Scalar], occurrences: Occurrences) -> Mapping[str, Any]:
    """The metadata as it is stored, with the occurrences if there are any."""
    return {**metadata, KEY: occurrences.stored()} if occurrences.kept else metadata


def read_metadata(stored: Mapping[str, Any]) -> tuple[dict[str, Scalar], Occurrences]:
    """The metadata, and the occurrences that are stored with it."""
    metadata = dict(stored)
    told = metadata.pop(KEY, None)
    if told is None:
        return metadata, NO_OCCURRENCES
    kept = [Occurrence(**{**each, "occurred_at": datetime.fromisoformat(each["occurred_at"])}) for each in told["kept"]]
    return metadata, Occurrences(tuple(kept), told["omitted"])


def _entries(metadata: Mapping[str, Scalar]) -> set[tuple[str, bool, Scalar]]:
    """Its entries: 1 and 1.0 are one number, whichever of them a client or Postgres has made of it. In Python, 1 equals
    True as well."""
    return {(key, isinstance(value, bool), value) for key, value in metadata.items()}


def _size(kept: list[Occurrence]) -> int:
    return len(json.dumps([each.stored() for each in kept], ensure_ascii=False).encode("utf-8", "surrogatepass"))
