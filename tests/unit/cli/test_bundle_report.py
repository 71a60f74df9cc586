"""How a bundle is shown."""

import io

import pytest
from camillo.v1.context_pb2 import (
    Bundle,
    BundleSection,
    Omission,
    OmissionReason,
    PackingEntry,
    PackingOutcome,
    PackingReport,
    SectionBudget,
)
from camillo_cli import bundles
from camillo_cli.bundles import note_bundle, show_entries, show_sections
from rich.cells import cell_len
from rich.console import Console

from tests.cli.conftest import cells

EVENT = "0198c0de-0000-7000-8000-00000000000"
KEPT, TRIMMED, DROPPED = (
    PackingOutcome.PACKING_OUTCOME_KEPT,
    PackingOutcome.PACKING_OUTCOME_TRIMMED,
    PackingOutcome.PACKING_OUTCOME_DROPPED,
)
CUT, BUDGET, DUPLICATE = (
    OmissionReason.OMISSION_REASON_TRIMMED,
    OmissionReason.OMISSION_REASON_BUDGET,
    OmissionReason.OMISSION_REASON_DUPLICATE,
)


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> io.StringIO:
    """A terminal of the width that the test asks for."""
    file = io.StringIO()
    console = Console(file=file, width=request.param, force_terminal=True, color_system=None)
    monkeypatch.setattr(bundles, "console", lambda: console)
    return file


@pytest.fixture
def pipe(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bundles, "console", lambda: Console(file=io.StringIO()))


def bundle() -> Bundle:
    budgets = [
        SectionBudget(
            section="retrieved_evidence",
            priority=50,
            share_tokens=28_000,
            received_tokens=3_188,
            used_tokens=31_188,
            candidates=60,
            kept=41,
        ),
        SectionBudget(section="rules", priority=95, share_tokens=6_000, used_tokens=3_000, candidates=1, kept=1),
        SectionBudget(section="reserve", share_tokens=6_800),
    ]
    entries = [
        PackingEntry(section="rules", ref="rules", outcome=KEPT, tokens=3_000),
        *(
            PackingEntry(
                section="retrieved_evidence",
                ref=f"{EVENT}{place}",
                outcome=outcome,
                reason=reason,
                tokens=1_311,
                score=0.5,
            )
            for place, (outcome, reason) in enumerate(
                [(KEPT, None), (TRIMMED, CUT), (DROPPED, BUDGET), (DROPPED, DUPLICATE)]
            )
        ),
    ]
    return Bundle(
        bundle_id="b1",
        recipe="active_context",
        tokens=34_188,
        budget_tokens=65_000,
        sections=[BundleSection(name="rules"), BundleSection(name="retrieved_evidence")],
        report=PackingReport(budgets=budgets, entries=entries),
        omissions=[
            # Each is one item, however much it rests on.
            Omission(reason=DUPLICATE, refs=["a", "b", "c"]),
            Omission(reason=DUPLICATE, refs=["d"]),
            Omission(reason=CUT, artifact_id="x"),
            # One for the section, with all that it left out.
            Omission(reason=BUDGET, refs=["e", "f", "g"]),
        ],
    )


@pytest.mark.parametrize("screen", [80], indirect=True)
def test_sections_stand_in_the_order_of_the_prompt_with_bars(screen: io.StringIO) -> None:
    show_sections(bundle())
    lines = screen.getvalue().splitlines()
    assert [line.split()[0] for line in lines] == ["section", "rules", "retrieved_evidence", "reserve", "total"]
    assert lines[2].split()[1:4] == ["41/60", "31,188", "31,188"]
    assert lines[4].split()[1:3] == ["34,188", "65,000"]
    assert max(map(cell_len, lines)) <= 80
    half, full, none = (line.count("━") for line in lines[1:4])
    assert (half, none) == (full // 2, 0)
    assert full == 30


@pytest.mark.parametrize("screen", [80], indirect=True)
def test_how_budgets_came_about_is_explained(screen: io.StringIO) -> None:
    show_sections(bundle(), explained=True)
    lines = screen.getvalue().splitlines()
    assert lines[0].split() == ["section", "items", "prio", "share", "more", "tokens", "of"]
    assert lines[2].split()[:7] == [*("retrieved_evidence", "41/60", "50", "28,000", "+3,188", "31,188", "31,188")]
    assert max(map(cell_len, lines)) <= 80


@pytest.mark.parametrize("screen", [44, 60], indirect=True)
def test_a_narrow_terminal_does_without_what_it_has_no_room_for(screen: io.StringIO) -> None:
    show_sections(bundle(), explained=True)
    lines = screen.getvalue().splitlines()
    assert lines[0].split() == ["section", "items", "tokens", "of"]
    assert "…" not in screen.getvalue()


@pytest.mark.parametrize("screen", [80], indirect=True)
def test_candidates_stand_below_their_section_in_words(screen: io.StringIO) -> None:
    show_entries(bundle())
    lines = [line.rstrip() for line in screen.getvalue().splitlines()]
    assert lines[1] == "rules"
    assert lines[2].split() == ["rules", "kept", "3,000"]
    assert lines[3] == "retrieved_evidence"
    told = [" ".join(line.split()[1:-2]) for line in lines[4:]]
    assert told == ["kept", "cut", "over budget", "duplicate"]
    assert all(EVENT in line for line in lines[4:])
    assert max(map(cell_len, lines)) <= 80


@pytest.mark.usefixtures("pipe")
def test_in_a_pipe_nothing_is_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    show_sections(bundle(), explained=True)
    rows = cells(capsys.readouterr().out)
    assert rows[1] == ["retrieved_evidence", "41", "60", "31188", "31188"]
    assert len(rows) == 3
    show_entries(bundle())
    rows = cells(capsys.readouterr().out)
    assert rows[2] == ["retrieved_evidence", f"{EVENT}1", "cut", "1311", "0.500"]


@pytest.mark.usefixtures("pipe")
def test_what_is_left_out_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    note_bundle(bundle())
    assert capsys.readouterr().err.splitlines() == [
        "left out or cut: 3 over budget, 2 duplicate, 1 cut (see --explain)",
        "bundle b1, recipe active_context",
    ]
    note_bundle(Bundle(bundle_id="b2", recipe="mine"))
    assert capsys.readouterr().err == "bundle b2, recipe mine\n"


@pytest.mark.parametrize("screen", [80], indirect=True)
def test_names_cannot_steer_the_terminal(screen: io.StringIO) -> None:
    entry = PackingEntry(section="\x1b[31m", ref="\u202e[red]x[/red]", outcome=KEPT)
    show_entries(Bundle(report=PackingReport(entries=[entry])))
    assert "[red]x[/red]" in screen.getvalue()
    assert "\x1b" not in screen.getvalue()
    assert "\u202e" not in screen.getvalue()
