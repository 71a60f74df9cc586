"""Many patterns looked for in a text in one pass, and rules that are tried where a line has their words."""

import re
import threading
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Generic, Protocol, TypeVar

import hyperscan

# Called with a match: the pattern's number, start (0 unless the pattern asks for it) and end, and two unused arguments.
# True ends the scan with hyperscan.ScanTerminated.
OnMatch = Callable[[int, int, int, int, object], bool | None]
Rule = TypeVar("Rule")


class PatternScan:
    """Patterns that Hyperscan looks for all at once. For any number of threads."""

    def __init__(self, patterns: Iterable[tuple[bytes, int, int]]) -> None:
        """Takes the expression, number and flags of each pattern. Raises hyperscan.error on a machine that cannot run
        it."""
        self._database = hyperscan.Database(mode=hyperscan.HS_MODE_BLOCK)
        expressions, ids, flags = zip(*patterns, strict=True)
        self._database.compile(expressions=expressions, ids=ids, elements=len(ids), flags=flags)
        self._of_thread = threading.local()

    def __call__(self, text: bytes, on_match: OnMatch) -> None:
        """Tells of each match, in the order of their ends. The interpreter's lock is free in between."""
        self._database.scan(text, match_event_handler=on_match, scratch=self._scratch())

    def _scratch(self) -> hyperscan.Scratch:
        """The scratch space of this thread: two scans at once may not share one."""
        scratch: hyperscan.Scratch | None = getattr(self._of_thread, "scratch", None)
        if scratch is None:
            scratch = self._of_thread.scratch = hyperscan.Scratch(self._database)
        return scratch


class WordScan:
    """Words looked for all at once, by Hyperscan where it runs; compiled at the first use. For any number of
    threads."""

    def __init__(self, words: Iterable[str]) -> None:
        self.words = tuple(dict.fromkeys(words))

    def words_in(self, text: str) -> list[str]:
        """The words that a text has, each once, in no order."""
        if self._scan is None:
            return [word for word in self.words if word in text]
        found: list[str] = []
        words = self.words

        def keep(number: int, _start: int, _end: int, _flags: int, _context: object) -> None:
            found.append(words[number])

        self._scan(text.encode("utf-8", "surrogatepass"), keep)
        return found

    @cached_property
    def _scan(self) -> PatternScan | None:
        once = hyperscan.HS_FLAG_SINGLEMATCH
        try:
            return PatternScan((re.escape(word).encode(), number, once) for number, word in enumerate(self.words))
        except hyperscan.error:
            return None


RuleOut = TypeVar("RuleOut", covariant=True)


class FittingRules(Protocol[RuleOut]):
    """Rules, each with words of which a line must have one."""

    def fitting(self, line: str) -> Sequence[RuleOut]:
        """The rules of which the line has a word, in their order."""
        ...


class LineRules(Generic[Rule]):
    """Rules in an order, each with words of which a line must have one."""

    def __init__(self, rules: Iterable[tuple[Sequence[str], Rule]]) -> None:
        self.rules = tuple(rules)
        self._numbers: dict[str, list[int]] = defaultdict(list)
        for number, (words, _) in enumerate(self.rules):
            for word in words:
                self._numbers[word].append(number)
        self._scan = WordScan(self._numbers)

    def among(self, text: str) -> "WordRules[Rule]":
        """The rules of lines that all stand in this text: it is searched once, and each line for words that it has."""
        return WordRules([(word, self._numbers[word]) for word in self._scan.words_in(text)], self.rules)

    def fitting(self, line: str) -> list[Rule]:
        """The rules of which the line has a word, in their order."""
        numbers = {number for word in self._scan.words_in(line) for number in self._numbers[word]}
        return [self.rules[number][1] for number in sorted(numbers)]


class WordRules(Generic[Rule]):
    """The rules of a LineRules that a text may have lines for, by those words of them that the text has."""

    def __init__(self, words: Sequence[tuple[str, Sequence[int]]], rules: Sequence[tuple[Sequence[str], Rule]]) -> None:
        self._words, self._rules = words, rules

    def fitting(self, line: str) -> list[Rule]:
        """The rules of which the line has a word, in their order."""
        numbers = {number for word, of_word in self._words if word in line for number in of_word}
        return [self._rules[number][1] for number in sorted(numbers)] if numbers else []
