"""view list, show, put, edit, delete."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer import Argument, Option

from camillo_server.cli.choices import Sensitivity
from camillo_server.cli.connection import ClientOptions, connected
from camillo_server.cli.failures import CliError, ExitCode
from camillo_server.cli.output import note, print_message, say
from camillo_server.cli.tables import Column, printable, show_table
from camillo_server.cli.writing import RequestId

if TYPE_CHECKING:
    from camillo.v1.context_pb2 import View
    from camillo_client import Camillo

Name = Annotated[str, Argument(help="The name of a view, such as identity or rules.")]
Shown = Annotated[Sensitivity | None, Option(help="Who may be shown it. Default: internal.")]
COLUMNS = (
    Column("name", style="bold"),
    Column("whose"),
    Column("version", right=True, optional=True),
    Column("sensitivity", optional=True),
    Column("text"),
)


def list_views(client: ClientOptions) -> None:
    """List the texts that an agent is always shown, its own and the tenant's.

    Example: camillo view list --agent ada
    """
    with connected(client) as camillo:
        views = camillo.context.views.list()
    if client.as_json:
        for view in views:
            print_message(view)
    elif views:
        show_table(COLUMNS, [_row(view) for view in views])
    else:
        note("no views")


def show(client: ClientOptions, name: Name) -> None:
    """Print a text as it stands: the agent's own, or else the tenant's.

    Example: camillo view show rules > rules.md
    """
    with connected(client) as camillo:
        view = camillo.context.views.get(name)
    if client.as_json:
        print_message(view)
        return
    text = view.text if view.text.endswith("\n") else view.text + "\n"
    sys.stdout.write(printable(text) if sys.stdout.isatty() else text)


def put(
    client: ClientOptions,
    name: Name,
    path: Annotated[str, Argument(metavar="FILE", help="Markdown; '-': standard input.")],
    sensitivity: Shown = None,
    expected_version: Annotated[
        int, Option(min=0, help="Fail if it has another one; 0: whatever is there.")
    ] = 0,
    request_id: RequestId = None,
) -> None:
    """Store a text that an agent is always shown; with --agent '', one for all agents of the tenant.

    Example: camillo view put rules rules.md
    """
    text = file_text(path)
    fields: dict[str, Any] = {"sensitivity": sensitivity and sensitivity.value}
    with connected(client) as camillo:
        view = camillo.context.views.put(
            name, text, expected_version=expected_version, request_id=request_id, **fields
        )
    _told(client, view)


def edit(client: ClientOptions, name: Name, sensitivity: Shown = None) -> None:
    """Change a text in the editor that $VISUAL or $EDITOR names; what you wrote is kept if it cannot be stored.

    Example: camillo view edit rules
    """
    from camillo_server.cli.views_editor import edited, kept_on_failure

    with connected(client) as camillo:
        before = _present(camillo, name, is_shared=client.agent == "")
        text = edited(name, before.text)
        if text is None:
            note("nothing changed")
            return
        level: Any = sensitivity.value if sensitivity else before.sensitivity or None
        with kept_on_failure(name, text):
            view = camillo.context.views.put(
                name, text, sensitivity=level, expected_version=before.version
            )
    _told(client, view)


def delete(
    client: ClientOptions,
    name: Name,
    yes: Annotated[bool, Option("--yes", "-y", help="Do not ask.")] = False,
    request_id: RequestId = None,
) -> None:
    """Remove an agent's text; where the tenant has one of that name, the agent is shown that again.

    Example: camillo view delete rules
    """
    if not yes and sys.stdin.isatty():
        typer.confirm(f"Remove the view {name}?", abort=True, err=True)
    with connected(client) as camillo:
        camillo.context.views.delete(name, request_id=request_id)
    if not client.as_json:
        say(f"removed {name}")


def file_text(path: str) -> str:
    """The text of a file, or of standard input. Raises CliError."""
    try:
        data = sys.stdin.buffer.read() if path == "-" else Path(path).expanduser().read_bytes()
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        what = "standard input" if path == "-" else path
        raise CliError(f"{what} is not UTF-8 text", ExitCode.USAGE) from error
    except OSError as error:
        raise CliError(f"cannot read {path}: {error.strerror}", ExitCode.USAGE) from error


def _present(camillo: Camillo, name: str, *, is_shared: bool) -> View:
    """The agent's own text; the tenant's as a beginning of one; nothing where there is none."""
    from camillo.v1.context_pb2 import View
    from camillo_client.errors import ViewNotFound

    try:
        view = camillo.context.views.get(name)
    except ViewNotFound:
        return View(name=name)
    if view.agent_id or is_shared:
        return view
    return View(name=name, text=view.text, sensitivity=view.sensitivity)


def _row(view: View) -> list[str]:
    from camillo.v1.memory_pb2 import Sensitivity
    from camillo_client import enum_name

    level = enum_name(Sensitivity, view.sensitivity)
    whose = view.agent_id or "tenant"
    return [view.name, whose, str(view.version), level, view.text]


def _told(client: ClientOptions, view: View) -> None:
    if client.as_json:
        print_message(view)
    else:
        say(f"stored {view.name}, version {view.version}")
