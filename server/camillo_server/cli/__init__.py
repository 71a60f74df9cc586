"""Commands that need the server's own code, and the program `camillo`, which has these and those of camillo_cli."""

TABLE = "camillo_server.cli.commands:TABLE"


def main() -> int:
    """Runs the command that the arguments name. Returns the exit code."""
    from camillo_cli import main as run

    # Looking for installed packages that plug in would take as long as half a short command.
    return run(TABLE)
