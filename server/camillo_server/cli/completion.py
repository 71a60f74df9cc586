"""completion: the script with which a shell completes commands, options and their values."""

import os
from enum import StrEnum
from typing import Annotated

from typer import Argument

from camillo_server.cli.options import AsJson
from camillo_server.cli.output import print_value

PROGRAM = "camillo"
# A shell sets it when it asks the program for completions.
VARIABLE = "_CAMILLO_COMPLETE"
Shell = StrEnum("Shell", "BASH ZSH FISH")


def completion(shell: Annotated[Shell, Argument()], as_json: AsJson = False) -> None:
    """Print the script that completes commands, options and values in a shell.

    For bash, add this line to ~/.bashrc: eval "$(camillo completion bash)".
    For zsh, add this line to ~/.zshrc, after compinit: eval "$(camillo completion zsh)".
    For fish: camillo completion fish > ~/.config/fish/completions/camillo.fish

    Example: camillo completion bash
    """
    from typer.completion import get_completion_script  # type: ignore[attr-defined]

    script = get_completion_script(prog_name=PROGRAM, complete_var=VARIABLE, shell=shell.value)
    print_value({"shell": shell.value, "script": script}, script, as_json=as_json)


def prepare_completion() -> None:
    """Lets typer answer a shell that asks for completions."""
    if VARIABLE in os.environ:
        from typer.completion import completion_init  # type: ignore[attr-defined]

        completion_init()
