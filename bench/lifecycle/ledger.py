"""The answers to a load of writes, and whether they hold: nothing acknowledged is lost, nothing was done twice."""

import enum
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from camillo.v1 import memory_pb2 as pb


class Fate(enum.Enum):
    """The state that a memory must have in the end."""

    KEPT = enum.auto()
    ARCHIVED = enum.auto()
    # Maintenance may have put it away.
    EITHER = enum.auto()
    # Gone, and it may be stated again.
    GONE = enum.auto()
    FORGOTTEN = enum.auto()


REMOVED = (Fate.GONE, Fate.FORGOTTEN)


@dataclass(slots=True)
class Statement:
    """A memory as its writer knows it by what was acknowledged."""

    memory_id: str
    stated: int = 1
    version: int = 1
    fate: Fate = Fate.KEPT


@dataclass(frozen=True, slots=True)
class Verdict:
    """Faults in words: effects that are missing, and effects that are there twice."""

    lost: Sequence[str]
    doubled: Sequence[str]


@dataclass(slots=True)
class Ledger:
    """One writer's: its memories by their content, how many rounds each run has, and what its events say."""

    agent_id: str
    statements: dict[str, Statement] = field(default_factory=dict)
    rounds: dict[str, int] = field(default_factory=dict)
    events: list[str] = field(default_factory=list)

    def state(self, content: str, memory_id: str) -> None:
        """It was stated, for the first time or once more."""
        if content in self.statements:
            self.statements[content].stated += 1
        else:
            self.statements[content] = Statement(memory_id)

    def contents(self, fate: Fate) -> list[str]:
        """Contents of the statements with this fate."""
        return [text for text, known in self.statements.items() if known.fate is fate]

    def of_id(self, memory_id: str) -> Statement:
        """The statement that became this memory. Raises StopIteration for any other."""
        return next(each for each in self.statements.values() if each.memory_id == memory_id)

    def judge(self, stored: Sequence[pb.Memory], rounds: Mapping[str, int], events: Sequence[str]) -> Verdict:
        """Judges all memories and events of the agent, and the rounds of this writer's runs."""
        by_content: dict[str, list[pb.Memory]] = defaultdict(list)
        for memory in stored:
            by_content[memory.content].append(memory)
        lost: list[str] = []
        doubled: list[str] = []
        for content, known in self.statements.items():
            lost += _lost(content, known, by_content[content])
            doubled += _doubled(content, known, by_content[content])
        for run_id, count in self.rounds.items():
            lost += [f"run {run_id}: a round"] * (rounds[run_id] < count)
            doubled += [f"run {run_id}: a round"] * (rounds[run_id] > count)
        for text in self.events:
            lost += [f"event {text}"] * (text not in events)
            doubled += [f"event {text}"] * (events.count(text) > 1)
        return Verdict(lost, doubled)


def _lost(content: str, known: Statement, found: Sequence[pb.Memory]) -> Iterator[str]:
    if known.fate in REMOVED:
        if found:
            yield f"{content}: its removal"
        return
    if not found:
        yield content
        return
    memory = found[0]
    if memory.memory_id != known.memory_id:
        yield f"{content}: its id"
    if memory.stated_count < known.stated:
        yield f"{content}: a repeat"
    if known.fate is not Fate.EITHER and memory.version < known.version:
        yield f"{content}: a version"
    if known.fate is not Fate.EITHER and memory.archived != (known.fate is Fate.ARCHIVED):
        yield f"{content}: where it was put"


def _doubled(content: str, known: Statement, found: Sequence[pb.Memory]) -> Iterator[str]:
    if known.fate in REMOVED or not found:
        return
    if len(found) > 1:
        yield content
    if found[0].stated_count > known.stated:
        yield f"{content}: a repeat"
    if known.fate is not Fate.EITHER and found[0].version > known.version:
        yield f"{content}: a version"
