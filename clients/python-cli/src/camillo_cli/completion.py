"""completion: the script with which a shell completes commands, options and their values."""

import os
from contextlib import redirect_stdout, suppress
from enum import StrEnum
from io import StringIO
from typing import Annotated, Any

from typer import Argument, Context

from camillo_cli.options import AsJson
from camillo_cli.output import print_value

PROGRAM = "camillo"
# Set where the program is asked for completions, or for the script that asks for them: typer answers.
VARIABLE = "_CAMILLO_COMPLETE"
Shell = StrEnum("Shell", "BASH ZSH FISH")


def completion(context: Context, shell: Annotated[Shell, Argument()], as_json: AsJson = False) -> None:
    """Print the script that completes commands, options and values in a shell.

    For bash, add this line to ~/.bashrc: eval "$(camillo completion bash)".
    For zsh, add this line to ~/.zshrc, after compinit: eval "$(camillo completion zsh)".
    For fish: camillo completion fish > ~/.config/fish/completions/camillo.fish

    Example: camillo completion bash
    """
    program: Any = context.find_root().command
    os.environ[VARIABLE] = f"source_{shell.value}"
    # Where the variable is set, the program prints and exits before it looks at arguments.
    with redirect_stdout(StringIO()) as printed, suppress(SystemExit):
        program(args=[], prog_name=PROGRAM)
    script = printed.getvalue().strip()
    print_value({"shell": shell.value, "script": script}, script, as_json=as_json)
