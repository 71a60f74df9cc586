"""spaces list, show, forget, export, import, copy."""

import re
from pathlib import Path

import pytest

from tests.cli.conftest import Camillo, cells

NAME = "Ana Díaz"


@pytest.fixture(scope="module")
def camillo(server: Camillo) -> Camillo:
    ana, team = server.as_agent("users/of-spaces"), server.as_agent("teams/of-spaces")
    ana("remember", "Ana drinks tea", "--kind", "preference")
    ana("event", "record", "I moved", "--session", "s1")
    team("remember", f"{NAME} calls on Mondays")
    team("remember", f"{NAME} wrote a song")
    return server


def test_spaces_are_listed_below_a_prefix_and_shown(camillo: Camillo) -> None:
    (row,) = cells(camillo("spaces", "list", "users/of-spaces"))
    assert (row[0], row[-1]) == ("1", "users/of-spaces")
    shown = camillo("spaces", "show", "users/of-spaces")
    assert re.search(r"^space +users/of-spaces$", shown, re.MULTILINE)
    assert re.search(r"^1\tfor good\tpreference$", shown, re.MULTILINE)
    assert "events" in shown
    assert camillo.json("spaces", "show", "users/of-spaces")["sessions"] == "1"
    camillo.refused("spaces", "list", "/")


def test_a_person_is_forgotten_after_what_others_say_was_shown(camillo: Camillo) -> None:
    # It reads all that every test of this server has stored.
    forget = ("spaces", "forget", "users/of-spaces", "--also-named", NAME, "--timeout", "120")
    planned = camillo.run(*forget, "--dry-run")
    assert planned.returncode == 0, planned.stderr
    rows = cells(planned.stdout)
    assert [row[2] for row in rows if "teams/of-spaces" in row] == ["teams/of-spaces"] * 2
    token = re.search(r"--plan (\S+)", planned.stderr)
    assert token
    kept = next(row[1] for row in rows if row[-1].endswith("song"))
    camillo.refused(*forget, "--keep", "things=1", "--dry-run")
    camillo.refused(*forget, "--redact", "--plan", token[1], "--confirm", "users/43")
    done = camillo.run(
        *forget, "--redact", "--keep", f"memories={kept}", "--plan", token[1], "--confirm", "users/of-spaces"
    )
    assert (done.returncode, "redacted_memories 1" in done.stdout, "receipt" in done.stderr) == (0, True, True)
    texts = camillo.as_agent("teams/of-spaces")("list")
    assert "[forgotten] calls on Mondays" in texts
    assert f"{NAME} wrote a song" in texts
    assert camillo("spaces", "list", "users/of-spaces") == ""


def test_a_space_is_taken_elsewhere_by_a_file(camillo: Camillo, tmp_path: Path) -> None:
    template = camillo.as_agent("projects/template")
    template("remember", "Wir liefern freitags 🚚", "--tag", "größe")
    template("event", "record", "部署完了", "--session", "s1")
    file = tmp_path / "template.jsonl"
    done = camillo.run("spaces", "export", "projects/template", str(file))
    assert (done.returncode, done.stdout) == (0, "exported events 1, memories 1\n")
    assert "not counted: links, audit trail" in done.stderr
    assert camillo("spaces", "export", "projects/template").splitlines()[1:-1] == file.read_text().splitlines()[1:-1]
    into = ("spaces", "import", str(file), "--to", "projects/shop-1")
    assert camillo(*into, "--dry-run") == "would import events 1, memories 1\n"
    assert camillo("spaces", "list", "projects/shop-1") == ""
    assert camillo(*into) == "imported events 1, memories 1\n"
    again = camillo.run("spaces", "import", "-", "--to", "projects/shop-1", stdin=file.read_bytes())
    assert (again.stdout, "already: events 1, memories 1" in again.stderr) == ("imported nothing\n", True)
    copied = camillo.json("spaces", "copy", "projects/template", "projects/shop-2")
    assert copied["written"] == {"events": 1, "memories": 1}
    for shop in ("projects/shop-1", "projects/shop-2"):
        assert "Wir liefern freitags 🚚" in camillo.as_agent(shop)("list")
    # Cut off, or of something else.
    for content in (file.read_bytes()[:-100], b'{"content":"a memory"}\n', b"", b"\xff\n"):
        code, message = camillo.refused("spaces", "import", "-", "--to", "projects/shop-3", stdin=content)
        assert (code, message.startswith("-: ")) == (2, True)
    camillo.refused("spaces", "import", str(tmp_path / "none"), "--to", "projects/shop-3")
    camillo.refused("spaces", "import", str(file))
    camillo.refused("spaces", "copy", "projects/template", "projects/")
    assert camillo("spaces", "list", "projects/shop-3") == ""


def test_usage_of_all_spaces_takes_the_options_of_a_list(camillo: Camillo) -> None:
    assert camillo.run("usage", "--all-scopes", "--since", "7d", "--operation", "judging", "--json").returncode == 0
    camillo.refused("usage", "--by", "week")
