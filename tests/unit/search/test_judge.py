"""Answers of the model that judges pairs, and which of them count: hostile, wrong and fenced ones among them."""

import json

from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.search.contradiction import Verdict
from camillo_server.search.judge import MAX_REASON_CHARACTERS, PairVerdict, verdicts
from camillo_server.search.judging import VerdictCache

from tests.cases import each_case

ONE = {"pair": "a1", "verdict": "supersedes", "current": "later", "reason": "搬家了 🚚"}
OTHER = {"pair": "b2", "verdict": "compatible", "current": None, "reason": "לא אותו דבר"}
READ = {
    "a1": PairVerdict(Verdict.SUPERSEDES, True, "搬家了 🚚"),
    "b2": PairVerdict(Verdict.COMPATIBLE, False, "לא אותו דבר"),
}
ALICE = Scope(TenantId("acme"), AgentId("alice"))
BOB = Scope(TenantId("acme"), AgentId("bob"))
RIVAL = Scope(TenantId("rival"), AgentId("alice"))


def answer(*items: object) -> str:
    return json.dumps({"verdicts": items}, ensure_ascii=False)


@each_case(
    "text",
    [
        answer(ONE, OTHER),
        f"```json\n{answer(ONE, OTHER)}\n```",
        f"\n ```\n{answer(ONE, OTHER)}```\n",
        answer(ONE, OTHER, None, 7, "b2", [], {}, {"pair": "c3"}),
        answer(ONE, OTHER, {**ONE, "pair": "c3", "current": None}),
        answer(ONE, OTHER, {**ONE, "pair": "c3", "current": "both"}),
        answer(ONE, OTHER, {**ONE, "pair": 3}, {**ONE, "pair": "c3", "verdict": 1}),
        answer(ONE, OTHER, {**ONE, "pair": "c3", "reason": ["a"]}),
    ],
)
def test_valid_verdicts_are_read_and_what_is_beside_them_is_not(text: str) -> None:
    assert verdicts(text) == READ


@each_case(
    "text",
    [
        "",
        "null",
        "[]",
        '"verdicts"',
        '{"verdicts": {"a1": "compatible"}}',
        '{"verdict": []}',
        answer(ONE, OTHER)[:-1],
        f"Here you are: {answer(ONE, OTHER)}",
        "[" * 100_000,
        '{"verdicts":' * 2_000,
        "```",
        "```json",
        '{"verdicts": [{"pair": "a1", "verdict": "compatible", "reason": "\\ud800"}]}',
        '{"verdicts": NaN}',
    ],
)
def test_an_answer_out_of_form_has_none(text: str) -> None:
    assert verdicts(text) == {}


def test_a_pair_that_is_judged_twice_has_no_verdict() -> None:
    assert verdicts(answer(ONE, OTHER, {**ONE, "verdict": "compatible"})) == {"b2": READ["b2"]}


def test_a_reason_is_one_line_of_bounded_length() -> None:
    [read] = verdicts(answer({**ONE, "reason": "a\u0000b\r\n\x1b[31mc\t" + "e\u0301" * 300})).values()
    assert read.reason.startswith("a b [31mc e\u0301")
    assert len(read.reason) == MAX_REASON_CHARACTERS


def test_a_verdict_is_kept_for_the_same_texts_of_the_same_scope_alone() -> None:
    cache = VerdictCache(10)
    cache.put(ALICE, "tea 茶", READ["a1"])
    assert cache.get(ALICE, "tea 茶") == READ["a1"]
    assert cache.get(ALICE, "tea") is None
    assert cache.get(BOB, "tea 茶") is None
    assert cache.get(RIVAL, "tea 茶") is None


def test_nothing_that_is_kept_can_be_read_without_the_texts() -> None:
    cache = VerdictCache(10)
    cache.put(ALICE, "tea 茶", PairVerdict(Verdict.CONTRADICTS, False, "Zebra 🦓"))
    [(digest, kept)] = cache._entries._values.items()
    everything = digest + kept.encrypted_reason + cache._secret + repr(kept).encode()
    assert b"Zebra" not in everything
    assert "🦓".encode() not in everything
    found = cache.get(ALICE, "tea 茶")
    assert found is not None
    assert found.reason == "Zebra 🦓"


def test_of_many_verdicts_the_latest_stay_and_without_entries_none() -> None:
    cache = VerdictCache(2)
    for text in ("one", "two", "three"):
        cache.put(ALICE, text, READ["a1"])
    assert [cache.get(ALICE, text) is not None for text in ("one", "two", "three")] == [False, True, True]
    none = VerdictCache(0)
    none.put(ALICE, "one", READ["a1"])
    assert none.get(ALICE, "one") is None
