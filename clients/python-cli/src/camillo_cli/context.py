"""view, recipe, handoff: what bundles are made from, apart from what an agent has recorded."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from camillo_cli.arguments import read_text, read_words
from camillo_cli.connection import ClientOptions, acting_space, administering, connected
from camillo_cli.failures import CliError, ExitCode
from camillo_cli.options import (
    RequestId,
    Sensitivity,
    Words,
    Yes,
    ahead,
    literal,
    option,
    words,
)
from camillo_cli.output import note, print_result, print_value
from camillo_cli.removals import confirm
from camillo_cli.tables import Column, age_in, print_list

if TYPE_CHECKING:
    from camillo.v1.context_pb2 import View
    from camillo_client import Camillo

ViewName = Annotated[str, Argument(help="The name of a view, such as identity or rules.")]
RecipeName = Annotated[str, Argument(help="The name of a recipe.")]
ViewSensitivity = Annotated[Sensitivity | None, Option(help="How sensitive it is. Default: internal.")]


def list_views(client: ClientOptions) -> None:
    """List the views of an agent, its own and those of the tenant.

    Example: camillo view list --agent ada
    """
    with connected(client) as camillo:
        print_list(client, camillo.context.views.list(), VIEWS, empty="no views")


def show_view(client: ClientOptions, name: ViewName) -> None:
    """Print the text of a view: the agent's own, else the tenant's.

    Example: camillo view show rules > rules.md
    """
    with connected(client) as camillo:
        view = camillo.context.views.get(name)
    print_result(client, view, view.text)


def put_view(
    client: ClientOptions,
    name: ViewName,
    path: Annotated[str, Argument(metavar="FILE", help="Markdown; '-': standard input.")],
    sensitivity: ViewSensitivity = None,
    expected_version: Annotated[int, Option(min=0, help="Fail if it has another version; 0: replace any version.")] = 0,
    request_id: RequestId = None,
) -> None:
    """Store a text that is part of every bundle of an agent; with --agent @shared, of all agents of the tenant.

    Example: camillo view put rules rules.md
    """
    text = read_text(path)
    with connected(client) as camillo:
        view = camillo.context.views.put(
            name,
            text,
            sensitivity=literal(sensitivity),
            expected_version=expected_version,
            request_id=request_id,
        )
    print_result(client, view, f"stored {view.name}, version {view.version}")


def edit_view(client: ClientOptions, name: ViewName, sensitivity: ViewSensitivity = None) -> None:
    """Edit a view in the editor of $VISUAL or $EDITOR. If the text cannot be stored, it is kept in a file.

    Example: camillo view edit rules
    """
    from camillo_client import SHARED

    with connected(client) as camillo:
        before = _present_view(camillo, name, is_shared=acting_space(client) == SHARED)
        text = _edit(name, before.text)
        if text is None:
            note("nothing changed")
            return
        level = literal(sensitivity) or before.sensitivity or None
        with _kept_on_failure(name, text):
            view = camillo.context.views.put(name, text, sensitivity=level, expected_version=before.version)
    print_result(client, view, f"stored {view.name}, version {view.version}")


def delete_view(client: ClientOptions, name: ViewName, yes: Yes = False, request_id: RequestId = None) -> None:
    """Remove a view of an agent. If the tenant has a view of that name, the agent's bundles contain that one again.

    Example: camillo view delete rules
    """
    confirm("remove", f"the view {name}", yes=yes)
    with connected(client) as camillo:
        camillo.context.views.delete(name, request_id=request_id)
    print_value({"name": name}, f"removed {name}", as_json=client.as_json)


def list_recipes(client: ClientOptions) -> None:
    """List the recipes that bundles can be built by.

    Example: camillo recipe list
    """
    with administering(client) as camillo:
        recipes = camillo.context.recipes.list()
        print_list(client, recipes, RECIPES, empty="no recipes", lines=2)


def show_recipe(client: ClientOptions, name: RecipeName) -> None:
    """Print the YAML of a recipe.

    Example: camillo recipe show active_context > mine.yaml
    """
    with administering(client) as camillo:
        named = [recipe for recipe in camillo.context.recipes.list() if recipe.name == name]
    if not named:
        raise CliError(f"no recipe {name!r} (see 'camillo recipe list')", ExitCode.NOT_FOUND)
    print_result(client, named[0], named[0].yaml.rstrip("\n"))


def put_recipe(
    client: ClientOptions,
    path: Annotated[str, Argument(metavar="FILE", help="YAML; '-': standard input.")],
    request_id: RequestId = None,
) -> None:
    """Store a recipe for the tenant. An error names the key that is invalid, and its line.

    Example: camillo recipe put mine.yaml
    """
    yaml = read_text(path)
    with administering(client) as camillo:
        recipe = camillo.context.recipes.put(yaml, request_id=request_id)
    print_result(client, recipe, f"stored {recipe.name}: {recipe.budget_tokens:,} tokens")


def delete_recipe(client: ClientOptions, name: RecipeName, yes: Yes = False, request_id: RequestId = None) -> None:
    """Remove a recipe of the tenant.

    Example: camillo recipe delete active_context
    """
    confirm("remove", f"the recipe {name}", yes=yes)
    with administering(client) as camillo:
        camillo.context.recipes.delete(name, request_id=request_id)
    print_value({"name": name}, f"removed {name}", as_json=client.as_json)


def send_handoff(
    client: ClientOptions,
    to: Annotated[str, Argument(help="The agent that receives it.")],
    goal: Annotated[Words, words("The goal of the work")] = None,
    plan_step: Annotated[str, option("The current step of the plan.")] = "",
    note_text: Annotated[str, option("What else the agent should know.", "--note")] = "",
    task: Annotated[Words, option("Id of a task to hand over; may be repeated.")] = None,
    decision: Annotated[Words, option("Id of a decision to hand over; may be repeated.")] = None,
    constraint: Annotated[Words, option("A constraint to respect; may be repeated.")] = None,
    session: Annotated[str, option("Show it in this session only.")] = "",
    expires: Annotated[datetime | None, ahead(option, "Shown until: 2027-01-31, or 12h. Default: 7d.")] = None,
    request_id: RequestId = None,
) -> None:
    """Hand work over to another agent, which sees only what is in this packet; 'camillo agents create' makes one.

    Example: camillo handoff send billing "Refund order 7" --plan-step "2 of 3" --constraint "no phone calls"
    """
    from camillo.v1.context_pb2 import HandoffPacket

    packet = HandoffPacket(
        goal=read_words(goal),
        plan_step=plan_step,
        note=note_text,
        task_ids=task or (),
        decision_ids=decision or (),
        constraints=constraint or (),
    )
    with connected(client) as camillo:
        handoff = camillo.context.hand_off(to, packet, session_id=session, expires_at=expires, request_id=request_id)
    sent = f"handed over {handoff.handoff_id} to {handoff.to_agent_id}"
    print_result(client, handoff, f"{sent} ({handoff.tokens:,} tokens)")


def accept_handoffs(
    client: ClientOptions,
    from_agents: Annotated[
        list[str] | None,
        Argument(metavar="[AGENT]...", help="From these alone; none: from nobody."),
    ] = None,
    any_agent: Annotated[bool, Option("--any-agent", help="From any agent of the tenant, as before.")] = False,
) -> None:
    """Say from which agents an agent accepts handoffs.

    Example: camillo handoff accept planner --agent billing
    """
    if any_agent and from_agents:
        raise CliError("give either agents or --any-agent", ExitCode.USAGE)
    with connected(client) as camillo:
        camillo.context.accept_handoffs(from_agents or (), any_agent=any_agent)
    said = "any agent" if any_agent else ", ".join(from_agents or ()) or "nobody"
    print_value({"from": said}, f"accepts handoffs from {said}", as_json=client.as_json)


def list_handoffs(client: ClientOptions) -> None:
    """List the handoffs that an agent has received and that have not expired, the latest first.

    Example: camillo handoff list --agent billing
    """
    with connected(client) as camillo:
        handoffs = camillo.context.handoffs()
        print_list(client, handoffs, HANDOFFS, empty="no handoffs", lines=2)


def _present_view(camillo: Camillo, name: str, *, is_shared: bool) -> View:
    """The agent's view; the tenant's as the first text of a new one; an empty one where there is none."""
    from camillo.v1.context_pb2 import View
    from camillo_client.errors import ViewNotFound

    try:
        view = camillo.context.views.get(name)
    except ViewNotFound:
        return View(name=name)
    if view.agent_id or is_shared:
        return view
    return View(name=name, text=view.text, sensitivity=view.sensitivity)


def _edit(name: str, text: str) -> str | None:
    """The text after editing; None if it has not changed. Raises CliError."""
    with tempfile.TemporaryDirectory(prefix="camillo-") as directory:
        file = Path(directory) / f"{Path(name).name or 'view'}.md"
        file.write_text(text, "utf-8")
        _run_editor(file)
        try:
            after = file.read_text("utf-8")
        except UnicodeDecodeError as error:
            raise CliError("the editor wrote a text that is not UTF-8") from error
    # Editors end a file with a line end, whether the text had one or not.
    return None if after.rstrip("\n") == text.rstrip("\n") else after


@contextmanager
def _kept_on_failure(name: str, text: str) -> Iterator[None]:
    """Writes the text to a file if the block fails to store it."""
    from camillo_client import CamilloError

    try:
        yield
    except CamilloError:
        descriptor, path = tempfile.mkstemp(prefix=f"camillo-{Path(name).name}-", suffix=".md")
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        note(f"note: what you wrote is kept in {path}")
        raise


def _run_editor(file: Path) -> None:
    command = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if not command:
        raise CliError("no editor is known: set EDITOR, or use 'camillo view put'", ExitCode.USAGE)
    try:
        ended = subprocess.run([*shlex.split(command), str(file)], check=False)  # noqa: S603
    except (OSError, ValueError) as error:
        raise CliError(f"cannot start the editor {command!r}: {error}", ExitCode.USAGE) from error
    if ended.returncode:
        raise CliError(f"the editor ended with {ended.returncode}: nothing was stored")


VIEWS = (
    Column("name", "name", style="bold"),
    Column("owner", lambda view: view.agent_id or "tenant"),
    Column("version", "version", right=True, optional=True),
    Column("sensitivity", "sensitivity", optional=True),
    Column("text", "text"),
)
RECIPES = (
    Column("name", "name", style="bold"),
    Column("tokens", "budget_tokens", right=True),
    Column("owner", lambda recipe: "built in" if recipe.is_built_in else "tenant"),
    Column("sections", lambda recipe: str(len(recipe.sections)), right=True, optional=True),
    Column("description", "description"),
)
HANDOFFS = (
    Column("id", "handoff_id", style="dim", optional=True),
    Column("age", age_in("created_at"), right=True),
    Column("from", lambda handoff: handoff.from_agent_id or "tenant", style="green"),
    Column("session", "session_id", optional=True),
    Column("tokens", "tokens", right=True, optional=True),
    Column("goal", "packet.goal"),
)
