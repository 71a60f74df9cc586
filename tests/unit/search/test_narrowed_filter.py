"""Filters that a channel has narrowed."""

import pytest
from camillo_server.kernel.channel import Channel, ChannelPolicy
from camillo_server.kernel.kinds import Sensitivity, Source
from camillo_server.memories.memory_filter import MemoryFilter

OWN = [
    MemoryFilter(),
    MemoryFilter(tags_all=("海",), max_sensitivity=Sensitivity.PUBLIC),
    MemoryFilter(sources=(Source.EVENT,)),
]


@pytest.mark.parametrize("wanted", OWN, ids=str)
def test_every_channel_that_hides_something_narrows(wanted: MemoryFilter) -> None:
    policy = ChannelPolicy()
    told = {channel: wanted.narrowed(policy, channel).is_narrowed for channel in Channel}
    assert told == {channel: channel is not Channel.PRIVATE for channel in Channel}


def test_a_channel_that_may_load_nothing_narrows() -> None:
    nothing = MemoryFilter(sensitivities=(Sensitivity.RESTRICTED,))
    wanted = nothing.narrowed(ChannelPolicy(), Channel.TEAM)
    assert not wanted.sensitivities
    assert not wanted.hidden_kinds
    assert wanted.is_narrowed
