"""Masks memories and chunks for where they are shown: what is stored stays as it is."""

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.kinds import Scalar, Sensitivity, is_chunk
from camillo_server.memories.memory import Memory
from camillo_server.search.masking.personal import find_personal_data


class Mask(enum.Enum):
    """How much of a text is taken out: nothing, what tells of persons, or all."""

    NONE = "none"
    PARTIAL = "partial"
    FULL = "full"


Rules = Mapping[Sensitivity, Mask]
DEFAULT_RULES: Rules = MappingProxyType(
    {
        Sensitivity.PUBLIC: Mask.NONE,
        Sensitivity.INTERNAL: Mask.NONE,
        Sensitivity.CONFIDENTIAL: Mask.PARTIAL,
        Sensitivity.RESTRICTED: Mask.FULL,
    }
)


@dataclass(frozen=True, slots=True)
class MaskingPolicy:
    """What an operator may choose; each set of rules names every sensitivity."""

    default: Rules = field(default_factory=lambda: DEFAULT_RULES)
    tenants: Mapping[TenantId, Rules] = field(default_factory=dict)

    def rules_of(self, tenant_id: TenantId) -> Rules:
        """The tenant's own, or else those of everyone."""
        return self.tenants.get(tenant_id, self.default)


def mask_memory(row: Memory, rules: Rules) -> Memory:
    """The memory or chunk as the rules for its sensitivity let it be shown: what the server says about it stays."""
    mask = rules[row.sensitivity]
    if mask is Mask.NONE:
        return row
    texts = Masker(mask, row.sensitivity)
    if is_chunk(row.kind):
        # The ids of where it comes from, its place and its channel are the server's.
        stated = {"actor": row.metadata["actor"]} if "actor" in row.metadata else {}
        source_refs, metadata = row.source_refs, {**row.metadata, **texts.entries(stated)}
    else:
        source_refs, metadata = texts.each(row.source_refs), texts.entries(row.metadata)
    return row._replace(
        content=texts.text(row.content),
        session_id=texts.text(row.session_id),
        tags=texts.each(row.tags),
        metadata=metadata,
        source_refs=source_refs,
    )


@dataclass(frozen=True, slots=True)
class Masker:
    """Puts `[masked: ...]` in the place of what is taken out of texts of one sensitivity."""

    mask: Mask
    sensitivity: Sensitivity

    def text(self, text: str) -> str:
        """An empty one stays so."""
        if self.mask is Mask.FULL:
            return text and f"[masked: {self.sensitivity.name.lower()}]"
        return mask_personal_data(text) if self.mask is Mask.PARTIAL else text

    def each(self, texts: Sequence[str]) -> Sequence[str]:
        """Those that are the same now are one."""
        return tuple(dict.fromkeys(map(self.text, texts)))

    def entries(self, entries: Mapping[str, Scalar]) -> dict[str, Scalar]:
        """Names of values stay, but for what tells of persons."""
        return {mask_personal_data(key): self._value(value) for key, value in entries.items()}

    def _value(self, value: Scalar) -> Scalar:
        if value is None or (isinstance(value, bool) and self.mask is Mask.PARTIAL):
            return value
        # The contract has no integers here; nobody writes a number of a person with a fraction.
        is_whole = isinstance(value, float) and value.is_integer()
        written = str(int(value)) if is_whole else str(value)
        shown = self.text(written)
        return value if shown == written else shown


def mask_personal_data(text: str) -> str:
    """The text with marks in the place of what tells of persons."""
    shown, end = "", 0
    for part in find_personal_data(text):
        shown += f"{text[end : part.start]}[masked: {part.kind}]"
        end = part.end
    return shown + text[end:]
