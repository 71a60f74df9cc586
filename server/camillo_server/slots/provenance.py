"""Where the content of a slot comes from: what has to be told of it, and how far it is to be trusted."""

from collections.abc import Mapping
from typing import Any

from camillo_server.kernel.attribution import TrustLevel
from camillo_server.kernel.errors import ProvenanceRequired
from camillo_server.slots.key import is_under
from camillo_server.slots.slot import ProvenanceKind, SlotDraft, SlotProvenance, SlotSource

# Content that is not what a person or an agent says of itself, and the part of the keys that is for such content.
CHECKED_KINDS = (ProvenanceKind.WEB, ProvenanceKind.TOOL, ProvenanceKind.FILE)
CHECKED_PREFIX = "/kb"
# Nothing below is trusted, whoever says it.
UNTRUSTED_PREFIX = "/untrusted"
TRUST_OF_KINDS = {
    ProvenanceKind.USER: TrustLevel.USER,
    ProvenanceKind.AGENT: TrustLevel.AGENT,
    ProvenanceKind.TOOL: TrustLevel.TOOL,
    ProvenanceKind.FILE: TrustLevel.TOOL,
    ProvenanceKind.SYSTEM: TrustLevel.TOOL,
    ProvenanceKind.WEB: TrustLevel.WEB,
}


def trust_of(key: str, source: SlotSource, *, is_persons_word: bool) -> TrustLevel:
    """How far content is to be trusted, by its source: words alone are not known, nor is what stands under /untrusted. What a
    person says is an agent's word, unless the credential speaks for that person."""
    if isinstance(source, str) or is_under(key, UNTRUSTED_PREFIX):
        return TrustLevel.UNKNOWN
    level = TRUST_OF_KINDS[source.kind]
    return level if is_persons_word else min(level, TrustLevel.AGENT)


def require_provenance(draft: SlotDraft, path: str) -> None:
    """Raises ProvenanceRequired. A tombstone removes, and needs none. `path`: of the draft among several."""
    source = draft.source
    is_checked = is_under(draft.key, CHECKED_PREFIX) or (
        isinstance(source, SlotProvenance) and source.kind in CHECKED_KINDS
    )
    if not is_checked or draft.content is None:
        return
    stated: Mapping[str, Any] = (
        {"name": source.name, "retrieved_at": source.retrieved_at, "locator": source.locator}
        if isinstance(source, SlotProvenance)
        else dict.fromkeys(("kind", "name", "retrieved_at", "locator"))
    )
    if missing := [name for name, value in stated.items() if not value]:
        verb = "is" if len(missing) == 1 else "are"
        raise ProvenanceRequired(
            f"{path and f'{path[:-1]}: '}content from there has to tell its source: {', '.join(missing)} {verb} missing",
            missing=",".join(missing),
        )
