"""Who is compared, and in what each of them runs."""

from dataclasses import dataclass

REFERENCE = "camillo"


@dataclass(frozen=True, slots=True)
class Contender:
    """A store of memories; `module` has its `opened` and names its `PACKAGES`."""

    name: str
    module: str
    title: str
    # Ours run in the server's own environment, peers in theirs: they need other versions of the same packages.
    is_ours: bool = False
    needs_database: bool = False


CONTENDERS = {
    contender.name: contender
    for contender in (
        Contender("camillo", f"{__package__}.camillo_stubs", "Camillo, gRPC stubs", is_ours=True),
        Contender(
            "camillo_client",
            f"{__package__}.camillo_library",
            "Camillo, its Python client",
            is_ours=True,
        ),
        Contender(
            "langgraph",
            f"{__package__}.langgraph_store",
            "LangGraph AsyncPostgresStore",
            needs_database=True,
        ),
        Contender(
            "mem0", f"{__package__}.mem0_memory", "mem0 AsyncMemory, pgvector", needs_database=True
        ),
        Contender("chroma", f"{__package__}.chroma_server", "Chroma server"),
        Contender("qdrant_local", f"{__package__}.qdrant_local", "Qdrant local client"),
    )
}
PEERS = tuple(name for name, contender in CONTENDERS.items() if not contender.is_ours)
