"""Channels: where what is read will be shown, and what each may load."""

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Protocol, TypeVar

from camillo_server.kernel.kinds import ChunkKind, Kind, MemoryKind, Sensitivity


class Channel(enum.IntEnum):
    """The place where the records that are read will be shown. The numbers are those of the contract."""

    PUBLIC = 1
    PRIVATE = 2
    TEAM = 3
    AGENT = 4


MAY_LOAD: Mapping[Channel, Sensitivity] = {
    Channel.PUBLIC: Sensitivity.PUBLIC,
    Channel.PRIVATE: Sensitivity.CONFIDENTIAL,
    Channel.TEAM: Sensitivity.CONFIDENTIAL,
    Channel.AGENT: Sensitivity.INTERNAL,
}
"""The most sensitive level of each channel. RESTRICTED is beside it: only ever in its own agent's private channel."""

NEVER_IN_PUBLIC: tuple[Kind, ...] = (
    MemoryKind.PREFERENCE,
    MemoryKind.DECISION,
    ChunkKind.EVENT_DECISION,
    ChunkKind.DECISION,
    ChunkKind.PRIVATE_SLOT,
)
"""Kinds that a public channel does not load, however little sensitive a row of them is."""


class _Filter(Protocol):
    __dataclass_fields__: ClassVar[dict[str, Any]]

    @property
    def sensitivities(self) -> Sequence[Sensitivity]: ...

    @property
    def is_public(self) -> bool: ...


Filter = TypeVar("Filter", bound=_Filter)


@dataclass(frozen=True, slots=True)
class ChannelPolicy:
    """The levels that each channel may load."""

    may_load: Mapping[Channel, Sensitivity] = field(default_factory=lambda: MAY_LOAD)
    # A bundle asks for every item that it looks at.
    _known: dict[tuple[Channel, Sensitivity | None], frozenset[Sensitivity]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    def allowed(self, channel: Channel, at_most: Sensitivity | None = None) -> frozenset[Sensitivity]:
        """The levels that may be loaded of the caller's own scope, cut at `at_most`.

        RESTRICTED is never in a shared scope, so that it needs no rule for that.
        """
        known = self._known.get((channel, at_most))
        if known is None:
            known = self._known[channel, at_most] = self._allowed(channel, at_most)
        return known

    def permits(self, channel: Channel, sensitivity: Sensitivity, recorded_in: Channel) -> bool:
        """Whether the channel may load a record; one of another channel is never shown in public."""
        if channel is Channel.PUBLIC and recorded_in is not Channel.PUBLIC:
            return False
        return sensitivity in self.allowed(channel)

    def narrowed(self, filter: Filter, channel: Channel) -> Filter:
        """The filter, which passes no record that the channel may not load."""
        allowed = self.allowed(channel) & frozenset(filter.sensitivities)
        return replace(filter, sensitivities=tuple(sorted(allowed)), is_public=channel is Channel.PUBLIC)

    def _allowed(self, channel: Channel, at_most: Sensitivity | None) -> frozenset[Sensitivity]:
        levels = {level for level in Sensitivity if level <= self.may_load[channel]}
        if channel is Channel.PRIVATE:
            levels.add(Sensitivity.RESTRICTED)
        else:
            levels.discard(Sensitivity.RESTRICTED)
        return frozenset(level for level in levels if at_most is None or level <= at_most)


DEFAULT_CHANNELS = ChannelPolicy()


@dataclass(frozen=True, slots=True)
class ReadLimit:
    """The most that a credential may read: as in a channel, and up to a level."""

    channel: Channel | None = None
    max_sensitivity: Sensitivity | None = None

    def narrowed(self, asked: Channel, policy: ChannelPolicy) -> Channel | None:
        """The channel to read in when this one is asked for: it loads the most of those that load only what this one,
        the credential's own and the level allow; None where each loads more."""
        wanted = {asked, self.channel or asked}
        most = frozenset.intersection(*(policy.allowed(each, self.max_sensitivity) for each in wanted))
        # In public, less is shown than the levels tell.
        possible = [Channel.PUBLIC] if Channel.PUBLIC in wanted else [asked, *Channel]
        fitting = [each for each in possible if policy.allowed(each) <= most]
        return max(fitting, key=lambda each: len(policy.allowed(each)), default=None)
