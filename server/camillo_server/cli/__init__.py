"""The command line: `camillo`. Only what a command needs is imported, so that help and small commands start fast."""

import gc


def main() -> int:
    """Runs the command that the arguments name. Returns the exit code."""
    from camillo_server.cli.program import run

    code = run()
    # Else the interpreter looks through all objects for cycles as it ends: a sixth of the processor time of a recall.
    gc.freeze()
    return code
