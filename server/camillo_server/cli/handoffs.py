"""handoff send, list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from camillo_server.cli.arguments import given_text, moment_ahead, utc_now
from camillo_server.cli.connection import ClientOptions, connected
from camillo_server.cli.output import note, print_message, say
from camillo_server.cli.tables import Column, show_table
from camillo_server.cli.writing import RequestId

if TYPE_CHECKING:
    from datetime import datetime

    from camillo.v1.context_pb2 import Handoff

COLUMNS = (
    Column("id", style="dim", optional=True),
    Column("age", right=True),
    Column("from", style="green"),
    Column("session", optional=True),
    Column("tokens", right=True, optional=True),
    Column("goal"),
)


def send(
    client: ClientOptions,
    to: Annotated[str, Argument(help="An agent of the tenant.")],
    goal: Annotated[
        list[str] | None, Argument(help="What it is all for; '-': from standard input.")
    ] = None,
    plan_step: Annotated[str, Option(help="Where the plan stands.", show_default=False)] = "",
    note_text: Annotated[str, Option("--note", help="What else to know.", show_default=False)] = "",
    task: Annotated[
        list[str] | None, Option(help="The id of a task that goes along; may be repeated.")
    ] = None,
    decision: Annotated[
        list[str] | None, Option(help="The id of a decision that goes along; may be repeated.")
    ] = None,
    constraint: Annotated[
        list[str] | None, Option(help="What has to be respected; may be repeated.")
    ] = None,
    session: Annotated[
        str, Option(help="Shown in this conversation only.", show_default=False)
    ] = "",
    expires: Annotated[
        str | None, Option(help="Shown until then: 2027-01-31, or 12h. Default: 7d.")
    ] = None,
    request_id: RequestId = None,
) -> None:
    """Hand over to another agent: this packet, and nothing beside it.

    Example: camillo handoff send billing "Refund order 7" --plan-step "2 of 3" --constraint "no phone calls"
    """
    from camillo.v1.context_pb2 import HandoffPacket

    packet = HandoffPacket(
        goal=given_text(goal),
        plan_step=plan_step,
        note=note_text,
        task_ids=task or (),
        decision_ids=decision or (),
        constraints=constraint or (),
    )
    until = moment_ahead(expires, utc_now())
    with connected(client) as camillo:
        handoff = camillo.context.hand_off(
            to, packet, session_id=session, expires_at=until, request_id=request_id
        )
    if client.as_json:
        print_message(handoff)
    else:
        say(
            f"handed over {handoff.handoff_id} to {handoff.to_agent_id} ({handoff.tokens:,} tokens)"
        )


def list_handoffs(client: ClientOptions) -> None:
    """List the packets that were handed to an agent and are still shown, the latest first.

    Example: camillo handoff list --agent billing
    """
    with connected(client) as camillo:
        handoffs = camillo.context.handoffs()
    if client.as_json:
        for handoff in handoffs:
            print_message(handoff)
    elif handoffs:
        now = utc_now()
        show_table(COLUMNS, [_row(handoff, now) for handoff in handoffs], lines=2)
    else:
        note("no handoffs")


def _row(handoff: Handoff, now: datetime) -> list[str]:
    from camillo_client import to_datetime

    from camillo_server.cli.wording import age

    return [
        handoff.handoff_id,
        age(to_datetime(handoff.created_at), now),
        handoff.from_agent_id or "tenant",
        handoff.session_id,
        f"{handoff.tokens:,}",
        handoff.packet.goal,
    ]
