"""recall, list, get, history."""

import sys
from itertools import islice
from typing import Annotated, Any

from typer import Argument, Option

from camillo_server.cli.arguments import given_text, utc_now
from camillo_server.cli.artifact_options import ShownIn, name_of
from camillo_server.cli.choices import Profile, Source
from camillo_server.cli.connection import ClientOptions, connected
from camillo_server.cli.filters import FilterOptions
from camillo_server.cli.output import note, print_message, say
from camillo_server.cli.tables import Column, clean, printable, show_table

PAGE_SIZE = 500


def recall(
    client: ClientOptions,
    filters: FilterOptions,
    query: Annotated[
        list[str] | None, Argument(help="What to look for; '-': from standard input.")
    ] = None,
    limit: Annotated[int, Option(min=1, max=200, help="At most this many hits.")] = 5,
    profile: Annotated[Profile, Option(help="The order of the hits.")] = Profile.RELEVANCE,
    explain: Annotated[bool, Option("--explain", help="Show how each score came about.")] = False,
    min_score: Annotated[float, Option(help="Leave out hits that score less.")] = 0.0,
    max_tokens: Annotated[
        int, Option(min=0, help="At most this many tokens in all hits; 0: no bound.")
    ] = 0,
    source: Annotated[
        list[Source] | None, Option(help="Where to look; may be repeated. Default: memory.")
    ] = None,
    channel: ShownIn = None,
    masked: Annotated[
        bool, Option("--masked", help="Mask what tells of persons, by the server's rules.")
    ] = False,
) -> None:
    """Find the memories that answer a query best.

    Example: camillo recall "what does Ada drink?" --limit 3 --explain
    """
    from camillo_server.cli.hits import degraded_notes, show_hits

    text = given_text(query)
    sources: list[Any] = [each.value for each in source or ()]
    with connected(client) as camillo:
        answer = camillo.recall(
            text,
            filter=filters.message(),
            limit=limit,
            profile=profile.value,
            explain=explain,
            min_score=min_score,
            max_tokens=max_tokens,
            sources=sources,
            channel=name_of(channel),
            masked=masked,
        )
    for reason in degraded_notes(answer):
        note(f"note: {reason}")
    if client.as_json:
        print_message(answer)
    elif answer.hits:
        show_hits(answer, utc_now(), explained=explain)
    else:
        note("nothing found")


def list_memories(
    client: ClientOptions,
    filters: FilterOptions,
    limit: Annotated[int | None, Option(min=1, help="At most this many. Default: all.")] = None,
) -> None:
    """List memories, newest first.

    Example: camillo list --tag drinks --since 30d --limit 20
    """
    with connected(client) as camillo:
        size = min(limit or PAGE_SIZE, PAGE_SIZE)
        memories = islice(camillo.list_memories(filters.message(), page_size=size), limit)
        if client.as_json:
            for memory in memories:
                print_message(memory)
        else:
            _show_memories(memories)


def get(
    client: ClientOptions,
    memory_id: Annotated[str, Argument(help="The id of a memory.")],
    vector: Annotated[bool, Option("--vector", help="With its vector, in JSON.")] = False,
) -> None:
    """Show one memory.

    Example: camillo get 0198c0de-0000-7000-8000-000000000001
    """
    from camillo_server.cli.wording import details

    with connected(client) as camillo:
        memory = camillo.get(memory_id, include_vector=vector)
    if client.as_json:
        print_message(memory)
        return
    say(printable(memory.content) if sys.stdout.isatty() else memory.content)
    say("")
    for name, value in details(memory):
        say(f"{name:<12} {clean(value)}")


def history(
    client: ClientOptions,
    memory_id: Annotated[str, Argument(help="The id of a memory.")],
) -> None:
    """Show a memory as it was at each version, newest first.

    Example: camillo history 0198c0de-0000-7000-8000-000000000001
    """
    from camillo_server.cli.wording import moment

    with connected(client) as camillo:
        revisions = camillo.history(memory_id)
        if client.as_json:
            for revision in revisions:
                print_message(revision)
            return
        rows = [
            [
                str(revision.memory.version),
                moment(revision.memory.updated_at),
                moment(revision.replaced_at) if revision.HasField("replaced_at") else "in force",
                revision.memory.content,
            ]
            for revision in revisions
        ]
    columns = [Column("version", right=True), Column("since"), Column("until"), Column("content")]
    show_table(columns, rows, lines=3)


def _show_memories(memories: Any) -> None:
    """Page by page, so that the first are seen before the last are read."""
    from camillo_server.cli.wording import age_of, kind_of, short_tags

    columns = [
        Column("id", style="dim"),
        Column("age", right=True),
        Column("tags", style="green", optional=True),
        Column("kind", optional=True),
        Column("content"),
    ]
    now, shown = utc_now(), 0
    while page := list(islice(memories, PAGE_SIZE)):
        rows = [[m.memory_id, age_of(m, now), short_tags(m), kind_of(m), m.content] for m in page]
        show_table(columns, rows)
        shown += len(page)
    if not shown:
        note("no memories")
