"""Every text of every request that writes, by reflection: a secret in it is taken out, or the request is refused."""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import grpc
import pytest
from camillo.v1 import admin_pb2 as admin_pb
from camillo.v1 import admin_service_pb2 as admin
from google.protobuf.descriptor import FieldDescriptor, MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from tests.postgres_fixtures import TestDatabase
from tests.rpc.memories.calls import remember
from tests.rpc.memories.test_update import update
from tests.rpc.random_messages import ID, RandomMessages
from tests.rpc.test_random_requests import DEFECTS, METHODS, artifact_ids, ground, spare_the_test_itself
from tests.rpc.test_secrets import CONTROL, stored_texts
from tests.secret_samples import MAKERS
from tests.server_fixtures import Server, refused

REMOVING = ("Forget", "Delete", "Reset", "Revoke", "Prune", "End")
# Last come those that remove what the others name.
WRITING = sorted(
    (
        method
        for method in METHODS
        if "request_id" in method.input_type.fields_by_name
        or method.name in ("PutArtifact", "PublishDocument", "ImportMemories", "StartReembedding")
    ),
    key=lambda method: method.name.startswith(REMOVING),
)
Path = tuple[str, ...]
# Random requests are wrong now and then.
ATTEMPTS = 6


def text_fields(described: Any, before: Path = ()) -> Iterator[Path]:
    """The paths of all texts of a message."""
    for field in described.fields:
        path = (*before, field.name)
        if field.type == FieldDescriptor.TYPE_STRING:
            yield path
        elif field.message_type and field.message_type.full_name.startswith("camillo."):
            yield from text_fields(field.message_type, path)


def set_text(message: Any, path: Path, text: str) -> None:
    """The text into the field, and into nothing else."""
    name, *rest = path
    field = message.DESCRIPTOR.fields_by_name[name]
    if rest:
        value = getattr(message, name)
        if field.is_repeated:
            value = value[0] if value else value.add()
        value.SetInParent()
        set_text(value, tuple(rest), text)
    elif field.is_repeated:
        message.ClearField(name)
        getattr(message, name).append(text)
    else:
        setattr(message, name, text)


class Secrets:
    """A new one each time, of a form that ids may have; known by what has been put where."""

    def __init__(self) -> None:
        self._dice = random.Random(5)  # noqa: S311
        self.put: dict[str, str] = {}

    def new(self, at: str) -> str:
        secret = MAKERS["github-pat"](self._dice)
        self.put[secret] = at
        return secret


@pytest.mark.timeout(120)
async def test_no_text_of_a_request_brings_a_secret_in(server: Server, database: TestDatabase) -> None:
    await remember(server.root, f"known {CONTROL}", memory_id=ID)
    await server.root(update(ID, 1, content="known still"))
    await server.root(admin.CreateAgentRequest(agent_id="bob"))
    known = {"artifact_id": await artifact_ids(server, WRITING[0]), **await ground(server.root)}
    messages, secrets, outcomes = RandomMessages(1, known), Secrets(), Counter[str]()
    messages._hostility = 0.0
    for method in WRITING:
        for path in text_fields(method.input_type):
            secret = secrets.new(f"{method.name} {'.'.join(path)}")
            for _ in range(ATTEMPTS):
                outcome = await outcome_of(server, method, requests_with(method, messages, path, secret))
                if outcome:
                    outcomes[outcome] += 1
                    break
    assert outcomes["accepted"] > 60, outcomes
    assert outcomes["refused"] > 40, outcomes
    stored = stored_texts(database)
    assert CONTROL in stored
    assert not [at for secret, at in secrets.put.items() if secret in stored]


def requests_with(method: MethodDescriptor, messages: RandomMessages, path: Path, secret: str) -> list[Message]:
    """A plausible request, or those of a stream, of which the first has the secret there."""
    if method.name == "PutArtifact":
        requests: list[Message] = [*messages.upload()]
    elif method.name == "PublishDocument":
        requests = [*messages.document()]
    else:
        requests = [GetMessageClass(method.input_type)()]
        messages.fill(requests[0])
    spare_the_test_itself(requests[0])
    # A repeat of another request would be refused as such.
    if "request_id" in requests[0].DESCRIPTOR.fields_by_name:
        requests[0].ClearField("request_id")
    set_text(requests[0], path, secret)
    return requests


async def outcome_of(server: Server, method: MethodDescriptor, requests: list[Message]) -> str:
    """Returns "refused" if the request has a secret; nothing if it was wrong otherwise."""
    try:
        if method.client_streaming:
            await server.root.send(requests, method.name)
        else:
            await server.root(requests[0])
    except grpc.aio.AioRpcError as error:
        if error.code() in DEFECTS:
            raise
        return "refused" if "must not contain a secret" in (error.details() or "") else ""
    return "accepted"


@pytest.mark.own_server
@pytest.mark.parametrize(
    ("request_message", "field"),
    [
        (admin.CreateAgentRequest(agent_id="{}"), "agent_id"),
        (admin.CreateAgentRequest(agent_id="eve", display_name="שלום {}"), "display_name"),
        (admin.CreateTenantRequest(tenant_id="eve", request_id="{}"), "request_id"),
        (admin.CreateKeyRequest(agent_id="eve", role=admin_pb.ROLE_READER, description="漢字 {}"), "description"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
async def test_a_name_with_a_secret_is_refused(server: Server, request_message: Message, field: str) -> None:
    secret = MAKERS["camillo-api-key"](random.Random(3))  # noqa: S311
    request = type(request_message)()
    request.CopyFrom(request_message)
    setattr(request, field, getattr(request, field).format(secret))
    refusal_of_it = await refused(server.root(request))
    assert refusal_of_it.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refusal_of_it.fields == (field,)
    assert secret not in str(refusal_of_it)
    setattr(request, field, getattr(request, field).replace(secret, "plain-name"))
    await server.root(request)
