"""The page of the command line: every command with its arguments and options, from the program itself."""

import re
from collections.abc import Iterator
from typing import Any

from camillo_cli.plugins import tables
from camillo_cli.program import build_program

# Typer has its own copy of click, whose classes are private.
Command = Any
Context = Any


def commands_page() -> str:
    """The Markdown of the page: a heading for each command, as it is typed."""
    root = build_program(tables([]))
    context = root.context_class(root, info_name="camillo")
    lines = ["# The command line", "", _paragraphs(root.help or ""), "", root.epilog or ""]
    for command, inner in _walk(root, context):
        lines += _entry(command, inner)
    return "\n".join(lines) + "\n"


def anchor(path: str) -> str:
    return path.replace(" ", "-")


def _walk(group: Command, context: Context) -> Iterator[tuple[Command, Context]]:
    for name in group.list_commands(context):
        # As the program finds what is called: `get_command` knows of most commands a line of help alone.
        _, command, _ = group.resolve_command(context, [name])
        if command.hidden:
            continue
        inner = command.context_class(command, info_name=name, parent=context)
        yield command, inner
        if hasattr(command, "list_commands"):
            yield from _walk(command, inner)


def _entry(command: Command, context: Context) -> Iterator[str]:
    path = context.command_path
    yield f"\n{'#' * len(path.split())} {path} {{#{anchor(path)}}}\n"
    yield _paragraphs(command.help or "")
    if hasattr(command, "list_commands"):
        return
    yield f"\n```text\n{path} {' '.join(command.collect_usage_pieces(context))}\n```"
    rows = [row for row in (_row(each, context) for each in command.get_params(context)) if row]
    if rows:
        yield "\n| argument or option | |\n|---|---|"
        yield from rows


def _row(parameter: Any, context: Context) -> str:
    if parameter.name == "help":
        return ""
    record = parameter.get_help_record(context)
    if record is None:
        return ""
    # `--tag <list[str]>` is an option that may be repeated, as its help says.
    names = re.sub(r"<list\[([^\]]+)\]>", r"<\1>", record[0])
    words = " ".join(record[1].split()).replace("|", "\\|").replace("<", "&lt;")
    return f"| `{names}` | {words} |"


def _paragraphs(help_text: str) -> str:
    """The help, with its example in code."""
    paragraphs = []
    for paragraph in help_text.replace("\b", "").strip().split("\n\n"):
        words, found, example = " ".join(paragraph.split()).partition("Example: ")
        paragraphs.append(words.replace("<", "&lt;"))
        if found:
            paragraphs.append(f"```text\n{example}\n```")
    return "\n\n".join(each for each in paragraphs if each.strip())
