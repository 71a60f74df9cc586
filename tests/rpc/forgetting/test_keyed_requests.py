"""Digests of requests are made with a key: who reads the database cannot test a guess of what a request said."""

from hashlib import sha256
from typing import Any

import psycopg
import pytest
from camillo.v1 import event_service_pb2 as events
from camillo.v1 import memory_service_pb2 as memories
from camillo.v1 import task_service_pb2 as tasks
from camillo.v1.memory_pb2 import NewMemory
from camillo.v1.task_pb2 import NewTask

from tests.rpc.records import text_event
from tests.server_fixtures import Server, refused

VALUE = "Ida wohnt in der Hafenstraße 12 🏠"


def requests(text: str) -> list[Any]:
    """Requests that write by a single statement each, and in a transaction of several."""
    return [
        memories.RememberRequest(memory=NewMemory(content=text)),
        events.RecordEventRequest(event=text_event(text)),
        tasks.UpsertTaskRequest(task=NewTask(title=text)),
    ]


def plain_digest(request: Any) -> bytes:
    content = type(request).__name__.encode() + b"\0" + request.SerializeToString(deterministic=True)
    return sha256(content).digest()


@pytest.mark.own_server
async def test_a_guess_cannot_be_tested_and_repeats_of_before_are_known(server: Server) -> None:
    for number, request in enumerate(requests(VALUE)):
        plain = plain_digest(request)
        request.request_id = f"r{number}"
        first = await server.alice(request)
        assert kept_digest(server, request.request_id) != plain
        assert await server.alice(request) == first
        # As a server without keys, or of an earlier release, kept it.
        with psycopg.connect(server.database.superuser_url) as connection:
            connection.execute("update camillo.requests set content_digest = %s", (plain,))
        assert await server.alice(request) == first
    for number, other in enumerate(requests(VALUE + "!")):
        other.request_id = f"r{number}"
        assert (await refused(server.alice(other))).reason == "REQUEST_ID_REUSED"


def kept_digest(server: Server, request_id: str) -> bytes:
    with psycopg.connect(server.database.superuser_url) as connection:
        found = connection.execute(
            "select content_digest from camillo.requests where request_id = %s", (request_id,)
        ).fetchone()
    assert found is not None
    return bytes(found[0])
