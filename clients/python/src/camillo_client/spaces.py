"""Names of spaces, and the spaces that a client reads beside its own."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, TypeAlias

from camillo.v1 import options_pb2
from camillo.v1.consistency_pb2 import SpaceRead
from camillo.v1.memory_service_pb2 import RecallRequest
from camillo.v1.snapshot_service_pb2 import (
    BuildBundleRequest,
    BuildDigestRequest,
    BuildSnapshotRequest,
    BuildWorkingMemoryRequest,
)
from camillo_client.call_metadata import SHARED
from camillo_client.convert import to_strings

READ_SPACES = (
    RecallRequest,
    BuildBundleRequest,
    BuildDigestRequest,
    BuildSnapshotRequest,
    BuildWorkingMemoryRequest,
)
# The treatment of records of other spaces, when one is forgotten.
OtherSpacesName: TypeAlias = Literal["keep", "redact_spans", "delete_records"]
# Something that tokens and prices are summed by.
UsageDimensionName: TypeAlias = Literal["day", "space", "operation", "model", "door"]
# As RecallRequest.spaces allows.
MAX_BESIDE = 7


@dataclass(frozen=True, slots=True)
class Beside:
    """The spaces that reads of a client take in beside its own."""

    paths: tuple[str, ...] = ()
    # The one that the tenant shares.
    with_shared: bool = False

    def fill(self, request: Any) -> None:
        """Names them in a request that can read several and names none."""
        if not request.spaces:
            request.spaces.extend(SpaceRead(space=path) for path in self.paths if path != request.agent_id)
            # Bundles read what the tenant shares in any case.
            if isinstance(request, RecallRequest):
                request.include_shared |= self.with_shared


NOTHING = Beside()


def checked_space(space: str) -> str:
    """The name of a space, as the contract has it; ValueError for any other text."""
    pattern, rule = _rule()
    if not pattern.fullmatch(space):
        raise ValueError(f"a space is @shared, {rule}")
    return space


def user_space(user_id: str) -> str:
    """The space of a person; ValueError for an id that is no single part of a path."""
    if "/" in user_id:
        raise ValueError("the id of a user has no slash")
    return checked_space(f"users/{user_id}")


def beside(read: Iterable[str], own: str) -> Beside:
    """These spaces beside a client's own, each once; ValueError for too many, and for what is no space."""
    named = dict.fromkeys(map(checked_space, to_strings(read, "read")))
    paths = tuple(space for space in named if space not in (SHARED, own))
    if len(paths) > MAX_BESIDE:
        raise ValueError(f"a client reads up to {MAX_BESIDE} spaces beside its own")
    return Beside(paths, with_shared=SHARED in named and own != SHARED)


@cache
def _rule() -> tuple[re.Pattern[str], str]:
    extension: Any = options_pb2.pattern
    form = options_pb2.Form.DESCRIPTOR.values_by_name["FORM_AGENT"].GetOptions()
    pattern: options_pb2.Pattern = form.Extensions[extension]
    return re.compile(pattern.regex), pattern.rule
