"""Cost of tokens, and how many there can be in a text."""

from camillo_server.models.embedding.spend import Price, max_tokens
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
