"""Exact counts: the library's own, from files on disk alone."""

import sys
from pathlib import Path

import pytest
import tiktoken
from camillo_server.lib.text.exact_tokens import VOCABULARIES, ExactCounter, TokenizerError, choose_counter
from camillo_server.lib.text.tokens import TokenCounter
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.cases import each_case
from tests.unit.text.test_tokens import bordered_parts, joined_at_borders
from tests.unit.text.vocabulary_files import library_directory, tiny_file

# One worker reads the vocabularies, which takes two seconds.
pytestmark = pytest.mark.xdist_group("vocabularies")

# White space, marks, capitals and endings are where expressions that cut texts differ.
PARTS = st.sampled_from(
    (
        *(" ", "  ", "\n", "\r\n", "\t", "\u3000", "a", "The", "HTTPResponse", "don't", "I'LL"),
        *("we’ve", "猫が", "привет", "مرحبا", "नमस्ते", "e\u0301", "ǅ", "👩🏽‍💻", "12345", "٣٤", "½"),
        *("#!", "://", "{}", "_"),
    )
)
TEXTS = st.lists(PARTS | st.characters(codec="utf-8"), max_size=30).map("".join)


@pytest.fixture(scope="module", params=VOCABULARIES)
def counter(request: pytest.FixtureRequest, models: Path) -> TokenCounter:
    return choose_counter(request.param, models)


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> None:
    """tiktoken with the vocabularies at hand where it looks for them, so that it asks no network."""
    monkeypatch.setenv("TIKTOKEN_CACHE_DIR", str(library_directory()))


@pytest.mark.usefixtures("library")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(text=TEXTS)
def test_counts_are_those_of_the_library(counter: TokenCounter, text: str) -> None:
    own = tiktoken.get_encoding(counter.name)
    assert counter.count(text) == len(own.encode(text, disallowed_special=()))


@each_case(
    ("text", "cl100k", "o200k"),
    [
        ("", 0, 0),
        ("hello world", 2, 2),
        ("人人生而自由，在尊严和权利上一律平等。", 21, 15),
        ("👩🏽‍💻", 10, 7),
        ("e\u0301", 2, 2),
    ],
)
def test_texts_have_the_counts_known_of_them(counter: TokenCounter, text: str, cl100k: int, o200k: int) -> None:
    assert counter.count(text) == {"cl100k_base": cl100k, "o200k_base": o200k}[counter.name]


def test_what_looks_like_a_special_token_is_plain_text(counter: TokenCounter) -> None:
    assert counter.count("<|endoftext|>") > 3
    assert counter.count("end of text") == 3


@given(text=st.text(max_size=60), budget=st.integers(-2, 60))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_text_fits_as_its_count_says(counter: TokenCounter, text: str, budget: int) -> None:
    assert counter.fits(text, budget) == (counter.count(text) <= budget)


def test_a_text_of_long_tokens_fits_exactly(counter: TokenCounter) -> None:
    text = " " * 1_000 + "-" * 1_000
    count = counter.count(text)
    assert count < 40
    assert counter.fits(text, count)
    assert not counter.fits(text, count - 1)


def test_half_a_surrogate_pair_is_counted(counter: TokenCounter) -> None:
    assert counter.count("a\ud83db") >= 3


def test_counts_follow_the_file(tmp_path: Path) -> None:
    counter = ExactCounter(*tiny_file(tmp_path))
    assert counter.name == "tiny"
    assert counter.count("abab") == 1
    assert counter.count("ababa") == 2
    assert counter.count("猫 cat cats") == 1 + 1 + len(" cats")
    assert counter.count("犬") == 3


def test_a_missing_file_says_which_command_fetches_it(tmp_path: Path) -> None:
    vocabulary, file = tiny_file(tmp_path)
    assert ExactCounter(vocabulary, file).count("ab") == 1
    file.unlink()
    with pytest.raises(TokenizerError, match=r"camillo models pull tiny$"):
        ExactCounter(vocabulary, file)


def test_a_damaged_file_is_not_used(tmp_path: Path) -> None:
    vocabulary, file = tiny_file(tmp_path)
    file.write_bytes(file.read_bytes()[:-20])
    with pytest.raises(TokenizerError, match="is damaged, by its SHA-256: camillo models pull tiny"):
        ExactCounter(vocabulary, file)


def test_without_the_library_it_says_what_to_install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    vocabulary, file = tiny_file(tmp_path)
    monkeypatch.setitem(sys.modules, "tiktoken", None)
    with pytest.raises(TokenizerError, match=r"pip install 'camillo-server\[tokens\]'") as raised:
        ExactCounter(vocabulary, file)
    assert "\n" not in raised.value.reason
    monkeypatch.undo()
    assert ExactCounter(vocabulary, file).count("ab") == 1


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(parts=bordered_parts(TEXTS))
def test_texts_between_borders_have_the_tokens_of_the_whole(counter: TokenCounter, parts: list[str]) -> None:
    texts = joined_at_borders(parts)
    for _ in ("not yet counted", "known"):
        assert counter.count_joined(texts) == counter.count("".join(parts))
