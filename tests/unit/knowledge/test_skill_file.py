"""The front matter of a SKILL.md: what it says, in whatever script, and what is refused of a hostile one."""

import time

import pytest
from camillo_formats.plain_yaml import FieldRefused
from camillo_formats.skill_file import MAX_FRONT_MATTER, read_skill_file
from camillo_server.features.knowledge.skills import has_secret

from tests.cases import each_case

BOMB = "\n".join(["a0: &a0 [x, x]", *(f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]" for i in range(1, 40))])


def file(front: str, body: str = "# Body\n") -> str:
    return f"---\n{front}\n---\n{body}"


def refused(text: str, **given: str) -> str:
    """The field, and what is wrong with it."""
    with pytest.raises(FieldRefused) as raised:
        read_skill_file(text, **given, has_secret=has_secret)
    return str(raised.value)


@pytest.mark.parametrize(
    "description",
    ["Prüft Rechnungen.", "审核合同并标注风险条款", "مراجعة العقود", "Ships 🚀 with 👩‍👩‍👧", "cafe\u0301"],
)
def test_a_description_in_any_script_is_read(description: str) -> None:
    found = read_skill_file(file(f"name: review\ndescription: {description}"))
    assert (found.name, found.description) == ("review", description)


def test_lines_may_end_as_other_systems_end_them_and_begin_with_a_mark() -> None:
    text = "\ufeff---\r\nname: review\r\ndescription: >-\r\n  Two\r\n  lines\r\n---\r\n# Body\r\n"
    assert read_skill_file(text).description == "Two lines"


@pytest.mark.parametrize(
    ("stated", "tools"),
    [
        ("[Read, 'Bash(git add:*)']", ("Read", "Bash(git add:*)")),
        ("Read, Grep,Read", ("Read", "Grep")),
        ("Read Bash(git add:*), Grep", ("Read", "Bash(git add:*)", "Grep")),
        ("''", ()),
    ],
)
def test_tools_are_a_list_or_a_text(stated: str, tools: tuple[str, ...]) -> None:
    front = f"name: a\ndescription: b\nallowed-tools: {stated}"
    assert tuple(read_skill_file(file(front)).allowed_tools) == tools


def test_the_rest_of_a_front_matter_is_kept_as_json_has_it() -> None:
    rest = "license: MIT\nsince: 2026-01-31\nmetadata: {许可: [1, 2.5, true, null]}\nbig: 123456789012345678901"
    assert read_skill_file(file(f"name: a\ndescription: b\n{rest}")).front_matter == {
        "license": "MIT",
        "since": "2026-01-31",
        "metadata": {"许可": [1, 2.5, True, None]},
        "big": "123456789012345678901",
    }


def test_a_text_without_a_front_matter_takes_what_is_given_beside_it() -> None:
    found = read_skill_file("# Rules\n---\n", name="agents-md", description="Rules of the house")
    assert (found.name, found.description, found.front_matter) == ("agents-md", "Rules of the house", {})


@each_case(
    ("front", "problem"),
    [
        (BOMB, "anchors and aliases"),
        (f"name: a\ndescription: b\nc: {'[' * 9}{']' * 9}", "deeper than 8"),
        ("name: !!python/object/apply:os.system ['true']\ndescription: b", "is not YAML"),
        ("name: a\ndescription: b\nx: !!binary aGk=", "JSON does not have"),
        ("name: a\ndescription: b\nx: !!set {a, b}", "JSON does not have"),
        ("name: a\ndescription: b\nx: .nan", "JSON does not have"),
        (f"name: a\ndescription: b\n{'k' * 129}: 1", "64 names of 128"),
        ("\n".join(f"k{i}: 1" for i in range(65)), "64 names of 128"),
        ("name: a\nname: b\ndescription: c", "comes twice"),
        ("name: 123\ndescription: b", "name must be 1 to 64"),
        ("name: [a]\ndescription: b", "name must be 1 to 64"),
        ("name: Über\ndescription: b", "name must be 1 to 64"),
        ("name: ../etc\ndescription: b", "name must be 1 to 64"),
        ("name: a\ndescription: [b]", "description must be a text"),
        (f"name: a\ndescription: {'🚀' * 1_025}", "at most 1,024"),
        ('name: a\ndescription: "b\\0"', "NUL or half a character"),
        ('name: a\ndescription: b\nx: "\\ud800"', "is not YAML"),
        ("name: a\ndescription: b\nallowed-tools: {a: b}", "must be a list"),
        ("name: a\ndescription: b\nallowed-tools: Bash((", "does not end"),
        ("- name: a", "names with values"),
        ("1: a\nname: a\ndescription: b", "names with values"),
    ],
)
def test_a_hostile_front_matter_is_refused(front: str, problem: str) -> None:
    before = time.perf_counter()
    assert problem in refused(file(front))
    assert time.perf_counter() - before < 1


def test_a_description_of_the_longest_is_taken() -> None:
    assert len(read_skill_file(file(f"name: a\ndescription: {'🚀' * 1_024}")).description) == 1_024


def test_a_secret_that_an_escape_hides_is_refused() -> None:
    token = "ghp_" + "k3Tq9XwZ7vLm2Rj8Nc5Hs1Yb4Fd6Gp0aQeUi"
    hidden = "".join(f"\\x{ord(each):02x}" for each in token)
    assert "secret" in refused(file(f'name: a\ndescription: "with {hidden}"'))
    assert read_skill_file(file('name: a\ndescription: "with \\x61"')).description == "with a"


def test_a_front_matter_ends_within_its_bound() -> None:
    room = MAX_FRONT_MATTER - len("name: a\ndescription: b\n") - 10
    fits = "name: a\ndescription: b\n" + "\n".join(["# " + "x" * 98] * (room // 101))
    assert read_skill_file(file(fits)).name == "a"
    assert "ends it within" in refused(file(fits + "\n" + "# x\n" * 5_000))
    assert "ends it within" in refused("---\nname: a\ndescription: b\n")


def test_a_name_and_a_description_are_needed_and_may_not_differ() -> None:
    assert "name: is missing" in refused("# Body")
    assert "description: is missing" in refused(file("name: a"))
    assert "name: is another" in refused(file("name: a\ndescription: b"), name="c")
    assert "description: is another" in refused(file("name: a\ndescription: b"), description="c")
    assert read_skill_file(file("name: a\ndescription: b"), name="a", description="b").name == "a"
