"""index create, drop, list: vector indexes of single large scopes, directly in the database
(docs/adr/vectors-in-postgres.md)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated

from camillo_cli.format import SHARED
from camillo_cli.options import AsJson, OutputOptions
from camillo_cli.output import note, print_value
from camillo_cli.tables import Column, print_list
from typer import Option

from camillo_server.cli.server import ServerOptions, database_urls, operator_errors

if TYPE_CHECKING:
    from camillo_server.kernel.scope import Scope
    from camillo_server.search.store.vector_index import VectorIndex

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class IndexOptions:
    """The vectors that an index contains."""

    tenant: Annotated[str, Option(help="The tenant of the space.")]
    agent: Annotated[str, Option(help="The agent of the space; empty: the space that all agents share.")]
    model: Annotated[str | None, Option(help="Embedding model of the vectors. [default: that of most]")] = None

    def scope(self) -> Scope:
        from camillo_server.kernel.ids import AgentId, TenantId
        from camillo_server.kernel.scope import Scope

        return Scope(TenantId(self.tenant), AgentId(self.agent))


def create(options: ServerOptions, index: IndexOptions, as_json: AsJson = False) -> None:
    """Create an index of the vectors of one large scope. Servers keep running; it takes minutes for 100,000 memories.

    Example: camillo index create --tenant acme --agent archivist
    """
    from camillo_server.search.store.vector_index import NoVectors, TooManyDimensions, create_index

    with operator_errors(NoVectors, TooManyDimensions), database_urls(options.settings()) as urls:
        created = create_index(urls.owner_url, index.scope(), index.model)
    text = f"{created.name} is ready, {created.bytes / MIB:,.0f} MiB"
    print_value(asdict(created), text, as_json=as_json)
    if not as_json:
        note("servers start to use it within a minute")


def drop(options: ServerOptions, index: IndexOptions, as_json: AsJson = False) -> None:
    """Drop the indexes of a scope. A recall then compares the query with every vector again.

    Example: camillo index drop --tenant acme --agent archivist
    """
    from camillo_server.search.store.vector_index import drop_indexes

    with operator_errors(), database_urls(options.settings()) as urls:
        dropped = drop_indexes(urls.owner_url, index.scope(), index.model)
    for each in dropped:
        print_value({"name": each.name}, f"dropped {each.name}", as_json=as_json)
    if not dropped and not as_json:
        note("there is no index of this space")


def list_indexes(options: ServerOptions, output: OutputOptions) -> None:
    """List the spaces that have an index.

    Example: camillo index list
    """
    from camillo_server.search.store.vector_index import list_indexes as found

    with operator_errors(), database_urls(options.settings()) as urls:
        indexes = found(urls.owner_url)
    print_list(output, indexes, COLUMNS, empty="no space has an index")


def _vectors_field(name: str) -> Callable[[VectorIndex], str]:
    """A field of the vectors of an index; `?` where the index does not tell whose it is."""
    return lambda index: getattr(index.vectors, name) if index.vectors else "?"


COLUMNS = (
    Column("tenant", _vectors_field("tenant_id")),
    Column("agent", lambda index: _vectors_field("agent_id")(index) or SHARED),
    Column("state", lambda index: "ready" if index.is_ready else "unfinished"),
    Column("size", lambda index: f"{index.bytes / MIB:,.0f} MiB", right=True),
    Column("index", lambda index: index.name, optional=True),
    Column("model", _vectors_field("model_id")),
)
