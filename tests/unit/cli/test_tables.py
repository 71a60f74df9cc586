"""Tables fit the terminal, whatever is in them."""

import io

import pytest
from camillo_cli import tables
from camillo_cli.format import clean, printable
from camillo_cli.options import OutputOptions
from camillo_cli.tables import Column, print_list, show_table
from rich.cells import cell_len
from rich.console import Console

COLUMNS = [Column("id"), Column("age", right=True, optional=True), Column("kind", optional=True), Column("content")]
TEXTS = [
    "plain words that go on and on " * 20,
    "日本語の長い文章です。" * 30,
    "مرحبا بالعالم " * 30,
    "🍵 tea 👨\u200d👩\u200d👧 family " * 30,
    "[red]markup[/red] \x1b[31mescape\x1b[0m \u202eturned",
    "",
]


@pytest.fixture
def screen(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> io.StringIO:
    """A terminal of the width that the test asks for."""
    file = io.StringIO()
    console = Console(file=file, width=request.param, force_terminal=True, color_system=None)
    monkeypatch.setattr(tables, "console", lambda: console)
    monkeypatch.setattr(tables, "is_terminal", lambda: True)
    return file


@pytest.mark.parametrize(("screen", "width"), [(60, 60), (80, 80), (120, 120)], indirect=["screen"])
def test_no_line_is_wider_than_the_terminal(screen: io.StringIO, width: int) -> None:
    show_table(COLUMNS, [["0198c0de", "5 min", "fact", text] for text in TEXTS], lines=2)
    lines = screen.getvalue().splitlines()
    assert max(cell_len(line) for line in lines) <= width
    assert len(lines) <= 1 + 2 * len(TEXTS)
    assert "[red]markup[/red]" in screen.getvalue()
    assert "\x1b" not in screen.getvalue()


@pytest.mark.parametrize("screen", [50], indirect=True)
def test_a_narrow_terminal_does_without_optional_columns(screen: io.StringIO) -> None:
    show_table(COLUMNS, [["0198c0de", "5 min", "fact", "text"]])
    heading = screen.getvalue().splitlines()[0].split()
    assert heading == ["id", "content"] or heading == ["id", "age", "content"]


@pytest.mark.parametrize("screen", [80], indirect=True)
def test_what_is_cut_ends_with_an_ellipsis(screen: io.StringIO) -> None:
    show_table([Column("content")], [["word " * 100], ["short"]], lines=2)
    lines = [line.rstrip() for line in screen.getvalue().splitlines()]
    assert lines[2].endswith("…")
    assert lines[3] == "short"


def test_without_a_terminal_cells_are_whole_and_parted_by_tabs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    console = Console(file=io.StringIO(), force_terminal=False)
    monkeypatch.setattr(tables, "console", lambda: console)
    show_table(COLUMNS, [["1", "5 min", "fact", "a\tb\nc " + "word " * 100]])
    headings = "id\tage\tkind\tcontent\n"
    row = f"1\t5 min\tfact\ta b c {('word ' * 100).strip()}\n"
    assert capsys.readouterr().out == headings + row
    show_table(COLUMNS, [])
    assert capsys.readouterr().out == ""


def test_a_list_of_several_pages_has_one_line_of_headings(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tables, "PAGE_SIZE", 2)
    print_list(OutputOptions(), "abcde", [Column("letter", str)], empty="no letters")
    assert capsys.readouterr().out == "letter\na\nb\nc\nd\ne\n"
    print_list(OutputOptions(), "", [Column("letter", str)], empty="no letters")
    assert capsys.readouterr() == ("", "no letters\n")


def test_a_cleaned_text_is_one_line_that_steers_nothing() -> None:
    assert clean(" a\n\tb \u2028 c ") == "a b c"
    assert clean("\x1b[2J\x07") == "\ufffd[2J\ufffd"
    assert clean("a\u202eb\u2066c\ufeff") == "abc"
    assert clean("👨\u200d👩 é") == "👨\u200d👩 é"


def test_a_printable_text_keeps_its_lines() -> None:
    assert printable("def f():\n\treturn 1\x1b") == "def f():\n\treturn 1\ufffd"
