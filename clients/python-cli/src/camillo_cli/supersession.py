"""supersede, contradictions: which memory took whose place, and which might."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from camillo_cli import options
from camillo_cli.connection import ClientOptions, connected
from camillo_cli.memories import FilterOptions, MemoryId
from camillo_cli.output import note, print_notes, print_result
from camillo_cli.tables import Column, pages, print_list

if TYPE_CHECKING:
    from camillo.v1.supersession_pb2 import Contradiction, UnjudgedReason


def supersede(
    client: ClientOptions,
    memory_id: MemoryId,
    successor_id: Annotated[str, Argument(help="The memory that replaces it.")],
    since: Annotated[
        datetime | None,
        options.ago(
            options.option,
            "From when on the successor is true: 2026-01-31, or 7d. Default: as it says itself.",
            "--since",
        ),
    ] = None,
    expected_version: options.ExpectedVersion = None,
    request_id: options.RequestId = None,
) -> None:
    """Replace one memory by another. The old one stays readable, and is not recalled any more.

    Example: camillo supersede 0198c0de-0000-7000-8000-000000000001 0198c0de-0000-7000-8000-000000000002
    """
    with connected(client) as camillo:
        version = expected_version or camillo.get(memory_id).version
        answer = camillo.supersede(memory_id, version, successor_id, since=since, request_id=request_id)
    superseded, successor = answer.superseded.memory_id, answer.memory.memory_id
    print_result(client, answer, f"{superseded} is superseded by {successor}")


def contradictions(
    client: ClientOptions,
    filters: FilterOptions,
    judge: Annotated[bool, Option("--judge", help="Have the server's language model judge each pair.")] = False,
    limit: options.Limit = None,
) -> None:
    """List pairs of memories that probably contradict each other, newest first. Nothing is changed.

    With --judge, a language model says which of the two is true now, and finds pairs with other wording. That costs
    the tenant money, and takes longer: raise --timeout.

    Example: camillo contradictions --tag drinks --limit 10
    """
    degraded, proposals = list[str](), list[str]()
    with connected(client) as camillo:

        def judged(**arguments: Any) -> Iterator[Contradiction]:
            for page in camillo.contradiction_pages(judge=True, **arguments):
                degraded.extend(_unjudged(page.degraded))
                for found in page.contradictions:
                    proposals.extend(_acceptance(found))
                    yield found

        call = judged if judge else camillo.contradictions
        found = pages(call, limit, filter=filters.message())
        columns = (*COLUMNS[:3], VERDICT, *COLUMNS[3:]) if judge else COLUMNS
        print_list(client, found, columns, empty="no contradictions", lines=3)
    for command in proposals:
        note(f"to accept: {command}")
    print_notes([*dict.fromkeys(degraded)])


def _differences(found: Contradiction) -> str:
    from camillo.v1.supersession_pb2 import Difference
    from camillo_client import enum_name

    return ", ".join(enum_name(Difference, each) for each in found.differences)


def _unjudged(reasons: Iterable[UnjudgedReason]) -> list[str]:
    """Why pairs were not judged."""
    from camillo.v1.supersession_pb2 import UnjudgedReason
    from camillo_client import enum_name

    names = [enum_name(UnjudgedReason, reason) for reason in reasons]
    return [UNJUDGED.get(name, name) for name in names]


def _verdict(found: Contradiction) -> str:
    from camillo.v1.supersession_pb2 import UnjudgedReason, Verdict
    from camillo_client import enum_name

    judgement = found.judgement
    if judgement.unjudged_reason:
        return f"unjudged ({enum_name(UnjudgedReason, judgement.unjudged_reason)})"
    verdict = enum_name(Verdict, judgement.verdict)
    if judgement.current_id:
        is_newer = judgement.current_id == found.newer.memory_id
        verdict = f"the {'newer' if is_newer else 'older'} supersedes"
    return f"{verdict}: {judgement.reason}" if judgement.reason else verdict


def _acceptance(found: Contradiction) -> list[str]:
    """The command that does what the model proposes, if it does."""
    current = found.judgement.current_id
    ids = (found.older.memory_id, found.newer.memory_id)
    return [f"camillo supersede {each} {current}" for each in ids if current and each != current]


UNJUDGED = {
    "no_model": "the server has no model that judges (contradictions.litellm_model): these are found by rules alone",
    "unavailable": "the model failed, or has too much to do: not all pairs are judged",
    "timeout": "the model took longer than there was time: ask again, or allow more with --timeout",
    "budget": "the budget for models is used up (memory.embedding_budget_usd): not all pairs are judged",
    "invalid_answer": "the model gave no valid answer about some pairs",
    "sensitivity": "what is confidential or restricted is not sent to the model",
}
VERDICT = Column("the model says", _verdict)
COLUMNS = (
    Column("older", "older.memory_id", style="dim"),
    Column("newer", "newer.memory_id", style="dim"),
    Column("differ in", _differences, style="bold"),
    Column("older says", "older.content"),
    Column("newer says", "newer.content"),
)
