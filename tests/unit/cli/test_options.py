"""Shared options appear on a command as if they were its own."""

import inspect
from dataclasses import dataclass, field, fields
from typing import Annotated, Any

from camillo_cli.artifacts import ArtifactFilterOptions, ArtifactOptions
from camillo_cli.bundles import BundleOptions
from camillo_cli.decisions import DecisionFilterOptions, DecisionOptions
from camillo_cli.events import EventFilterOptions, EventOptions
from camillo_cli.lifecycle import SelectorOptions
from camillo_cli.memories import MemoryOptions
from camillo_cli.options import with_shared_options
from camillo_cli.runs import RunOptions
from camillo_cli.tasks import TaskOptions
from camillo_client.artifact_fields import ArtifactFilterFields, NewArtifactFields
from camillo_client.bundle_options import BundleOptions as BundleFields
from camillo_client.decision_fields import DecisionFilterFields, NewDecisionFields
from camillo_client.event_fields import EventFilterFields, NewEventFields
from camillo_client.lifecycle_fields import SelectorFields
from camillo_client.memories import NewMemoryFields
from camillo_client.run_fields import RunFields
from camillo_client.task_fields import TaskFields
from typer import Option, Typer

from tests.cases import each_case
from tests.cli.commands import COMMANDS


@dataclass(frozen=True)
class Drink:
    """A drink to pour."""

    name: Annotated[str, Option()] = "tea"
    extra: Annotated[list[str], Option()] = field(default_factory=list)


received: list[tuple[Drink, int]] = []


def pour(drink: Drink, cups: Annotated[int, Option()] = 1) -> None:
    """Pour a drink."""
    received.append((drink, cups))


def test_the_command_receives_the_dataclass_that_the_options_make() -> None:
    app = Typer()
    app.command()(with_shared_options(pour))
    app(["--name", "coffee", "--extra", "milk", "--cups", "2"], standalone_mode=False)
    app([], standalone_mode=False)
    assert received == [(Drink("coffee", ["milk"]), 2), (Drink(), 1)]


def test_what_typer_sees_are_the_fields() -> None:
    seen = inspect.signature(with_shared_options(pour))
    assert list(seen.parameters) == ["name", "extra", "cups"]


def test_every_command_has_an_example_and_json() -> None:
    for each in COMMANDS:
        name, command = each.words, each.function()
        assert f"Example: camillo {name}" in (command.__doc__ or ""), name
        # A hook prints what its client reads.
        if name != "hook":
            assert "as_json" in inspect.signature(with_shared_options(command)).parameters, name


@each_case(
    ("options", "keywords"),
    [
        (ArtifactOptions, NewArtifactFields),
        (ArtifactFilterOptions, ArtifactFilterFields),
        (BundleOptions, BundleFields),
        (DecisionOptions, NewDecisionFields),
        (DecisionFilterOptions, DecisionFilterFields),
        (EventOptions, NewEventFields),
        (EventFilterOptions, EventFilterFields),
        (MemoryOptions, NewMemoryFields),
        (RunOptions, RunFields),
        (SelectorOptions, SelectorFields),
        (TaskOptions, TaskFields),
    ],
)
def test_options_are_named_as_the_keywords_of_the_client(options: Any, keywords: Any) -> None:
    names = {field.name for field in fields(options)}
    # Parameters of the call itself, beside its fields.
    assert names - {"shared", "session_id", "actor"} <= set(keywords.__optional_keys__)
