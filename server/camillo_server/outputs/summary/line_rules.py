"""Rules about lines, of which only those are tried whose words a line has."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Generic, TypeVar

from camillo_server.text.pattern_scan import WordScan

Rule = TypeVar("Rule")


class LineRules(Generic[Rule]):
    """Rules in an order, each with words of which a line must have one."""

    def __init__(self, rules: Iterable[tuple[Sequence[str], Rule]]) -> None:
        self.rules = tuple(rules)
        self._numbers: dict[str, list[int]] = defaultdict(list)
        for number, (words, _) in enumerate(self.rules):
            for word in words:
                self._numbers[word].append(number)
        self._scan = WordScan(self._numbers)

    def fitting(self, line: str) -> list[Rule]:
        """Those of which the line has a word, in their order."""
        numbers = {number for word in self._scan.words_in(line) for number in self._numbers[word]}
        return [self.rules[number][1] for number in sorted(numbers)]
