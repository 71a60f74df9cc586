"""The command line needs the Python client alone: it imports nothing of the server, and the forms that both share
nothing of ours."""

import ast
import re
from collections.abc import Iterator
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from camillo_cli.commands import CLIENT, NEEDS_SERVER
from camillo_cli.plugins import GROUP, tables
from camillo_server.cli import TABLE as NAMED
from camillo_server.cli.commands import TABLE

from tests.python_sources import parsed
from tests.test_architecture import catches_all, imports, raises_again

ROOT = Path(__file__).parent.parent
SOURCES = ROOT / "clients" / "python-cli" / "src"
# Packages of ours that each may import.
ALLOWED = {
    "camillo_formats": {"camillo_formats", "camillo"},
    "camillo_cli": {"camillo_formats", "camillo", "camillo_client", "camillo_cli"},
}
# The outermost places of a command and of a hook.
CATCH_ALL = {"camillo_cli/program.py", "camillo_cli/hooks/command.py"}


def modules(package: str) -> dict[str, ast.Module]:
    paths = (SOURCES / package).rglob("*.py")
    return {path.relative_to(SOURCES).as_posix(): parsed(path.read_text()) for path in paths}


def forbidden(package: str, tree: ast.Module) -> Iterator[str]:
    for imported in imports(tree):
        first = imported.partition(".")[0]
        if first.startswith("camillo") and first not in ALLOWED[package]:
            yield imported


@pytest.mark.parametrize(("package", "count"), [("camillo_formats", 10), ("camillo_cli", 80)])
def test_no_module_imports_what_its_package_may_not(package: str, count: int) -> None:
    found = modules(package)
    assert len(found) > count
    assert not [f"{name}: {each}" for name, tree in found.items() for each in forbidden(package, tree)]


@pytest.mark.parametrize(
    ("package", "sample"),
    [
        ("camillo_cli", "from camillo_server.kernel.ids import AgentId"),
        ("camillo_cli", "def f():\n  import camillo_server.settings.settings"),
        ("camillo_formats", "from camillo_client import Camillo"),
        ("camillo_formats", "from camillo_server import text"),
    ],
)
def test_what_a_package_may_not_import_is_noticed(package: str, sample: str) -> None:
    assert list(forbidden(package, parsed(sample)))


def test_only_the_outermost_places_catch_everything() -> None:
    catching = {
        name
        for name, tree in modules("camillo_cli").items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ExceptHandler) and catches_all(node) and not raises_again(node)
    }
    assert catching == CATCH_ALL


def test_the_command_line_knows_which_commands_need_the_server() -> None:
    named = {
        each.words.partition(" ")[0] if each.words.partition(" ")[0] in TABLE.groups else each.words
        for each in TABLE.commands
    }
    assert named == NEEDS_SERVER
    assert not named & {each.words for each in CLIENT.commands}


def test_the_server_plugs_in_the_table_that_its_program_hands_over() -> None:
    [found] = entry_points(group=GROUP)
    assert found.value == NAMED
    assert list(tables(["serve"])) == [TABLE, CLIENT] == list(tables(["recall"], NAMED))
    # Nothing is looked for where the words name a command of the client.
    assert list(tables(["recall", "tea"])) == list(tables(["keys", "list"])) == [CLIENT]


def test_every_command_that_a_text_names_is_there() -> None:
    commands = {each.words for each in (*CLIENT.commands, *TABLE.commands)}
    folders = ((ROOT / "server", "*.py"), (ROOT / "clients", "*.py"), (ROOT / "docs", "*.md"))
    texts = [path for folder, pattern in folders for path in folder.rglob(pattern)]
    named = {
        words
        for path in (ROOT / "README.md", *texts)
        for words in re.findall(r"\bcamillo ([a-z]+ [a-z-]+)", path.read_text())
        if words.partition(" ")[0] in {*CLIENT.groups, *TABLE.groups}
    }
    assert len(named) > 90
    assert not named - commands
