"""Filters that a channel has narrowed."""

from dataclasses import replace

import pytest
from camillo_server.kernel.channel import Channel, ChannelPolicy
from camillo_server.kernel.kinds import Sensitivity, Source
from camillo_server.rows.row_filter import MemoryFilter

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


@pytest.mark.parametrize("wanted", [*OWN, MemoryFilter(sources=(Source.DOCUMENT,))], ids=str)
def test_what_a_credential_grants_narrows_where_there_are_documents(wanted: MemoryFilter) -> None:
    assert wanted.narrowed_to(None) is wanted
    narrowed = wanted.narrowed_to(frozenset(("policy",)))
    assert narrowed.is_narrowed is (Source.DOCUMENT in wanted.sources)
    assert narrowed.is_empty is wanted.is_empty
    # A source that is added later adds nothing that is not granted.
    assert replace(narrowed, sources=tuple(Source)).is_narrowed


def test_what_is_granted_twice_is_granted_by_both() -> None:
    both = MemoryFilter().narrowed_to(frozenset("ab")).narrowed_to(frozenset("bc"))
    assert both.granted_categories == frozenset("b")
    assert both.narrowed_to(frozenset("x")).granted_categories == frozenset()
    asked = MemoryFilter(document_categories=("a",)).narrowed_to(frozenset("b"))
    assert (asked.document_categories, asked.granted_categories) == (("a",), frozenset("b"))
