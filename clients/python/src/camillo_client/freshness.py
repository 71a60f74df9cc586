"""What a read may demand of the revision it is answered from."""

from __future__ import annotations

from typing import Protocol, TypeAlias

from camillo.v1.consistency_pb2 import Freshness, Revision

FreshnessLike: TypeAlias = Freshness | Revision


class FreshRead(Protocol):
    """A request that takes a freshness."""

    agent_id: str

    @property
    def freshness(self) -> Freshness: ...
    def HasField(self, field_name: str, /) -> bool: ...  # noqa: N802 (protobuf's name)
    def ClearField(self, field_name: str, /) -> None: ...  # noqa: N802


class RevisedAnswer(Protocol):
    """A response that says which revision it was read at, or which revision holds what it wrote."""

    @property
    def revision(self) -> Revision: ...


def minimize_latency() -> Freshness:
    """The answer of whatever the replica holds."""
    return Freshness(minimize_latency=True)


def at_least_as_fresh(revision: Revision) -> Freshness:
    """The answer from this revision or a later one."""
    return Freshness(at_least_as_fresh=revision)


def fully_consistent() -> Freshness:
    """The answer from everything committed when the call arrives; costs a question to Postgres."""
    return Freshness(fully_consistent=True)


def to_freshness(demand: FreshnessLike | None) -> Freshness | None:
    """A revision alone means at least that one; None leaves the demand to the client."""
    return at_least_as_fresh(demand) if isinstance(demand, Revision) else demand
