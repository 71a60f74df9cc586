"""Which spaces a session works with, and which of them keeps a memory."""

import os
import pwd
from pathlib import Path

import pytest
from camillo.v1.memory_pb2 import MemoryKind
from camillo_formats.enum_names import short_name
from camillo_formats.repository_space import project_space
from camillo_formats.space_routing import AUTO, routed_spaces, space_of

PERSON = "users/ana"
# Every kind of the contract has a row.
KEPT_IN = {
    "fact": "",
    "preference": PERSON,
    "instruction": PERSON,
    "task_outcome": "",
    "decision": "",
    "error": "",
    "conversation": "",
    "summary": "",
    "unspecified": "",
}


def test_a_memory_is_kept_where_its_kind_belongs() -> None:
    kinds = [short_name(MemoryKind.DESCRIPTOR, value) for value in MemoryKind.values()]
    assert {kind: space_of(kind, PERSON) for kind in kinds} == KEPT_IN
    assert {space_of(kind, "") for kind in kinds} == {""}


@pytest.mark.parametrize(
    ("environ", "agent", "space", "own", "person"),
    [
        ({}, "", "", "", ""),
        ({"CAMILLO_AGENT": " shop "}, "", "", "shop", ""),
        ({"CAMILLO_AGENT": "shop"}, "blog", "", "blog", ""),
        ({"CAMILLO_PERSON": "@shared"}, "blog", "", "blog", "@shared"),
        ({"CAMILLO_PERSON": PERSON}, "blog", "", "blog", PERSON),
        ({"CAMILLO_PERSON": PERSON}, "", AUTO, "FOUND", PERSON),
        ({"CAMILLO_PERSON": PERSON}, "projects/shop", AUTO, "projects/shop", PERSON),
        ({"CAMILLO_PERSON": PERSON, "CAMILLO_AGENT": "shop"}, "", AUTO, "shop", PERSON),
        ({"CAMILLO_PERSON": "@shared"}, "", AUTO, "FOUND", "@shared"),
        ({}, "", AUTO, "FOUND", "LOGIN"),
    ],
)
def test_a_name_goes_before_what_is_found(
    environ: dict[str, str], agent: str, space: str, own: str, person: str, tmp_path: Path
) -> None:
    person = f"users/{pwd.getpwuid(os.getuid()).pw_name}" if person == "LOGIN" else person
    own = project_space(str(tmp_path), person) if own == "FOUND" else own
    assert routed_spaces(environ, str(tmp_path), agent, space) == (own, person)


def test_a_session_that_goes_into_a_directory_stays_in_its_project(tmp_path: Path) -> None:
    deep = str(tmp_path / "deep")
    environ = {"CAMILLO_PERSON": PERSON, "CLAUDE_PROJECT_DIR": f"{tmp_path}/"}
    assert routed_spaces(environ, deep, "", AUTO)[0] == project_space(str(tmp_path), PERSON)
    # One that is somewhere else has left the variable to another client.
    other = str(tmp_path) + "-other"
    assert routed_spaces(environ, other, "", AUTO)[0] == project_space(other, PERSON)


@pytest.mark.parametrize("person", ["ana", "users/", "users/../x", "projects/shop", "users/a/b/c/d", "users/né"])
def test_who_is_no_person_is_refused(person: str) -> None:
    with pytest.raises(ValueError, match="CAMILLO_PERSON"):
        routed_spaces({"CAMILLO_PERSON": person}, "/", "", "")
