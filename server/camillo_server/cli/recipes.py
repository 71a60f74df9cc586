"""recipe list, show, put, delete."""

from __future__ import annotations

import sys
from typing import Annotated

import typer
from typer import Argument, Option

from camillo_server.cli.connection import ClientOptions, administering
from camillo_server.cli.failures import CliError, ExitCode
from camillo_server.cli.output import print_message, say
from camillo_server.cli.tables import Column, printable, show_table
from camillo_server.cli.views import file_text
from camillo_server.cli.writing import RequestId

Name = Annotated[str, Argument(help="The name of a recipe.")]
COLUMNS = (
    Column("name", style="bold"),
    Column("tokens", right=True),
    Column("whose"),
    Column("sections", right=True, optional=True),
    Column("what it is for"),
)


def list_recipes(client: ClientOptions) -> None:
    """List the recipes that bundles can be made by.

    Example: camillo recipe list
    """
    with administering(client) as camillo:
        recipes = camillo.context.recipes.list()
    if client.as_json:
        for recipe in recipes:
            print_message(recipe)
        return
    rows = [
        [
            recipe.name,
            f"{recipe.budget_tokens:,}",
            "built in" if recipe.is_built_in else "tenant",
            str(len(recipe.sections)),
            recipe.description,
        ]
        for recipe in recipes
    ]
    show_table(COLUMNS, rows, lines=2)


def show(client: ClientOptions, name: Name) -> None:
    """Print a recipe as it was put.

    Example: camillo recipe show active_context > mine.yaml
    """
    with administering(client) as camillo:
        found = [recipe for recipe in camillo.context.recipes.list() if recipe.name == name]
    if not found:
        raise CliError(f"no recipe {name!r} (see 'camillo recipe list')", ExitCode.NOT_FOUND)
    if client.as_json:
        print_message(found[0])
        return
    text = found[0].yaml.rstrip("\n") + "\n"
    sys.stdout.write(printable(text) if sys.stdout.isatty() else text)


def put(
    client: ClientOptions,
    path: Annotated[str, Argument(metavar="FILE", help="YAML; '-': standard input.")],
    request_id: RequestId = None,
) -> None:
    """Store a recipe of the tenant's own; what does not validate is named with its place.

    Example: camillo recipe put mine.yaml
    """
    yaml = file_text(path)
    with administering(client) as camillo:
        recipe = camillo.context.recipes.put(yaml, request_id=request_id)
    if client.as_json:
        print_message(recipe)
    else:
        say(f"stored {recipe.name}: {recipe.budget_tokens:,} tokens")


def delete(
    client: ClientOptions,
    name: Name,
    yes: Annotated[bool, Option("--yes", "-y", help="Do not ask.")] = False,
    request_id: RequestId = None,
) -> None:
    """Remove a recipe of the tenant's own.

    Example: camillo recipe delete mine
    """
    if not yes and sys.stdin.isatty():
        typer.confirm(f"Remove the recipe {name}?", abort=True, err=True)
    with administering(client) as camillo:
        camillo.context.recipes.delete(name, request_id=request_id)
    if not client.as_json:
        say(f"removed {name}")
