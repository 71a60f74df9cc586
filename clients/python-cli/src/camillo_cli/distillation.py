"""distill run, list, show, accept, reject, edit, runs, revert, replay: memories that a model proposes out of what was
said."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from camillo_cli.connection import ClientOptions, connected
from camillo_cli.failures import CliError, ExitCode
from camillo_cli.format import clean, counted, field_text, usd
from camillo_cli.options import DistillationState, DryRun, Limit, ProposalState, RequestId
from camillo_cli.output import note, print_message, print_result, say, spinner
from camillo_cli.tables import Column, age_in, pages, print_list, show_items, show_record

if TYPE_CHECKING:
    from camillo.v1.distillation_pb2 import Distillation, Proposal

ProposalIds = Annotated[list[str], Argument(metavar="ID...", help="The ids of proposals that wait.")]
DistillationId = Annotated[str, Argument(metavar="ID", help="The id of a distillation: camillo distill runs.")]


def run(
    client: ClientOptions,
    session: Annotated[str, Option(help="Only this session, wherever the cursor is.")] = "",
    plan: Annotated[str, Option(metavar="TOKEN", help="Send exactly what this dry run showed.")] = "",
    dry_run: DryRun = False,
    request_id: RequestId = None,
) -> None:
    """Send what was said since the last time to the model, and keep what it proposes.

    At most 100 turns at once. A model takes its time: allow for it with --timeout.

    Example: camillo distill run --session s1 --dry-run --timeout 120
    """
    with connected(client) as camillo, spinner("asking the model"):
        answer = camillo.distillation.run(session, dry_run=dry_run, plan_token=plan, request_id=request_id)
    if client.as_json:
        print_message(answer)
        return
    if not answer.HasField("distillation"):
        note("nothing was said since")
        return
    done = answer.distillation
    say(_sent(done))
    if dry_run:
        note(f"to send exactly this: camillo distill run --plan {answer.plan_token}")
    else:
        say(_came(done))
        if answer.proposals:
            show_items(answer.proposals, PROPOSALS, lines=3)
    if answer.more:
        note("there is more: run it again")


def list_proposals(
    client: ClientOptions,
    state: Annotated[ProposalState | None, Option(help="Default: any.")] = None,
    distillation: Annotated[str, Option(metavar="ID", help="Only of this distillation.")] = "",
    limit: Limit = None,
) -> None:
    """List proposals, newest first.

    Example: camillo distill list --state pending
    """
    with connected(client) as camillo:
        found = pages(camillo.distillation.proposals, limit, state=state, distillation_id=distillation)
        print_list(client, found, PROPOSALS, empty="no proposals", lines=3)


def show(
    client: ClientOptions, proposal_id: Annotated[str, Argument(metavar="ID", help="The id of a proposal.")]
) -> None:
    """Show a proposal with the words that it rests on.

    Example: camillo distill show 0198c0de-0000-7000-8000-000000000001
    """
    with connected(client) as camillo:
        found = list(camillo.distillation.proposals(proposal_ids=[proposal_id]))
    if not found:
        raise CliError("there is no such proposal", ExitCode.NOT_FOUND)
    proposal = found[0]
    show_record(client, proposal, proposal.content, DETAILS)
    if not client.as_json:
        for quote in proposal.quotes:
            say(f"{'said in':<12} {quote.event_id}: {clean(quote.text)}")


def accept(client: ClientOptions, proposal_ids: ProposalIds, request_id: RequestId = None) -> None:
    """Store what proposals say.

    Example: camillo distill accept 0198c0de-0000-7000-8000-000000000001
    """
    with connected(client) as camillo:
        answer = camillo.distillation.accept(proposal_ids, request_id=request_id)
    _print_reviewed(client, answer, answer.proposals)


def reject(client: ClientOptions, proposal_ids: ProposalIds, request_id: RequestId = None) -> None:
    """Reject proposals: nothing is stored of them.

    Example: camillo distill reject 0198c0de-0000-7000-8000-000000000001
    """
    with connected(client) as camillo:
        answer = camillo.distillation.reject(proposal_ids, request_id=request_id)
    _print_reviewed(client, answer, answer.proposals)


def edit(
    client: ClientOptions,
    proposal_id: Annotated[str, Argument(metavar="ID", help="The id of a proposal that waits.")],
    content: Annotated[str, Argument(metavar="TEXT", help="What it shall say: 1 to 2,000 characters.")],
    request_id: RequestId = None,
) -> None:
    """Change the text of a proposal, which is yours then. Accept it afterwards.

    Example: camillo distill edit 0198c0de-0000-7000-8000-000000000001 "The standup is at 9:30"
    """
    with connected(client) as camillo:
        answer = camillo.distillation.edit(proposal_id, content, request_id=request_id)
    print_result(client, answer, f"edited {answer.proposal.proposal_id}")


def runs(
    client: ClientOptions,
    state: Annotated[DistillationState | None, Option(help="Default: any.")] = None,
    limit: Limit = None,
) -> None:
    """List distillations with what they sent, cost and dropped, newest first.

    Example: camillo distill runs --limit 10
    """
    with connected(client) as camillo:
        print_list(
            client, pages(camillo.distillation.runs, limit, state=state), RUNS, empty="no distillations", lines=3
        )


def revert(client: ClientOptions, distillation_id: DistillationId, request_id: RequestId = None) -> None:
    """Undo a distillation: what it added is gone, what it superseded is in force again.

    Example: camillo distill revert 0198c0de-0000-7000-8000-000000000001
    """
    with connected(client) as camillo:
        answer = camillo.distillation.revert(distillation_id, request_id=request_id)
    undone = counted(answer.reverted, "proposal", "proposals")
    print_result(client, answer, f"reverted {answer.distillation.distillation_id}: {undone} undone")
    if not client.as_json:
        for proposal_id in answer.changed_proposal_ids:
            note(f"stays, since it was changed since then: {proposal_id}")


def replay(client: ClientOptions, distillation_id: DistillationId) -> None:
    """Check the stored answers of a distillation once more, without the model.

    Example: camillo distill replay 0198c0de-0000-7000-8000-000000000001
    """
    with connected(client) as camillo:
        answer = camillo.distillation.replay(distillation_id)
    text = "the same comes of the answers" if answer.identical else "something else comes of the answers now"
    print_result(client, answer, text)
    if not client.as_json and not answer.identical and answer.proposals:
        show_items(answer.proposals, PROPOSALS[2:], lines=3)


def _print_reviewed(client: ClientOptions, answer: object, proposals: Sequence[Proposal]) -> None:
    if client.as_json:
        print_message(answer)  # type: ignore[arg-type]
    else:
        show_items(proposals, PROPOSALS, lines=3)


def _sent(done: Distillation) -> str:
    turns = counted(done.turns, "turn", "turns")
    return f"{done.turns_sent} of {turns}, {done.sent_tokens} of {done.said_tokens} tokens, for {done.model_id}"


def _came(done: Distillation) -> str:
    return f"{counted(done.proposals, 'proposal', 'proposals')}, {_dropped(done)}, {_price(done)}"


def _dropped(done: Distillation) -> str:
    dropped = [f"{field_text(each, 'reason')} {each.statements}" for each in done.dropped]
    return "dropped: " + (", ".join(dropped) if dropped else "none")


def _price(done: Distillation) -> str:
    return f"${usd(done.nano_usd)}"


PROPOSALS = (
    Column("id", "proposal_id", style="dim"),
    Column(
        "state",
        "state",
        styles={"accepted": "green", "pending": "yellow", "stale": "red", "refused": "red", "reverted": "dim"},
    ),
    Column("change", "operation", optional=True),
    Column("record", "record", optional=True),
    Column("content", "content"),
    Column("said", lambda proposal: " / ".join(quote.text for quote in proposal.quotes), style="dim"),
)
RUNS = (
    Column("id", "distillation_id", style="dim"),
    Column("state", "state", styles={"done": "green", "reverted": "dim"}),
    Column("age", age_in("created_at"), right=True, optional=True),
    Column("why", "trigger", optional=True),
    Column("turns", lambda done: f"{done.turns_sent}/{done.turns}", right=True),
    Column("tokens", lambda done: str(done.input_tokens + done.output_tokens), right=True),
    Column("price", _price, right=True),
    Column("accepted", lambda done: f"{done.accepted}/{done.proposals}", right=True),
    Column("dropped", lambda done: _dropped(done).removeprefix("dropped: ")),
)
DETAILS = (
    ("id", "proposal_id"),
    ("state", "state"),
    ("change", "operation"),
    ("of", "memory_id"),
    ("record", "record"),
    ("kind", "kind"),
    ("subject", "subject"),
    ("names", "names"),
    ("confidence", lambda proposal: f"{proposal.confidence:.2f}"),
    ("trust", "trust_level"),
    ("from", "valid_from"),
    ("until", "valid_until"),
    ("became", "result_id"),
    ("edited", lambda proposal: f"by {proposal.reviewer or 'a reviewer'}" if proposal.edited else ""),
    ("distillation", "distillation_id"),
)
