"""Levels and kinds that each channel may load."""

import pytest
from camillo_server.kernel.channel import MAY_LOAD, Channel, ChannelPolicy
from camillo_server.kernel.kinds import ChunkKind, MemoryKind, Sensitivity, Source
from camillo_server.rows.row_filter import NO_FILTER, MemoryFilter, passing_kinds

from tests.cases import each_case

PUBLIC, INTERNAL, CONFIDENTIAL, RESTRICTED = Sensitivity
STRICT = ChannelPolicy(dict.fromkeys(Channel, PUBLIC))
LAX = ChannelPolicy(dict.fromkeys(Channel, RESTRICTED))


@pytest.mark.parametrize(
    ("channel", "levels"),
    [
        (Channel.PUBLIC, {PUBLIC}),
        (Channel.PRIVATE, {PUBLIC, INTERNAL, CONFIDENTIAL, RESTRICTED}),
        (Channel.TEAM, {PUBLIC, INTERNAL, CONFIDENTIAL}),
        (Channel.AGENT, {PUBLIC, INTERNAL}),
    ],
)
def test_a_channel_loads_up_to_its_level(channel: Channel, levels: set[Sensitivity]) -> None:
    assert ChannelPolicy().allowed(channel) == levels


@each_case("channel", Channel)
@each_case("policy", [ChannelPolicy(), STRICT, LAX])
def test_restricted_is_for_the_private_channel_whatever_the_policy(policy: ChannelPolicy, channel: Channel) -> None:
    assert (RESTRICTED in policy.allowed(channel)) == (channel is Channel.PRIVATE)
    assert PUBLIC in policy.allowed(channel)


def test_a_policy_of_another_level_is_followed() -> None:
    assert STRICT.allowed(Channel.TEAM) == {PUBLIC}
    assert LAX.allowed(Channel.TEAM) == {PUBLIC, INTERNAL, CONFIDENTIAL}


@each_case("at_most", Sensitivity)
@each_case("channel", Channel)
def test_a_caller_may_ask_for_less_but_never_gets_more(channel: Channel, at_most: Sensitivity) -> None:
    every = ChannelPolicy().allowed(channel)
    assert ChannelPolicy().allowed(channel, at_most) == {level for level in every if level <= at_most}


def test_every_channel_of_the_contract_has_its_level() -> None:
    assert set(MAY_LOAD) == set(Channel)


def test_a_filter_for_the_private_channel_stays_as_it_is() -> None:
    """A recall without conditions stays one."""
    assert NO_FILTER.narrowed(ChannelPolicy(), Channel.PRIVATE) is NO_FILTER


@each_case("channel", [Channel.PUBLIC, Channel.TEAM, Channel.AGENT])
@each_case("policy", [ChannelPolicy(), STRICT, LAX])
def test_a_narrowed_filter_lets_through_the_levels_of_the_channel(policy: ChannelPolicy, channel: Channel) -> None:
    narrowed = NO_FILTER.narrowed(policy, channel)
    assert set(narrowed.sensitivities) == policy.allowed(channel)
    assert narrowed.sources == NO_FILTER.sources


@pytest.mark.parametrize("channel", Channel)
def test_preferences_and_decisions_are_hidden_in_public_alone(channel: Channel) -> None:
    wanted = MemoryFilter(sources=tuple(Source), hidden_kinds=(MemoryKind.ERROR,))
    passing = set(passing_kinds(wanted.narrowed(ChannelPolicy(), channel)))
    hidden = {
        MemoryKind.PREFERENCE,
        MemoryKind.DECISION,
        ChunkKind.EVENT_DECISION,
        ChunkKind.DECISION,
        ChunkKind.PRIVATE_SLOT,
    }
    expected = {*MemoryKind, *ChunkKind} - {MemoryKind.ERROR}
    assert passing == (expected - hidden if channel is Channel.PUBLIC else expected)


def test_a_filter_narrowed_twice_lets_through_what_both_channels_may_load() -> None:
    policy = ChannelPolicy()
    for_agents = NO_FILTER.narrowed(policy, Channel.TEAM).narrowed(policy, Channel.AGENT)
    assert set(for_agents.sensitivities) == {PUBLIC, INTERNAL}


def test_a_filter_of_levels_that_the_channel_may_not_load_lets_nothing_through() -> None:
    wanted = MemoryFilter(sensitivities=(CONFIDENTIAL,))
    assert passing_kinds(wanted.narrowed(ChannelPolicy(), Channel.TEAM))
    assert not passing_kinds(wanted.narrowed(ChannelPolicy(), Channel.AGENT))
