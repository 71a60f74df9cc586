"""Cost of tokens, and how many there can be in a text."""

from camillo_server.kernel.ids import AgentId
from camillo_server.models.embedding.limits import Used
from camillo_server.models.embedding.spend import Price, Shares, divided, max_tokens, shares_of
from tokenizers import Tokenizer
from tokenizers.models import BPE
from tokenizers.pre_tokenizers import ByteLevel

from tests.cases import each_case


@each_case(
    ("usd_per_million", "tokens", "nano_usd"),
    [(0.02, 1, 20), (0.02, 1_000_000, 20_000_000), (0.13, 7, 910), (0.0001, 1, 1), (0.0, 5, 0), (6, 3, 18_000)],
)
def test_a_price_is_exact_and_rounded_up_to_a_billionth(usd_per_million: float, tokens: int, nano_usd: int) -> None:
    assert Price(usd_per_million).nano_usd(tokens) == nano_usd


@each_case("text", ["tea", "一只耐心的斑马", "مرحبا", "🎉👩‍👩‍👧", "e\u0301", "\ud800", ""])
def test_no_text_has_more_tokens_than_are_set_aside(text: str) -> None:
    # Without a single merge each byte is a token, and no tokenizer makes more.
    alphabet = ByteLevel.alphabet()
    tokenizer = Tokenizer(BPE({letter: number for number, letter in enumerate(alphabet)}, []))
    tokenizer.pre_tokenizer = ByteLevel(add_prefix_space=True)
    worst = len(tokenizer.encode(text.encode("utf-8", "replace").decode()).ids)
    assert worst <= max_tokens([text])
    assert max_tokens([text, text]) == 2 * max_tokens([text])


def test_answers_may_have_a_price_of_their_own() -> None:
    assert Price(0.15, 0.6).nano_usd(1_000, 100) == 150_000 + 60_000
    assert Price(0.15).nano_usd(1_000, 100) == 165_000
    assert Price(0.15, 0.6).used(2, 3) == (2, 3, 2_100)
    assert Price(0.15, 0.0).nano_usd(0, 10**9) == 0


@each_case(
    ("shares", "parts"),
    [
        ({}, {"*": 10}),
        ({"users/ana": 0}, {"users/ana": 10}),
        ({"a": 1, "b": 1, "c": 1}, {"a": 3, "b": 3, "c": 4}),
        ({"a": 0, "b": 0}, {"a": 10, "b": 0}),
        ({"a": 1, "b": 9_999}, {"b": 9, "a": 1}),
    ],
)
def test_what_spaces_share_is_divided_to_the_token(shares: Shares, parts: dict[str, int]) -> None:
    assert {agent_id: each.input_tokens for agent_id, each in divided(Used(10, 0, 7), shares)} == parts
    assert sum(each.nano_usd for _, each in divided(Used(10, 0, 7), shares)) == 7


def test_the_characters_of_each_space_count() -> None:
    ana, shop = AgentId("users/ana"), AgentId("projects/shop")
    assert shares_of((ana, shop, ana), ["aaa", "茶", "b"]) == {ana: 4, shop: 1}
    assert shares_of((ana,), ["aaa", "茶"]) == {ana: 1}
    assert shares_of((), ["aaa"]) == {}
