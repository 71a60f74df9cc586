"""Demands on the revision that a read is answered from."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol, TypeAlias

from camillo.v1.consistency_pb2 import Freshness, Revision, SpaceRead, SpaceRevision
from camillo_client.convert import reject_text

FreshnessLike: TypeAlias = Freshness | Revision
# A path such as "projects/shop".
SpaceLike: TypeAlias = str | SpaceRead
# One that is watched, and the revision behind which that begins.
WatchedSpace: TypeAlias = str | SpaceRevision


class FreshRead(Protocol):
    """A request with a freshness."""

    agent_id: str

    @property
    def freshness(self) -> Freshness: ...
    def HasField(self, field_name: str, /) -> bool: ...  # noqa: N802 (protobuf's name)
    def ClearField(self, field_name: str, /) -> None: ...  # noqa: N802


class RevisedAnswer(Protocol):
    """A response with the revision that it was read at, or that holds what was written."""

    @property
    def revision(self) -> Revision: ...


def minimize_latency() -> Freshness:
    """Answer from whatever the replica has in memory."""
    return Freshness(minimize_latency=True)


def at_least_as_fresh(revision: Revision) -> Freshness:
    """Answer from this revision or a later one."""
    return Freshness(at_least_as_fresh=revision)


def fully_consistent() -> Freshness:
    """Answer from everything committed when the call arrives; costs a query to Postgres."""
    return Freshness(fully_consistent=True)


def to_spaces(spaces: Iterable[SpaceLike]) -> list[SpaceRead]:
    """The spaces to read beside the client's own. TypeError for a single text."""
    reject_text(spaces, "spaces")
    return [each if isinstance(each, SpaceRead) else SpaceRead(space=each) for each in spaces]


def to_watched(spaces: Iterable[WatchedSpace]) -> list[SpaceRevision]:
    """The spaces to watch beside the client's own. TypeError for a single text."""
    reject_text(spaces, "spaces")
    return [each if isinstance(each, SpaceRevision) else SpaceRevision(space=each) for each in spaces]


def to_freshness(demand: FreshnessLike | None) -> Freshness | None:
    """The demand as a message; a revision alone means at least that one, None leaves the demand to the client."""
    return at_least_as_fresh(demand) if isinstance(demand, Revision) else demand
