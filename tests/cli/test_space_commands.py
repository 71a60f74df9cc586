"""spaces list, show, forget."""

import re

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
    forget = ("spaces", "forget", "users/of-spaces", "--also-named", NAME)
    planned = camillo.run(*forget, "--dry-run")
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
