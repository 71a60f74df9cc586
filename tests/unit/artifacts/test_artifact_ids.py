"""Ids of artifacts: of one form, readable where they may be, never to be guessed."""

import re

import pytest
from camillo_server.features.artifacts.artifact import (
    ALPHABET,
    ENCRYPTED_LEVELS,
    RANDOM_CHARACTERS,
    ArtifactDraft,
    new_artifact_id,
)
from camillo_server.kernel.kinds import Sensitivity
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case

FORM = re.compile(r"[a-z0-9][a-z0-9_]{2,63}")
WORDS = st.text(st.one_of(st.characters(), st.sampled_from("aZ09_- /\\.$\n\u0301é茶ﬁⅣſİ🔑עمक्ष")), max_size=80)


@given(name=WORDS, tool=WORDS, command=WORDS, sensitivity=st.sampled_from(Sensitivity))
def test_an_id_of_any_draft_has_the_form_of_ids(name: str, tool: str, command: str, sensitivity: Sensitivity) -> None:
    draft = ArtifactDraft(name=name, tool=tool, command=command, sensitivity=sensitivity)
    assert FORM.fullmatch(new_artifact_id(draft))


@each_case(
    ("draft", "words"),
    [
        (ArtifactDraft(command="npm install --verbose left-pad"), "npm_install"),
        (ArtifactDraft(command="mysql --password hunter2"), "mysql"),
        (ArtifactDraft(command="git log"), "git_log"),
        (ArtifactDraft(command="cat /etc/passwd", name="other"), "cat"),
        (ArtifactDraft(command="./build.sh", name="reports/Q3 résumé.csv"), "q3_resume_csv"),
        (ArtifactDraft(command="文件", name="報告", tool="web_fetch"), "web_fetch"),
        (ArtifactDraft(name="茶 🔑", description="said elsewhere"), "artifact"),
        (ArtifactDraft(name="a" * 300), "a" * 24),
        (ArtifactDraft(name="aaaaaaaaaaaaaaaaaaaaaaa b c"), "a" * 23),
        (ArtifactDraft(), "artifact"),
    ],
)
def test_the_words_are_what_it_is(draft: ArtifactDraft, words: str) -> None:
    assert new_artifact_id(draft)[: -RANDOM_CHARACTERS - 1] == words


@given(words=st.lists(st.from_regex(r"[a-z]{3,20}", fullmatch=True), min_size=3, max_size=3))
@pytest.mark.parametrize("sensitivity", Sensitivity)
def test_what_is_encrypted_at_rest_is_not_in_the_id(sensitivity: Sensitivity, words: list[str]) -> None:
    command, name, tool = words
    draft = ArtifactDraft(command=command, name=name, tool=tool, sensitivity=sensitivity)
    expected = "artifact" if sensitivity in ENCRYPTED_LEVELS else command
    assert new_artifact_id(draft)[: -RANDOM_CHARACTERS - 1] == expected


def test_fifty_bits_of_an_id_are_chance() -> None:
    assert len(set(ALPHABET)) ** RANDOM_CHARACTERS == 2**50
    tails = {new_artifact_id(ArtifactDraft(name="x"))[-RANDOM_CHARACTERS:] for _ in range(500)}
    assert len(tails) == 500
    assert set("".join(tails)) == set(ALPHABET)
    for place in range(RANDOM_CHARACTERS):
        assert {tail[place] for tail in tails} >= set(ALPHABET[:1]) | set(ALPHABET[-1:])
