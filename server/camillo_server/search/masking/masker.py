"""Masking of memories and chunks where they are shown; stored rows are not changed."""

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType

from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.kinds import Scalar, Sensitivity, is_chunk
from camillo_server.memories.memory import Memory
from camillo_server.search.masking.personal import find_personal_data


class Mask(enum.Enum):
    """How much of a text is masked: nothing, personal data, or all of it."""

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
    """Rules by tenant, from the settings; each set of rules has every sensitivity."""

    default: Rules = field(default_factory=lambda: DEFAULT_RULES)
    tenants: Mapping[TenantId, Rules] = field(default_factory=dict)

    def rules_of(self, tenant_id: TenantId) -> Rules:
        """The rules of a tenant, or else the default."""
        return self.tenants.get(tenant_id, self.default)


def mask_memory(row: Memory, rules: Rules) -> Memory:
    """The memory or chunk, masked by the rules for its sensitivity. Values that the server assigned are not masked."""
    mask = rules[row.sensitivity]
    if mask is Mask.NONE:
        return row
    texts = Masker(mask, row.sensitivity)
    if is_chunk(row.kind):
        # The server assigned all other metadata and the refs of a chunk.
        actor = {"actor": row.metadata["actor"]} if "actor" in row.metadata else {}
        source_refs, metadata = row.source_refs, {**row.metadata, **texts.entries(actor)}
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
    """Replaces what is masked in texts of one sensitivity by `[masked: ...]`."""

    mask: Mask
    sensitivity: Sensitivity

    def text(self, text: str) -> str:
        """The masked text; an empty one stays empty."""
        if self.mask is Mask.FULL:
            return text and f"[masked: {self.sensitivity.name.lower()}]"
        return mask_personal_data(text) if self.mask is Mask.PARTIAL else text

    def each(self, texts: Sequence[str]) -> Sequence[str]:
        """The masked texts, without the duplicates that masking creates."""
        return tuple(dict.fromkeys(map(self.text, texts)))

    def entries(self, entries: Mapping[str, Scalar]) -> dict[str, Scalar]:
        """The masked values; in their names only personal data is masked."""
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
    """The text with its personal data replaced by `[masked: ...]`."""
    shown, end = "", 0
    for part in find_personal_data(text):
        shown += f"{text[end : part.start]}[masked: {part.kind}]"
        end = part.end
    return shown + text[end:]
