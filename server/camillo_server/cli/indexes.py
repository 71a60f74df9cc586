"""index create, drop, list: vector indexes of single large scopes, directly in the database
(docs/adr/vectors-in-postgres.md)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Annotated

from camillo_cli.format import SHARED
from camillo_cli.options import AsJson, OutputOptions
from camillo_cli.output import note, print_value
from camillo_cli.tables import Column, print_list
from typer import Option

from camillo_server.cli.server import ServerOptions, operator_errors, running_embedded_url

if TYPE_CHECKING:
    from camillo_server.kernel.scope import Scope
    from camillo_server.search.store.vector_index import VectorIndex
    from camillo_server.settings.settings import Settings

MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class IndexOptions:
    """The vectors that an index contains."""

    tenant: Annotated[str, Option(help="The tenant of the scope.")]
    agent: Annotated[str, Option(help="The agent of the scope; empty: the scope that all agents share.")]
    model: Annotated[str | None, Option(help="Embedding model of the vectors. [default: that of most]")] = None

    def scope(self) -> Scope:
        from camillo_server.kernel.ids import AgentId, TenantId
        from camillo_server.kernel.scope import Scope

        return Scope(TenantId(self.tenant), AgentId(self.agent))


def create(options: ServerOptions, index: IndexOptions, as_json: AsJson = False) -> None:
    """Create an index of the vectors of one large scope. Servers keep running; it takes minutes for 100,000 memories.

    Example: camillo index create --tenant acme --agent archivist
    """
    from camillo_server.search.store.vector_index import create_index

    with _owner_url(options.settings()) as url:
        created = create_index(url, index.scope(), index.model)
    text = f"{created.name} is ready, {created.bytes / MIB:,.0f} MiB"
    print_value(asdict(created), text, as_json=as_json)
    if not as_json:
        note("servers start to use it within a minute")


def drop(options: ServerOptions, index: IndexOptions, as_json: AsJson = False) -> None:
    """Drop the indexes of a scope. A recall then compares the query with every vector again.

    Example: camillo index drop --tenant acme --agent archivist
    """
    from camillo_server.search.store.vector_index import drop_indexes

    with _owner_url(options.settings()) as url:
        dropped = drop_indexes(url, index.scope(), index.model)
    for each in dropped:
        print_value({"name": each.name}, f"dropped {each.name}", as_json=as_json)
    if not dropped and not as_json:
        note("there is no index of this scope")


def list_indexes(options: ServerOptions, output: OutputOptions) -> None:
    """List the scopes that have an index.

    Example: camillo index list
    """
    from camillo_server.search.store.vector_index import list_indexes as found

    with _owner_url(options.settings()) as url:
        indexes = found(url)
    print_list(output, indexes, COLUMNS, empty="no scope has an index")


@contextmanager
def _owner_url(settings: Settings) -> Iterator[str]:
    """The URL of the database for the role that owns its tables, also of an embedded one that a server runs.

    Raises CliError for errors that an operator can fix.
    """
    from camillo_server.assembly.processes.serve import open_database
    from camillo_server.search.store.vector_index import NoVectors, TooManyDimensions
    from camillo_server.storage.embedded.account import OWNER

    with operator_errors(NoVectors, TooManyDimensions):
        is_embedded = settings.database.url is None
        if is_embedded and (running := running_embedded_url(settings.data_dir, OWNER)):
            yield running
            return
        with open_database(settings) as urls:
            yield urls.owner_url


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
