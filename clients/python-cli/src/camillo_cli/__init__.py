"""The command line: `camillo`. Only what a command needs is imported, so that help and small commands start fast."""

import gc
import sys

HOOK = "hook"


def main() -> int:
    """Runs the command that the arguments name. Returns the exit code."""
    words = sys.argv[1:]
    # A person waits for a hook at each prompt: what reads the arguments of all other commands takes longer than the hook may.
    if words[:1] == [HOOK] and not {"-h", "--help"} & set(words):
        from camillo_server.hooks import command

        code = command.run(words[1:])
    else:
        from camillo_server.cli.program import run

        code = run()
    # Else the interpreter looks through all objects for cycles as it ends: a sixth of the processor time of a recall.
    gc.freeze()
    return code
