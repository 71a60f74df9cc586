"""usage: tokens and prices of models, and tokens of context, by day, space, operation, model and door."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

from typer import Option

from camillo_cli.connection import ClientOptions, administering, connected
from camillo_cli.format import SHARED, usd
from camillo_cli.lifecycle import AllScopes
from camillo_cli.options import UsageDimension, ago, option
from camillo_cli.output import note
from camillo_cli.tables import Column, print_list

if TYPE_CHECKING:
    from camillo.v1.space_pb2 import ModelBudget, TokenUsage


def usage(
    client: ClientOptions,
    all_scopes: AllScopes = False,
    by: Annotated[
        list[UsageDimension] | None,
        Option(help="A sum for each; repeated: for each combination. Default: operation, model and door."),
    ] = None,
    since: Annotated[datetime | None, ago(option, "From this day on, in UTC: 2026-01-31, or 7d.", "--since")] = None,
    until: Annotated[datetime | None, ago(option, "Up to this day, with it.", "--until")] = None,
    operation: Annotated[str, Option(help="Only this one, such as judging or bundle.", show_default=False)] = "",
    model: Annotated[str, Option(help="Only this model, as the table names it.", show_default=False)] = "",
) -> None:
    """Show tokens and prices of models, and tokens of context that were handed out: of a space, or of all spaces of the
    tenant.

    Example: camillo usage --all-scopes --by day --by operation --since 7d
    """
    dimensions: list[Any] = [str(each) for each in by or DEFAULT]
    with administering(client) if all_scopes else connected(client) as camillo:
        found = camillo.spaces.token_usage(
            all_scopes=all_scopes, group_by=dimensions, since=since, until=until, operation=operation, model_id=model
        )
        columns = [*(COLUMNS[each] for each in COLUMNS if each in dimensions), *FIGURES]
        print_list(client, found, columns, empty="no model was asked, and no context handed out")
        if all_scopes and not client.as_json and (budget := camillo.spaces.model_budget()) is not None:
            note(_budget(budget))


def _day(usage: TokenUsage) -> str:
    return f"{usage.day.ToDatetime():%Y-%m-%d}"


def _space(usage: TokenUsage) -> str:
    return {"": SHARED, "*": "others"}.get(usage.agent_id, usage.agent_id)


def _budget(budget: ModelBudget) -> str:
    spent = []
    if budget.HasField("max_nano_usd"):
        spent.append(f"{usd(budget.nano_usd)} of {budget.max_nano_usd / 1_000_000_000:g} US dollars")
    if budget.HasField("max_tokens"):
        spent.append(f"{budget.tokens:,} of {budget.max_tokens:,} tokens")
    return f"budget of this {'month' if budget.is_monthly else 'day'}: {', '.join(spent)}"


DEFAULT = ("operation", "model", "door")
COLUMNS = {
    "day": Column("day", _day),
    "space": Column("space", _space),
    "operation": Column("operation", "operation"),
    "model": Column("model", "model_id"),
    "door": Column("door", "door"),
}
FIGURES = (
    Column("requests", lambda usage: f"{usage.requests:,}", right=True),
    Column("tokens in", lambda usage: f"{usage.input_tokens:,}", right=True),
    Column("out", lambda usage: f"{usage.output_tokens:,}", right=True),
    Column("US dollars", lambda usage: usd(usage.nano_usd), right=True),
)
