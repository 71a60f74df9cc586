"""What every mutation shares: a request that may be repeated, and the revision it led to."""

from dataclasses import dataclass, field
from datetime import timedelta
from typing import Generic, TypeVar

from camillo_server.kernel.replay import replay_record

REQUEST_LIFETIME = timedelta(hours=24)

R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class RequestKey:
    """A client-chosen id and a digest of the content (32 bytes), of which the same id has to have the same."""

    request_id: str
    content_digest: bytes


@dataclass(frozen=True, slots=True)
class Written(Generic[R]):
    """The revision that holds a write, and the record that its answer is made from; of a repeated request, both are
    those of the first time."""

    revision: int
    record: R
    is_repeat: bool = field(default=False, compare=False)


@replay_record
@dataclass(frozen=True, slots=True)
class EmptyReplay:
    """The record of a request whose answer needs nothing but the request itself and the revision."""
