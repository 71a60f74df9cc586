"""Shells complete commands, options and values, through the script that `camillo completion` prints."""

import os
import re
import subprocess
import sys

import pytest

from tests.cases import each_case
from tests.cli.commands import COMMANDS, GROUPS
from tests.patience import PATIENCE_SECONDS


def completed(*words: str) -> list[str]:
    """Completions that bash would offer for the last word, as the script asks for them."""
    environ = os.environ | {
        "_CAMILLO_COMPLETE": "complete_bash",
        "COMP_WORDS": " ".join(words),
        "COMP_CWORD": str(len(words) - 1),
    }
    return run(environ=environ).split()


def run(*arguments: str, environ: dict[str, str] | None = None) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "camillo_server", *arguments],
        capture_output=True,
        env=environ,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_is_for_the_shell(shell: str) -> None:
    script = run("completion", shell)
    assert f"complete_{shell}" in script
    assert "_CAMILLO_COMPLETE" in script


@pytest.mark.parametrize(
    ("shell", "asked"),
    [
        ("bash", {"COMP_WORDS": "camillo rec", "COMP_CWORD": "1"}),
        ("zsh", {"_TYPER_COMPLETE_ARGS": "camillo rec"}),
        ("fish", {"_TYPER_COMPLETE_ARGS": "camillo rec", "_TYPER_COMPLETE_FISH_ACTION": "get-args"}),
    ],
)
def test_each_shell_gets_an_answer_to_what_its_script_asks(shell: str, asked: dict[str, str]) -> None:
    script = run("completion", shell)
    environ = asked | {"_CAMILLO_COMPLETE": f"complete_{shell}"}
    # Variables that the script sets, apart from what a shell fills in.
    assert all(name in script for name in environ)
    answer = run(environ=os.environ | environ)
    assert {"recall", "recipe"} <= set(re.findall(r"[a-z]+", answer))
    assert "remember" not in answer


@each_case(
    ("words", "offered"),
    [
        (("camillo", "rec"), {"recall", "recipe"}),
        (("camillo", "lifecycle", "re"), {"reset", "receipts", "refusals", "restore", "retry", "reembed", "reindex", "revert"}),  # noqa: E501
        (("camillo", "slots", ""), {"list", "history", "restore", "watch", "export", "import"}),
        (("camillo", "set", "--loc"), {"--locator"}),
        (("camillo", "set", "--kind", "w"), {"web"}),
        (("camillo", "recall", "--expl"), {"--explain"}),
        (("camillo", "recall", "--profile", "sim"), {"similarity"}),
    ],
)  # fmt: skip
def test_words_are_completed(words: tuple[str, ...], offered: set[str]) -> None:
    assert set(completed(*words)) == offered


def test_the_list_of_commands_has_a_line_for_each() -> None:
    shown = " ".join(run("--help", environ=os.environ | {"COLUMNS": "200"}).split())
    for each in COMMANDS:
        group = each.words.partition(" ")[0]
        assert (each.help or GROUPS[group]) in shown, each.words
