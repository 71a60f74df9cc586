"""What every mutation shares: a request that may be repeated, and the revision it led to."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

REQUEST_LIFETIME = timedelta(hours=24)

# What an answer is made from, as JSON: kept with the request, so that a repeat gets the first answer.
Facts = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class RequestKey:
    """A client-chosen id and a digest of the content (32 bytes), of which the same id has to have the same."""

    request_id: str
    content_digest: bytes


@dataclass(frozen=True, slots=True)
class Written:
    """The revision that holds a write, and its facts: the first ones where the request was a repeat."""

    revision: int
    facts: Facts
