"""The real server without the chunks by which artifacts are found: what these cost is the difference."""

from typing import Any

from camillo_server.features.artifacts.store import uploads
from camillo_server.features.artifacts.store.chunks import NO_CHUNK, NewChunk
from camillo_server.kernel.scope import Scope
from camillo_server.storage.statements import scope_parameters


async def _no_chunk(tenant_id: Any, artifact: Any, *_: Any) -> NewChunk:
    scope = Scope(tenant_id, artifact.agent_id)
    nothing = {**NO_CHUNK, "chunks": "[]", "embedded_ids": [], "embedded_models": []}
    return NewChunk(scope, (), {**scope_parameters(scope), **nothing, "embeddings": []})


uploads.new_chunk = _no_chunk  # type: ignore[assignment, attr-defined]

if __name__ == "__main__":
    from bench.app_server import main

    main()
