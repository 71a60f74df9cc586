"""Skills: put with what their text says of them, by the nearest level, in versions."""

from tests.rpc.knowledge.skill_calls import delete, get, names, put, skill_text
from tests.server_fixtures import Server


async def test_smoke(server: Server) -> None:
    a = await put(server.alice)
    print(a)
    print(await get(server.alice))
    print(await put(server.alice))
    print(await names(server.alice))
    print(await put(server.root, level=1))
    print(await put(server.root, level=1, request_id="x"))
    print(await get(server.rival, agent_id="a"))
    await delete(server.alice)
    await delete(server.root, level=1, request_id="y")
    print(await names(server.alice))
