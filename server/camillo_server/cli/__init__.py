"""The command line: `camillo`. Only what a command needs is imported, so that help and small commands start fast."""


def main() -> int:
    """Runs the command that the arguments name. Returns the exit code."""
    from camillo_server.cli.program import run

    return run()
