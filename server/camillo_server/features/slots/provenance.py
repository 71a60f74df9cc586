"""The provenance of a slot's content: what has to be stated, and how far the content is to be trusted."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from camillo_formats.slot_content import BadContent, parsed
from camillo_formats.slot_keys import BadKey, is_under, normalized_key

from camillo_server.features.slots.slot import ProvenanceKind, Slot, SlotDraft, SlotProvenance, SlotSource
from camillo_server.kernel.errors import ProvenanceRequired, invalid_field
from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.scope import Scope, TrustLevel, shared_scope

# Content that is not what a person or an agent says of itself, and the part of the keys that is for such content.
CHECKED_KINDS = (ProvenanceKind.WEB, ProvenanceKind.TOOL, ProvenanceKind.FILE)
CHECKED_PREFIX = "/kb"
# Nothing below is trusted, whoever says it.
UNTRUSTED_PREFIX = "/untrusted"
# The slot of the tenant's shared scope that states its rules.
RULES_KEY = "/policy/provenance"
MAX_PREFIXES = 64
KNOWN_SECONDS, MAX_TENANTS = 30.0, 10_000
_STATED = frozenset({"prefixes", "without"})
_REFUSE, _SET_APART = "refuse", "set_apart"
TRUST_OF_KINDS = {
    ProvenanceKind.USER: TrustLevel.USER,
    ProvenanceKind.AGENT: TrustLevel.AGENT,
    ProvenanceKind.TOOL: TrustLevel.TOOL,
    ProvenanceKind.FILE: TrustLevel.TOOL,
    ProvenanceKind.SYSTEM: TrustLevel.TOOL,
    ProvenanceKind.WEB: TrustLevel.WEB,
}


def trust_of(key: str, source: SlotSource, *, is_persons_word: bool) -> TrustLevel:
    """The trust level of content by its source: UNKNOWN if the source is a mere text, and for keys under /untrusted. A
    person's statement counts as an agent's, unless the credential speaks for that person."""
    if isinstance(source, str) or is_under(key, UNTRUSTED_PREFIX):
        return TrustLevel.UNKNOWN
    level = TRUST_OF_KINDS[source.kind]
    return level if is_persons_word else min(level, TrustLevel.AGENT)


@dataclass(frozen=True, slots=True)
class ProvenanceRules:
    """A tenant's demands: content below these keys and `/kb` needs a provenance; content without one is refused or, if
    `is_set_apart`, written below `/untrusted`."""

    prefixes: Sequence[str] = ()
    is_set_apart: bool = False

    @classmethod
    def of(cls, content: Any) -> "ProvenanceRules":
        """Reads the rules from the content of the slot RULES_KEY. Raises BadContent."""
        if not isinstance(content, Mapping) or not set(content) <= _STATED:
            raise BadContent("must be an object of prefixes and without")
        prefixes, without = content.get("prefixes", []), content.get("without", _REFUSE)
        if not isinstance(prefixes, list) or len(prefixes) > MAX_PREFIXES:
            raise BadContent(f"must have a list of at most {MAX_PREFIXES} prefixes")
        if without not in (_REFUSE, _SET_APART):
            raise BadContent(f"must have {_REFUSE} or {_SET_APART} as without")
        try:
            keys = [normalized_key(each if isinstance(each, str) else "") for each in prefixes]
        except BadKey as error:
            raise BadContent(f"must have keys as prefixes: one {error}") from None
        return cls(tuple(keys), without == _SET_APART)

    def admitted(self, draft: SlotDraft, path: str) -> SlotDraft:
        """The draft as it is written: it tells its source, or is set apart. Raises ProvenanceRequired, InvalidField.
        `path`: of the draft among several."""
        missing = self._missing(draft)
        if not missing:
            return draft
        if not self.is_set_apart:
            verb = "is" if len(missing) == 1 else "are"
            raise ProvenanceRequired(
                f"{path and f'{path[:-1]}: '}content from there has to tell its source: {', '.join(missing)} {verb} "
                f"missing",
                missing=",".join(missing),
            )
        if is_under(draft.key, UNTRUSTED_PREFIX):
            return draft
        try:
            key = normalized_key(f"{UNTRUSTED_PREFIX}{draft.key}")
        except BadKey as error:
            where = f"is written below {UNTRUSTED_PREFIX} without a provenance, and with that it {error}"
            raise invalid_field(f"{path}key", where) from None
        return replace(draft, key=key, trust_level=TrustLevel.UNKNOWN)

    def _missing(self, draft: SlotDraft) -> Sequence[str]:
        """The required fields that the source does not state. A tombstone needs none."""
        source = draft.source
        is_checked = any(is_under(draft.key, each) for each in (CHECKED_PREFIX, *self.prefixes)) or (
            isinstance(source, SlotProvenance) and source.kind in CHECKED_KINDS
        )
        if not is_checked or draft.content is None:
            return ()
        stated: Mapping[str, Any] = (
            {"name": source.name, "retrieved_at": source.retrieved_at, "locator": source.locator}
            if isinstance(source, SlotProvenance)
            else dict.fromkeys(("kind", "name", "retrieved_at", "locator"))
        )
        return [name for name, value in stated.items() if not value]


class TenantRules:
    """The rules of the tenants that this process has heard of, each read anew after a while: a write of another server
    counts within that time."""

    def __init__(self, read: Callable[[Scope, str], Awaitable[Slot | None]]) -> None:
        """`read` gives the newest version of a slot."""
        self._read = read
        self._known: dict[TenantId, tuple[float, ProvenanceRules]] = {}
        # How often rules were written here.
        self._writes = 0

    async def of(self, scope: Scope) -> ProvenanceRules:
        """The rules of the scope's tenant. Raises StorageUnavailable, KeyMissing, BytesLost."""
        now, writes = asyncio.get_running_loop().time(), self._writes
        until, rules = self._known.get(scope.tenant_id, (0.0, NO_RULES))
        if now < until:
            return rules
        slot = await self._read(shared_scope(scope), RULES_KEY)
        try:
            rules = ProvenanceRules.of(parsed(slot.json_content)) if slot and slot.is_valid else NO_RULES
        except BadContent:
            # Written before the service knew the rules.
            rules = NO_RULES
        if len(self._known) >= MAX_TENANTS:
            self._known.clear()
        # Rules that were read before others were written may be the old ones.
        if writes == self._writes:
            self._known[scope.tenant_id] = (now + KNOWN_SECONDS, rules)
        return rules

    def forget(self, tenant_id: TenantId) -> None:
        """Reads a tenant's rules anew: they were written."""
        self._writes += 1
        self._known.pop(tenant_id, None)


def is_rules(scope: Scope, key: str) -> bool:
    """Whether a slot states the rules of its tenant."""
    return key == RULES_KEY and not scope.agent_id


def check_rules(scope: Scope, draft: SlotDraft, path: str) -> None:
    """Refuses rules that are none. Raises InvalidField."""
    if draft.content is None or not is_rules(scope, draft.key):
        return
    try:
        ProvenanceRules.of(draft.content)
    except BadContent as error:
        raise invalid_field(f"{path}json_content", str(error)) from None


NO_RULES = ProvenanceRules()
