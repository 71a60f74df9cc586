"""How the hits of a recall look in a terminal."""

import io
from datetime import UTC, datetime

import pytest
from camillo.v1.actor_pb2 import EventKind
from camillo.v1.memory_pb2 import ArmScore, Chunk, DegradedReason, Memory, RecallHit, ScoreBreakdown, Source
from camillo.v1.memory_service_pb2 import RecallResponse
from camillo_cli import tables
from camillo_cli.recall import OTHER_ORDER, degraded_notes, show_hits
from rich.cells import cell_len
from rich.console import Console

NOW = datetime(2026, 5, 4, tzinfo=UTC)
TEXTS = [
    "plain words that go on and on " * 20,
    "日本語の長い文章です。" * 30,
    "مرحبا بالعالم " * 30,
    "🍵 tea e\u0301 " * 30,
]
PARTS = ["dense", "lexical", "simil.", "recent", "imp.", "near", "brief", "boost"]


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> io.StringIO:
    """A terminal of the width that the test asks for."""
    file = io.StringIO()
    console = Console(file=file, width=request.param, force_terminal=True, color_system=None)
    monkeypatch.setattr(tables, "console", lambda: console)
    monkeypatch.setattr(tables, "is_terminal", lambda: True)
    return file


def answer(boost: float) -> RecallResponse:
    breakdown = ScoreBreakdown(
        dense=ArmScore(rank=1, raw=0.4, normalized=0.39),
        similarity=0.58,
        recency=0.12,
        importance=0.9,
        neighbourhood=0.56,
        brevity=1,
        boost=boost,
        dense_weight=0.2,
        lexical_weight=0.15,
        neighbour_weight=0.43,
        brevity_weight=0.22,
    )
    hits = [RecallHit(score=0.55, breakdown=breakdown, memory=Memory(content=text, tags=["a", "b"])) for text in TEXTS]
    return RecallResponse(hits=hits)


def shown(screen: io.StringIO) -> tuple[list[str], list[str], list[str]]:
    """The headings, the cells of the first hit, and all lines."""
    lines = screen.getvalue().splitlines()
    return lines[0].split(), lines[1].split(), lines


@pytest.mark.parametrize("boost", [-0.03, 0.0])
@pytest.mark.parametrize("screen", [100], indirect=True)
def test_a_terminal_of_100_columns_shows_every_part(screen: io.StringIO, boost: float) -> None:
    show_hits(answer(boost), explained=True)
    headings, cells, lines = shown(screen)
    assert headings == ["score", *PARTS, "content"]
    parts = ["0.39", "-", "0.58", "0.12", "0.90", "0.56", "1.00"]
    assert cells[:9] == ["0.550", *parts, f"{boost:+.3f}"]
    assert max(map(cell_len, lines)) <= 100
    assert len(lines) <= 1 + 3 * len(TEXTS)


@pytest.mark.parametrize("screen", [80], indirect=True)
def test_a_terminal_of_80_columns_shows_the_boost_for_what_is_in_it(screen: io.StringIO) -> None:
    show_hits(answer(0.07), explained=True)
    headings, cells, lines = shown(screen)
    assert headings == ["score", "dense", "lexical", "simil.", "near", "brief", "boost", "content"]
    assert cells[:7] == ["0.550", "0.39", "-", "0.58", "0.56", "1.00", "+0.070"]
    assert max(map(cell_len, lines)) <= 80


@pytest.mark.parametrize("screen", [80], indirect=True)
def test_a_terminal_of_80_columns_shows_what_enters_a_score_without_boost(screen: io.StringIO) -> None:
    show_hits(answer(0), explained=True)
    headings, cells, lines = shown(screen)
    assert headings == ["score", *PARTS[:5], "content"]
    assert cells[:6] == ["0.550", "0.39", "-", "0.58", "0.12", "0.90"]
    assert max(map(cell_len, lines)) <= 80


@pytest.mark.parametrize("screen", [80], indirect=True)
def test_weights_are_noted_below_what_is_explained(screen: io.StringIO, capsys: pytest.CaptureFixture[str]) -> None:
    show_hits(answer(0), explained=False)
    assert "plain words" in screen.getvalue()
    assert capsys.readouterr().err == ""
    show_hits(answer(0), explained=True)
    weights = "weights: dense 0.20, lexical 0.15, neighbour 0.43, brevity 0.22\n"
    assert capsys.readouterr().err == weights


@pytest.mark.parametrize("screen", [80], indirect=True)
def test_an_order_that_is_not_that_of_the_scores_is_noted(
    screen: io.StringIO, capsys: pytest.CaptureFixture[str]
) -> None:
    falling = answer(0)
    show_hits(falling, explained=True)
    assert OTHER_ORDER not in capsys.readouterr().err
    falling.hits[-1].score = 0.9
    show_hits(falling, explained=True)
    assert capsys.readouterr().err.splitlines()[1:] == [OTHER_ORDER]
    assert "0.900" in screen.getvalue()


@pytest.mark.parametrize("screen", [80], indirect=True)
def test_ids_and_texts_stand_alone_without_explanation(screen: io.StringIO) -> None:
    memory = Memory(memory_id="0198c0de-0000-7000-8000-000000000001", content="Ada prefers tea")
    show_hits(RecallResponse(hits=[RecallHit(memory=memory, score=0.5)]), explained=False)
    headings, cells, _ = shown(screen)
    assert headings[0] == "id"
    assert headings[-1] == "content"
    assert "score" not in headings
    assert cells[0] == memory.memory_id
    assert " ".join(cells[-3:]) == "Ada prefers tea"


@pytest.mark.parametrize("screen", [100], indirect=True)
def test_chunks_stand_beside_memories(screen: io.StringIO) -> None:
    said = Chunk(text="ada: お茶?", event_kind=EventKind.EVENT_KIND_MESSAGE, tags=["a"])
    decided = Chunk(text="daily", source=Source.SOURCE_DECISION)
    hits = [RecallHit(chunk=said), RecallHit(chunk=decided), RecallHit(memory=Memory(content="b"))]
    show_hits(RecallResponse(hits=hits), explained=False)
    lines = screen.getvalue().splitlines()
    assert lines[1].split()[-4:] == ["a", "message", "ada:", "お茶?"]
    assert lines[2].split()[-2:] == ["decision", "daily"]
    assert lines[3].split()[-1] == "b"


def test_every_reason_of_a_poorer_answer_is_told_in_words() -> None:
    known = [number for number in DegradedReason.values() if number]
    told = degraded_notes(known)  # type: ignore[arg-type]
    assert len(told) == len(known) >= 4
    assert all(" " in reason for reason in told)
    assert degraded_notes([99]) == ["99"]  # type: ignore[list-item]
