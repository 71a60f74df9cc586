"""A vector that is stored with its row is the one that a job would make of that row later."""

import numpy as np
import psycopg
from camillo_server.models.embedding.lexical import LexicalEmbedder
from camillo_server.rows.row import indexed_text

from tests.rpc.artifacts.calls import change, put_text
from tests.rpc.knowledge.calls import publish
from tests.rpc.records import record
from tests.server_fixtures import StartServer

STORED = """
select m.kind, m.content, m.occurred_at, v.embedding::text from camillo.memories m join camillo.memory_vectors v
    using (tenant_id, agent_id, memory_id) where m.kind >= 16
"""


async def test_vectors_at_once_are_those_that_a_job_would_make(start_server: StartServer) -> None:
    server = await start_server(memory={"embedding_model": "lexical"}, jobs={"enabled": False})
    await record(server.alice, "Ann: does the kettle whistle?")
    await publish(server.admin, "kettle.txt", "Ann: does the kettle whistle?")
    stored = await put_text(server.alice, "does the kettle whistle?\n", name="kettle.txt")
    await server.alice(change(stored.artifact_id, stored.version, description="an answer about kettles"))
    with psycopg.connect(server.database.superuser_url) as superuser:
        rows = superuser.execute(STORED).fetchall()
    assert {kind for kind, *_ in rows} == {17, 33, 113}
    embedder = LexicalEmbedder(len(rows[0][3].split(",")))
    for kind, content, occurred_at, stored_vector in rows:
        (later,) = await embedder.embed([indexed_text(content, kind, occurred_at)])
        at_once = np.array(stored_vector.strip("[]").split(","), np.float32)
        np.testing.assert_allclose(at_once, later, atol=1e-3, err_msg=content)
