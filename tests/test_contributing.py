"""Every file that CONTRIBUTING.md names is there."""

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
PLACES = (
    ROOT,
    ROOT / "server" / "camillo_server",
    ROOT / "clients" / "python" / "src",
    ROOT / "clients" / "python-cli" / "src" / "camillo_cli",
)
# A path in backquotes; a name alone, and what has a space, a star or a placeholder, is none.
NAMED = re.compile(r"`([\w.-]+/[\w./-]*?(?:/|\.(?:py|sql|md|proto|yaml|json)))`")
# The example of a migration is not there.
EXAMPLES = {"storage/migrations/versions/0048_notes.py"}


def named_files(text: str) -> set[str]:
    return set(NAMED.findall(text)) - EXAMPLES


def is_there(name: str) -> bool:
    return any((place / name).exists() for place in PLACES)


def test_every_file_that_is_named_is_there() -> None:
    named = named_files((ROOT / "CONTRIBUTING.md").read_text("utf-8"))
    assert len(named) > 60
    assert not sorted(name for name in named if not is_there(name))


def test_a_file_that_is_not_there_is_noticed() -> None:
    assert named_files("see `memories/no_such_file.py`") == {"memories/no_such_file.py"}
    assert not is_there("memories/no_such_file.py")
