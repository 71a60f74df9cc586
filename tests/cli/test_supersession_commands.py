"""supersede, contradictions, and recall as of a moment, as they are typed."""

import json
import signal
from collections.abc import Callable, Iterator
from pathlib import Path
from subprocess import Popen

import pytest

from tests.chat_server import ChatServer, chat_server
from tests.cli.conftest import Camillo, cells, clean_environ, read_line
from tests.judging_model import judges
from tests.patience import PATIENCE_SECONDS

BERLIN, PARIS = "Ana lives in Berlin 🏙️", "Ana lives in Paris 🗼"


def remember(camillo: Camillo, *arguments: str) -> str:
    memory_id: str = camillo.json("remember", *arguments)["memory_id"]
    return memory_id


def contents(camillo: Camillo, *arguments: str) -> list[str]:
    hits = camillo.json("recall", "where does Ana live", *arguments).get("hits", [])
    return [hit["memory"]["content"] for hit in hits]


def test_a_memory_takes_anothers_place_when_it_is_remembered(camillo: Camillo) -> None:
    old = remember(camillo, BERLIN, "--valid-from", "2020-03-01")
    new = remember(camillo, PARIS, "--valid-from", "2024-05-01", "--supersedes", old)
    assert contents(camillo) == [PARIS]
    assert contents(camillo, "--as-of", "2022-01-01") == [BERLIN]
    assert contents(camillo, "--validity", "not_true") == [BERLIN]
    assert set(contents(camillo, "--validity", "any")) == {BERLIN, PARIS}
    shown = camillo.run("get", old).stdout
    assert "2024-05-01" in shown
    assert new in shown
    told = camillo.run("recall", "where does Ana live", "--explain").stderr
    assert f"before {new}: {BERLIN}" in told


def test_a_memory_takes_anothers_place_afterwards_and_once(camillo: Camillo) -> None:
    old, new = remember(camillo, BERLIN), remember(camillo, PARIS)
    assert set(contents(camillo)) == {BERLIN, PARIS}
    done = camillo.run("supersede", old, new, "--since", "2024-05-01")
    assert done.stdout.strip() == f"{old} is superseded by {new}"
    assert contents(camillo) == [PARIS]
    assert camillo.json("get", new)["valid_from"] == "2024-05-01T00:00:00Z"
    assert camillo.refused("supersede", old, new)[0] == 4
    assert camillo.refused("supersede", new, new)[0] == 1
    listed = camillo.lines("list", "--validity", "true")
    assert len(listed) == 1


def test_likely_contradictions_are_listed_and_nothing_is_changed(camillo: Camillo) -> None:
    assert "no contradictions" in camillo.run("contradictions").stderr
    old = remember(camillo, "The harbour fee for Ana is 40 francs")
    new = remember(camillo, "The harbour fee for Ana is 70 francs")
    [row] = cells(camillo.run("contradictions").stdout)
    assert {old, new} == set(row[:2])
    assert row[2] == "number"
    [found] = camillo.lines("contradictions")
    assert found["differences"] == ["DIFFERENCE_NUMBER"]
    assert len(camillo.lines("list")) == 2


@pytest.fixture
def provider() -> Iterator[ChatServer]:
    with chat_server() as running:
        running.always = judges()
        yield running


@pytest.fixture
def with_judge(start: Callable[..., Popen[bytes]], tmp_path: Path, provider: ChatServer) -> Iterator[Camillo]:
    """Commands against a server of their own, which has a model."""
    settings = {
        "CAMILLO_CONTRADICTIONS_LITELLM_MODEL": "openai/test",
        "CAMILLO_CONTRADICTIONS_LITELLM_API_BASE": provider.url,
        "CAMILLO_CONTRADICTIONS_LITELLM_API_KEY": "sk-test",
        "CAMILLO_CONTRADICTIONS_MIN_SIMILARITY": "0.3",
        "CAMILLO_MEMORY_EMBEDDING_BUDGET_USD": "1",
        "CAMILLO_MEMORY_EMBEDDING_MODEL": "lexical",
    }
    process = start(*("serve", "--json", "--port", "0", "--data-dir", str(tmp_path)), env=clean_environ() | settings)
    yield Camillo(json.loads(read_line(process))["address"], tmp_path, "ada")
    process.send_signal(signal.SIGINT)
    assert process.wait(PATIENCE_SECONDS) == 0


@pytest.mark.xdist_group("litellm")
def test_a_model_proposes_and_the_printed_command_accepts(with_judge: Camillo) -> None:
    old = remember(with_judge, "Ana likes green tea very much 🍵")
    new = remember(with_judge, "Ana has given up green tea for coffee 🍵")
    assert "no contradictions" in with_judge.run("contradictions").stderr
    told = with_judge.run("contradictions", "--judge", "--timeout", "60")
    [row] = cells(told.stdout)
    assert row[:4] == [old, new, "", "the newer supersedes: 換"]
    command = f"camillo supersede {old} {new}"
    assert f"to accept: {command}" in told.stderr
    [found] = with_judge.lines("contradictions", "--judge")
    assert found["judgement"]["verdict"] == "VERDICT_SUPERSEDES"
    assert found["judgement"]["current_id"] == new
    with_judge(*command.split()[1:])
    assert "no contradictions" in with_judge.run("contradictions", "--judge").stderr


def test_without_a_model_the_rules_stand_and_a_note_says_why(camillo: Camillo) -> None:
    remember(camillo, "The harbour fee for Ana is 40 francs")
    remember(camillo, "The harbour fee for Ana is 70 francs")
    told = camillo.run("contradictions", "--judge")
    [row] = cells(told.stdout)
    assert row[2:4] == ["number", "unjudged (no_model)"]
    assert "contradictions.litellm_model" in told.stderr
    assert "to accept" not in told.stderr


def test_an_update_changes_when_it_is_true(camillo: Camillo) -> None:
    kept = remember(camillo, BERLIN)
    camillo("update", kept, "--valid-until", "2025-01-01")
    assert contents(camillo) == []
    assert contents(camillo, "--validity", "any") == [BERLIN]
