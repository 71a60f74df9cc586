"""The command line: `camillo`. Only what a command needs is imported, so that help and small commands start fast."""

import gc
import sys

HOOK = "hook"


def main(plugged: str = "") -> int:
    """Runs the command that the arguments name. Returns the exit code.

    `plugged`: the table of a package that adds commands, as `module:name`; by default, packages are asked for theirs.
    """
    words = sys.argv[1:]
    # A person waits for a hook at each prompt: what reads the arguments of all other commands takes longer than the
    # hook may.
    if words[:1] == [HOOK] and not {"-h", "--help"} & set(words):
        from camillo_cli.hooks import command

        code = command.run(words[1:])
    else:
        from camillo_cli.plugins import is_own

        if is_own(words):
            from camillo_cli.late_imports import import_late

            import_late()
        from camillo_cli.program import run

        code = run(plugged=plugged)
    # Else the interpreter looks through all objects for cycles as it ends: a sixth of the processor time of a recall.
    gc.freeze()
    return code
