"""What each channel may load."""

import pytest
from camillo_server.domain.channel import MAY_LOAD, Channel, ChannelPolicy
from camillo_server.domain.memory import Sensitivity

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


@pytest.mark.parametrize("channel", Channel)
@pytest.mark.parametrize("policy", [ChannelPolicy(), STRICT, LAX])
def test_restricted_is_for_the_private_channel_whatever_the_policy(
    policy: ChannelPolicy, channel: Channel
) -> None:
    assert (RESTRICTED in policy.allowed(channel)) == (channel is Channel.PRIVATE)
    assert PUBLIC in policy.allowed(channel)


def test_a_policy_of_another_level_is_followed() -> None:
    assert STRICT.allowed(Channel.TEAM) == {PUBLIC}
    assert LAX.allowed(Channel.TEAM) == {PUBLIC, INTERNAL, CONFIDENTIAL}


@pytest.mark.parametrize("at_most", Sensitivity)
@pytest.mark.parametrize("channel", Channel)
def test_a_caller_may_ask_for_less_but_never_gets_more(
    channel: Channel, at_most: Sensitivity
) -> None:
    every = ChannelPolicy().allowed(channel)
    assert ChannelPolicy().allowed(channel, at_most) == {
        level for level in every if level <= at_most
    }


def test_every_channel_of_the_contract_has_its_level() -> None:
    assert set(MAY_LOAD) == set(Channel)
