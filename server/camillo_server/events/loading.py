"""What a channel may load of events, decisions and tasks: the same rule for one and for many."""

from dataclasses import replace

from camillo_server.events.event import Event, EventFilter, EventKind
from camillo_server.kernel.channel import Channel, ChannelPolicy
from camillo_server.kernel.kinds import Sensitivity


def may_load(
    policy: ChannelPolicy, shown_in: Channel, sensitivity: Sensitivity, made_in: Channel
) -> bool:
    """Whether the channel may load it; what was made elsewhere than in public is never shown there."""
    if shown_in is Channel.PUBLIC and made_in is not Channel.PUBLIC:
        return False
    return sensitivity in policy.allowed(shown_in)


def may_load_event(policy: ChannelPolicy, shown_in: Channel, event: Event) -> bool:
    """Of events, where they were made counts for decisions alone."""
    made_in = event.channel if event.kind is EventKind.DECISION else shown_in
    return may_load(policy, shown_in, event.sensitivity, made_in)


def narrowed(policy: ChannelPolicy, wanted: EventFilter, channel: Channel) -> EventFilter:
    """The filter, which lets through nothing that the channel may not load."""
    allowed = policy.allowed(channel) & frozenset(wanted.sensitivities)
    return replace(
        wanted, sensitivities=tuple(sorted(allowed)), is_public=channel is Channel.PUBLIC
    )
