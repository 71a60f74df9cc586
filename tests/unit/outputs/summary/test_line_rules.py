"""Rules of lines: words are found in one pass as they are one by one, so that no rule is left out."""

from itertools import chain
from typing import Any

import hyperscan
import pytest
from camillo_server.lib.outputs.summary import errors, failing_tests
from camillo_server.lib.outputs.summary.findings import STRONG, WEAK
from camillo_server.lib.text.pattern_scan import LineRules, WordScan
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.outputs.summary import build_outputs, run_outputs
from tests.unit.outputs.summary.samples import Output

RULES: dict[str, LineRules[Any]] = {
    "errors": errors.RULES,
    "tests": failing_tests.RULES,
    "statuses": failing_tests.STATUS_RULES,
}
WORDS = {
    "strong": STRONG,
    "weak": WEAK,
    **{name: WordScan(word for words, _ in rules.rules for word in words) for name, rules in RULES.items()},
}
OUTPUTS: dict[str, Output] = {**build_outputs.OUTPUTS, **run_outputs.OUTPUTS}
LINES = sorted({line for output in OUTPUTS.values() for line in output.text.split("\n")})
PIECES = st.lists(
    st.sampled_from([
        *sorted(set(chain.from_iterable(scan.words for scan in WORDS.values()))),
        "失败", "🔥", "خطأ", "\n", "K", "\ud800", "\0", "ok",
    ])
    | st.text(max_size=3)
)  # fmt: skip


@pytest.mark.parametrize("name", WORDS)
@given(pieces=PIECES)
def test_words_are_found_as_they_are_one_by_one(name: str, pieces: list[str]) -> None:
    text = "".join(pieces)
    scan = WORDS[name]
    found = scan.words_in(text)
    assert sorted(found) == sorted(word for word in scan.words if word in text)


@pytest.mark.parametrize("name", RULES)
def test_each_line_gets_its_rules_in_their_order(name: str) -> None:
    rules = RULES[name]
    fitting = {line: rules.fitting(line) for line in chain(LINES, map(str.lower, LINES))}
    for line, found in fitting.items():
        assert found == [rule for words, rule in rules.rules if any(word in line for word in words)]
    assert any(fitting.values())
    assert not all(fitting.values())


@pytest.mark.parametrize("name", RULES)
def test_rules_among_the_words_of_all_lines_fit_a_line_as_all_rules_do(name: str) -> None:
    rules = RULES[name]
    among = rules.among("\n".join(LINES))
    fitting = {line: among.fitting(line) for line in LINES}
    assert fitting == {line: rules.fitting(line) for line in LINES}
    assert any(fitting.values())


def test_the_first_rule_of_several_with_one_word_comes_first() -> None:
    rules = LineRules([(["b", "失败"], "first"), (["a"], "second"), (["失败"], "third")])
    assert rules.fitting("a 失败") == ["first", "second", "third"]
    assert rules.fitting("🔥") == []


def test_without_hyperscan_words_are_found_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise hyperscan.error("architecture")

    monkeypatch.setattr(hyperscan, "Database", refuse)
    scan = WordScan(["失败", "error"])
    assert scan.words_in("an error: 失败") == ["失败", "error"]
    assert scan.words_in("مرحبا") == []
