"""Nobody is told anything of a space without a grant for it, or changes it, whatever is called, named or guessed."""

from pathlib import Path
from typing import Any

import httpx
import pytest
from camillo.v1 import memory_service_pb2 as memories

from tests.patience import PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.rpc.spaces.foreign_doors import try_http, try_postgres
from tests.rpc.spaces.foreign_spaces import (
    Tally,
    canaries,
    control,
    fill,
    intruder_keys,
    try_methods,
    try_names,
)
from tests.rpc.spaces.space_names import CANARY, FOREIGN, HOSTILE_SUBJECTS
from tests.server_fixtures import ANY_PORT, Server, StartServer, refused
from tests.unit.identity.moving_clock import MovingClock
from tests.unit.identity.token_issuer import TokenIssuer

# Methods, places of HTTP requests, and tables with which the owner has to find the canary.
CONTROLS = {
    *(
        "BuildDigest",
        "BuildSnapshot",
        "BuildWorkingMemory",
        "ExportMemories",
        "ExportSlots",
        "GetArtifact",
        "GetDecision",
    ),
    *("GetEvent", "GetMemory", "GetSlot", "GetTask", "GetView", "ListArtifacts", "ListEvents", "ListMemories"),
    *("ListSlotHistory", "ListTasks", "ListViews", "QueryDecisions", "ReadArtifact", "RenderRun", "WatchEvents"),
    *("WatchMemories", "WatchSlots", "GET v1", "POST v1", "POST mcp", "POST camillo-default-agent"),
    *(
        f'table "{name}"'
        for name in ("artifacts", "decisions", "events", "memories", "runs", "slots", "tasks", "views")
    ),
}


@pytest.fixture
def server_settings() -> dict[str, Any]:
    return {"server": {"http_port": ANY_PORT}}


@pytest.mark.own_server
async def test_no_door_tells_anything_of_a_foreign_space(server: Server, database: TestDatabase) -> None:
    tally = Tally()
    for space in FOREIGN:
        await fill(server.admin, space)
    known = await control(server.admin, tally, CONTROLS)
    kept = await canaries(server.admin)
    keys = await intruder_keys(server.admin)
    callers = [server.caller(key) for key in keys]
    await try_methods(callers, known, tally, requests=1)
    await try_names(callers, tally)
    async with httpx.AsyncClient(base_url=f"http://127.0.0.1:{server.http_port}", timeout=PATIENCE_SECONDS) as client:
        await try_http(client, server.keys.admin, keys, tally)
    try_postgres(database.server_url, "acme", tally)
    assert not tally.leaks, "\n".join(tally.leaks[:30])
    assert tally.tried >= 2_000
    # The owner is told, by the same requests, and still has it all.
    assert tally.controls >= CONTROLS
    assert len(kept) >= len(FOREIGN) * 10
    assert await canaries(server.admin) == kept


@pytest.mark.own_server
async def test_no_subject_of_a_token_reaches_the_space_of_another(
    start_server: StartServer, clock: MovingClock, tmp_path: Path
) -> None:
    issuer = TokenIssuer(tmp_path / "jwks.json", clock)
    jwt = {"issuer": "https://issuer", "audience": "camillo", "jwks_path": str(issuer.path)}
    server = await start_server(identity={"jwt": {**jwt, "space_grants": "users/{sub}:write"}})
    await fill(server.admin, "users/42")
    request = memories.ListMemoriesRequest(agent_id="users/42")
    own = server.caller(issuer.token(sub="42"))
    assert CANARY in str(await own(request))
    for subject in HOSTILE_SUBJECTS:
        token = server.caller(issuer.token(sub=subject))
        for each in (request, memories.RecallRequest(agent_id="users/42", text="the of")):
            assert (await refused(token(each))).reason in ("SCOPE_FORBIDDEN", "CREDENTIAL_INVALID"), subject
    # A grant that a token claims itself is no template.
    for spaces in (["users/{sub}:write"], ["users/4*:read"], ["users/42/../42:read"], ["*:read"], "users/42:read"):
        token = server.caller(issuer.token(sub="42", agent="ada", spaces=spaces))
        assert (await refused(token(request))).reason == "CREDENTIAL_INVALID", spaces
