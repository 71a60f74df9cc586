"""The counter that is used: the one that is named, or an error that says what helps."""

from pathlib import Path

import pytest
from camillo_server.lib.text.exact_tokens import VOCABULARIES, TokenizerError, choose_counter
from camillo_server.lib.text.tokens import ESTIMATE, count_tokens

# One worker reads the vocabularies, which takes two seconds.
pytestmark = pytest.mark.xdist_group("vocabularies")


def test_without_a_name_tokens_are_estimated(tmp_path: Path) -> None:
    counter = choose_counter("", tmp_path)
    assert counter is ESTIMATE
    assert counter.name == "estimate"
    assert counter.count("猫 is 1 cat") == count_tokens("猫 is 1 cat")


@pytest.mark.parametrize("name", VOCABULARIES)
def test_a_vocabulary_is_taken_by_its_name(name: str, models: Path) -> None:
    assert choose_counter(name, models).name == name


@pytest.mark.parametrize("name", VOCABULARIES)
def test_one_that_is_not_there_is_not_replaced_by_another(name: str, tmp_path: Path) -> None:
    with pytest.raises(TokenizerError, match=f"camillo models pull {name}$"):
        choose_counter(name, tmp_path)


@pytest.mark.parametrize("name", ["gpt2", "../cl100k_base", "CL100K_BASE", " "])
def test_an_unknown_name_is_refused_with_those_that_are_known(name: str, models: Path) -> None:
    with pytest.raises(TokenizerError, match="cl100k_base, o200k_base"):
        choose_counter(name, models)
