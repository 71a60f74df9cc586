"""The client remembers what its reads have to see."""

from __future__ import annotations

from camillo.v1.consistency_pb2 import Revision
from camillo_client.freshness import at_least_as_fresh, fully_consistent
from camillo_client.revisions import WrittenRevisions

R1, R2, R3 = (Revision(token=f"r{number}") for number in (1, 2, 3))


def _write(written: WrittenRevisions, revision: Revision, *, repeatable: bool = False) -> None:
    written.wrote(written.begin("a"), revision, repeatable=repeatable)


def test_nothing_is_demanded_before_a_write() -> None:
    written = WrittenRevisions()
    assert written.demand(written.begin("a")) is None


def test_writes_one_after_another_leave_the_last() -> None:
    written = WrittenRevisions()
    _write(written, R1)
    _write(written, R2)
    assert written.demand(written.begin("a")) == at_least_as_fresh(R2)


def test_scopes_do_not_mix() -> None:
    written = WrittenRevisions()
    _write(written, R1)
    assert written.demand(written.begin("b")) is None
    assert written.demand(written.begin("a")) == at_least_as_fresh(R1)


def test_of_writes_that_overlapped_none_is_known_to_be_the_newest() -> None:
    written = WrittenRevisions()
    first, second = written.begin("a"), written.begin("a")
    written.wrote(second, R2)
    assert written.demand(written.begin("a")) == at_least_as_fresh(R2)
    written.wrote(first, R1)
    assert written.demand(written.begin("a")) == fully_consistent()


def test_a_later_write_covers_those_that_overlapped() -> None:
    written = WrittenRevisions()
    first, second = written.begin("a"), written.begin("a")
    written.wrote(second, R2)
    written.wrote(first, R1)
    _write(written, R3)
    assert written.demand(written.begin("a")) == at_least_as_fresh(R3)


def test_a_read_covers_what_had_been_written_when_it_began() -> None:
    written = WrittenRevisions()
    first, second = written.begin("a"), written.begin("a")
    written.wrote(second, R2)
    early = written.begin("a")
    written.wrote(first, R1)
    written.read(early, R2)
    assert written.demand(written.begin("a")) == fully_consistent()
    written.read(written.begin("a"), R3)
    assert written.demand(written.begin("a")) == at_least_as_fresh(R3)


def test_a_repeated_write_may_have_been_answered_from_the_past() -> None:
    written = WrittenRevisions()
    _write(written, R1, repeatable=True)
    assert written.demand(written.begin("a")) == at_least_as_fresh(R1)
    _write(written, R2)
    _write(written, R1, repeatable=True)
    assert written.demand(written.begin("a")) == fully_consistent()


def test_a_dropped_revision_is_gone_unless_a_write_came_between() -> None:
    written = WrittenRevisions()
    _write(written, R1)
    read = written.begin("a")
    _write(written, R2)
    written.drop(read)
    assert written.demand(written.begin("a")) == at_least_as_fresh(R2)
    written.drop(written.begin("a"))
    assert written.demand(written.begin("a")) is None


def test_an_answer_without_a_revision_changes_nothing() -> None:
    written = WrittenRevisions()
    _write(written, R1)
    _write(written, Revision())
    assert written.demand(written.begin("a")) == at_least_as_fresh(R1)


def test_reading_for_any_number_of_agents_keeps_nothing() -> None:
    written = WrittenRevisions()
    for number in range(1000):
        ticket = written.begin(f"agent {number}")
        assert written.demand(ticket) is None
        written.read(ticket, R1)
    assert not written._scopes


def test_of_many_agents_those_called_last_are_held() -> None:
    written = WrittenRevisions(max_scopes=2)
    for agent_id in ("a", "b"):
        written.wrote(written.begin(agent_id), R1)
    written.demand(written.begin("a"))
    written.wrote(written.begin("c"), R1)
    assert written.demand(written.begin("a")) == at_least_as_fresh(R1)
    assert written.demand(written.begin("c")) == at_least_as_fresh(R1)


def test_what_is_not_held_any_more_is_still_read() -> None:
    """A read asks for full consistency once: the answer's revision covers the write that was let go."""
    written = WrittenRevisions(max_scopes=1)
    _write(written, R1)
    written.wrote(written.begin("b"), R2)
    ticket = written.begin("a")
    assert written.demand(ticket) == fully_consistent()
    written.read(ticket, R3)
    assert written.demand(written.begin("a")) == at_least_as_fresh(R3)


def test_a_write_that_began_before_its_agent_was_let_go_is_not_taken_for_the_newest() -> None:
    written = WrittenRevisions(max_scopes=1)
    slow = written.begin("a")
    _write(written, R2)
    written.wrote(written.begin("b"), R3)
    written.wrote(slow, R1)
    assert written.demand(written.begin("a")) == fully_consistent()


def test_a_repeated_write_after_letting_go_may_be_of_the_past() -> None:
    written = WrittenRevisions(max_scopes=1)
    _write(written, R2)
    written.wrote(written.begin("b"), R3)
    _write(written, R1, repeatable=True)
    assert written.demand(written.begin("a")) == fully_consistent()
