"""The text that stands in place of an output, and how many tokens the output has."""

import pytest
from camillo_server.features.artifacts.offload_output import MAX_COUNTED_CHARACTERS, estimated_tokens, offloaded_text
from camillo_server.lib.outputs.summary.sample import Preview
from camillo_server.lib.text.tokens import count_tokens


def test_the_ref_comes_first_then_the_summary_then_both_ends() -> None:
    text = offloaded_text("[MemoryRef: a_1 - tests]", "2 failed", Preview("first 茶", "last"))
    assert text.split("\n") == ["[MemoryRef: a_1 - tests]", "2 failed", "--- head", "first 茶", "--- tail", "last"]


def test_what_is_empty_leaves_no_line() -> None:
    assert offloaded_text("[ref]", "", Preview("", "")) == "[ref]"
    assert offloaded_text("[ref]", "sum", Preview("h", "")) == "[ref]\nsum\n--- head\nh"


@pytest.mark.parametrize("line", ["they knew it well\n", "人人生而自由，在尊严\n", "0x8f3c2e1a, ", "🎉🔥"])
def test_tokens_of_long_text_are_projected_from_samples(line: str) -> None:
    text = line * (4 * MAX_COUNTED_CHARACTERS // len(line))
    assert estimated_tokens(text) == pytest.approx(count_tokens(text), rel=0.05)


def test_tokens_of_text_that_changes_are_projected_from_all_of_it() -> None:
    half = 2 * MAX_COUNTED_CHARACTERS
    text = "they knew it well " * (half // 18) + "人人生而自由，" * (half // 7)
    assert estimated_tokens(text) == pytest.approx(count_tokens(text), rel=0.1)


@pytest.mark.parametrize("length", [0, 1, MAX_COUNTED_CHARACTERS - 1, MAX_COUNTED_CHARACTERS])
def test_tokens_of_text_up_to_the_bound_are_counted(length: int) -> None:
    text = ("they knew, it well\n" * (MAX_COUNTED_CHARACTERS // 19 + 1))[:length]
    assert estimated_tokens(text) == count_tokens(text)


@pytest.mark.parametrize("more", [1, 30, 31, 32])
def test_just_above_the_bound_the_projection_is_near_the_count(more: int) -> None:
    text = ("they knew, it well\n" * (MAX_COUNTED_CHARACTERS // 9))[: MAX_COUNTED_CHARACTERS + more]
    assert estimated_tokens(text) == pytest.approx(count_tokens(text), rel=0.05)
