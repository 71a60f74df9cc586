"""What is looked for in an artifact, and how far a search has come."""

from __future__ import annotations

from typing import TypedDict, Unpack

from camillo.v1.artifact_service_pb2 import SearchArtifactRequest, SearchArtifactResponse
from camillo_client.convert import reject_unknown
from camillo_client.memory_refs import artifact_id_of

DEFAULT_MATCHES = 100


class SearchOptions(TypedDict, total=False):
    """One of `literal`, `regex` (of RE2) and `ranked`, and how to look for it."""

    literal: str
    regex: str
    ranked: str
    ignore_case: bool
    # Lines before and after each match; `context` is both.
    before: int
    after: int
    context: int
    # Of matching lines, default 100; of passages, default 5.
    limit: int
    # Lines before this one are not searched.
    start_line: int


def search_request(artifact_id: str, **options: Unpack[SearchOptions]) -> SearchArtifactRequest:
    """The request of a search; ValueError unless it looks for one thing."""
    reject_unknown(options, SearchOptions.__optional_keys__, "a search")
    if len(options.keys() & {"literal", "regex", "ranked"}) != 1:
        raise ValueError("a search takes one of literal, regex and ranked")
    context = options.get("context", 0)
    return SearchArtifactRequest(
        artifact_id=artifact_id_of(artifact_id),
        literal=options.get("literal"),
        regex=options.get("regex"),
        ranked=options.get("ranked"),
        ignore_case=options.get("ignore_case", False),
        before=options.get("before", context),
        after=options.get("after", context),
        limit=options.get("limit", 0),
        start_line=options.get("start_line", 0),
    )


class SearchState:
    """What is left of a search. Passages come at the end of a whole one: it is begun anew."""

    def __init__(self, request: SearchArtifactRequest) -> None:
        self._request = request
        self._left = request.limit or DEFAULT_MATCHES
        self._next_line = 0

    @property
    def has_enough(self) -> bool:
        """Whether everything that was asked for has been found. Passages come all at once."""
        return self._left <= 0 and not self._request.HasField("ranked")

    def take(self, message: SearchArtifactResponse) -> None:
        """Notes what has been found."""
        self._left -= len(message.matches)
        behind = message.matches[-1].line.number + 1 if message.matches else 0
        self._next_line = max(self._next_line, behind, message.next_line)

    def rest(self) -> SearchArtifactRequest:
        """A request for what has not been found yet."""
        rest = SearchArtifactRequest()
        rest.CopyFrom(self._request)
        if self._next_line and not self._request.HasField("ranked"):
            rest.start_line, rest.limit = self._next_line, self._left
        return rest
