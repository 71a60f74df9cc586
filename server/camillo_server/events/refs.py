"""Refs: whether what is cited is there."""

from collections.abc import Sequence
from typing import Protocol

from camillo_server.events.event import EventDraft, ToolResultContent
from camillo_server.kernel.errors import RefNotFound
from camillo_server.kernel.scope import Scope


class RefResolver(Protocol):
    """Knows which ids name something: events, chunks, memories, decisions, tasks and artifacts."""

    async def missing(self, scope: Scope, refs: Sequence[str]) -> Sequence[str]:
        """Those of the refs that name nothing in the scope nor in the tenant's shared scope, in the order given."""
        ...


def refs_of(draft: EventDraft) -> tuple[str, ...]:
    """What an event cites: its refs, and the artifact that holds the whole of its text."""
    artifact_id = draft.content.artifact_id if isinstance(draft.content, ToolResultContent) else ""
    return (*draft.refs, artifact_id) if artifact_id else tuple(draft.refs)


async def check_refs(resolver: RefResolver, scope: Scope, refs: tuple[str, ...]) -> None:
    """Raises RefNotFound for the first that names nothing."""
    if refs and (missing := await resolver.missing(scope, refs)):
        raise RefNotFound(missing[0])
