"""Commands that a model gives the memory tool, played without a model: `python example.py`, with a server running."""

from uuid import uuid4

from anthropic.lib.tools import ToolError

from camillo_anthropic import CamilloMemoryTool
from camillo_client import Camillo

COMMANDS = (
    {"command": "create", "path": "/memories/drinks.md", "file_text": "Ada drinks coffee\nBob drinks water\n"},
    {"command": "str_replace", "path": "/memories/drinks.md", "old_str": "coffee", "new_str": "tea"},
    {"command": "insert", "path": "/memories/drinks.md", "insert_line": 2, "insert_text": "Eve drinks nothing"},
    {"command": "rename", "old_path": "/memories/drinks.md", "new_path": "/memories/team/drinks.md"},
    {"command": "view", "path": "/memories"},
    {"command": "view", "path": "/memories/team/drinks.md"},
    {"command": "delete", "path": "/memories"},
)


def main() -> None:
    """Plays the commands for one person, and shows that another one has no files."""
    with Camillo.connect() as camillo:
        one, other = (CamilloMemoryTool(camillo.for_user(uuid4().hex)) for _ in range(2))
        for command in COMMANDS:
            try:
                print(f"{command['command']}: {one.call(command)}")
            except ToolError as error:
                print(f"{command['command']}: refused: {error}")
        print(f"another person: {other.call({'command': 'view', 'path': '/memories'})}")


if __name__ == "__main__":
    main()
