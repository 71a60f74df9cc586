"""Whose memory a coding agent's hooks and tools work with: the project's for what they record and learn of it, the
person's for what the person wants everywhere."""

import os
import re
from collections.abc import Mapping

# Has the spaces found: the person by the login, the project by the repository.
AUTO = "auto"
# A person wants the same in every project; every other kind is about the one at hand.
PERSONS_KINDS = ("preference", "instruction")
# Every agent of the tenant reads it.
SHARED = "@shared"
_PERSON = r"@shared|users(?:/[A-Za-z0-9][A-Za-z0-9._@|+=~-]{0,127}){1,3}"


def space_of(kind: str, person: str) -> str:
    """The space that keeps a memory of this kind; empty: the project's."""
    return person if kind in PERSONS_KINDS else ""


def routed_spaces(environ: Mapping[str, str], directory: str, agent: str, space: str) -> tuple[str, str]:
    """The space of the project, and that of the person, by the options `agent` and `space` and by the environment: a
    name goes before what is found. Empty: no space is named, and nothing is routed. ValueError for what names none."""
    if space not in ("", AUTO):
        raise ValueError("--space can be auto")
    person = environ.get("CAMILLO_PERSON", "").strip()
    if person and not is_person(person):
        raise ValueError("CAMILLO_PERSON can be users/ and an id, or @shared")
    own = agent or environ.get("CAMILLO_AGENT", "").strip()
    if space == AUTO:
        # A hook that looks for no repository does not pay for what finds one.
        from camillo_formats.repository_space import part_of, project_space

        person = person or f"users/{part_of(_login(environ))}"
        own = own or project_space(_began(environ, directory), person)
    return own, person


def is_person(space: str) -> bool:
    """Whether a space can be the person's: one of a user, or what all agents of the tenant read."""
    return re.fullmatch(_PERSON, space) is not None


def _began(environ: Mapping[str, str], directory: str) -> str:
    """The directory in which a session began, where its client tells: an agent may have gone below it since."""
    began = environ.get("CLAUDE_PROJECT_DIR", "").rstrip("/")
    return began if began and f"{directory}/".startswith(f"{began}/") else directory


def _login(environ: Mapping[str, str]) -> str:
    """The name of the account that runs this process, whatever the environment says, which another account may have
    left behind."""
    try:
        import pwd

        return pwd.getpwuid(os.getuid()).pw_name
    except (ImportError, KeyError):
        stated = environ.get("LOGNAME") or environ.get("USER") or environ.get("USERNAME")
        return stated or f"uid-{os.getuid()}"
