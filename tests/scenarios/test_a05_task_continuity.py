"""A5: a task that was under way when the server was killed is under way in the next session."""

from pathlib import Path

import pytest
from camillo.v1.context_pb2 import Bundle
from camillo_client import AsyncCamillo
from camillo_server.assembly.processes.root_key import ROOT_KEY_FILE

from tests.faults.server_process import server_process
from tests.scenarios.bundles import items

pytestmark = [pytest.mark.xdist_group("kill"), pytest.mark.timeout(110)]


async def first_session(client: AsyncCamillo) -> tuple[str, str]:
    """A task that is begun, and the event that it rests on; another that is done."""
    asked = await client.events.record("Please mend the light of the north pier.", session_id="one", actor="human:ann")
    task = await client.tasks.open("Mend the north light", goal="Boats find the pier at night", refs=[asked.event_id])
    await client.tasks.move(task.task_id, task.version, "doing")
    done = await client.tasks.open("Buy a bulb")
    assert "Buy a bulb" in (await client.context.bundle(session_id="one")).prompt
    await client.tasks.move(done.task_id, done.version, "done")
    return task.task_id, asked.event_id


async def second_session(client: AsyncCamillo) -> Bundle:
    return await client.context.bundle(session_id="two")


async def test_a_task_goes_on_in_the_next_session(data_directory: Path) -> None:
    with server_process(data_directory) as process:
        address = await process.ready()
        key = (data_directory / ROOT_KEY_FILE).read_text().strip()
        async with AsyncCamillo.connect(address, key=key, agent_id="alice") as client:
            task_id, event_id = await first_session(client)
        await process.kill()
    with server_process(data_directory) as process:
        address = await process.ready()
        async with AsyncCamillo.connect(address, key=key, agent_id="alice") as client:
            bundle = await second_session(client)
        await process.terminate()
    [shown] = items(bundle, "task_state")
    assert [*shown.refs][:2] == [task_id, event_id]
    assert f"[{shown.label}] doing: Mend the north light" in bundle.prompt
    assert "Buy a bulb" not in bundle.prompt
