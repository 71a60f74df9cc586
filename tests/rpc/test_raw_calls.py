"""docs/raw-calls.md: the Python program runs as it stands, and reflection sends what the page says, and not more."""

import asyncio
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from camillo.v1 import memory_pb2, options_pb2
from google.protobuf.descriptor_pb2 import FileDescriptorProto
from grpc_reflection.v1alpha import reflection_pb2, reflection_pb2_grpc

from tests.server_fixtures import Server

PAGE = Path(__file__).parents[2] / "docs" / "raw-calls.md"
# The stubs do not know that this is an extension.
LIMIT: Any = options_pb2.limit


def python_program() -> str:
    found = re.search(r"^```python\n(.*?)^```", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    assert found
    return found[1]


@pytest.mark.own_server
async def test_the_program_with_bare_stubs_runs_as_it_stands(server: Server) -> None:
    environ = os.environ | {"CAMILLO_ADDRESS": server.address, "CAMILLO_KEY": server.keys.root}
    for _ in range(2):  # the second time it repeats the request, and stores nothing more
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            python_program(),
            env=environ,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        stdout, stderr = await process.communicate()
        assert process.returncode == 0, stderr.decode()
        assert re.fullmatch(r"\d\.\d\d Ada prefers tea to coffee\n", stdout.decode())


async def described(server: Server, symbol: str) -> reflection_pb2.ServerReflectionResponse:
    stub = reflection_pb2_grpc.ServerReflectionStub(server.channel)
    request = reflection_pb2.ServerReflectionRequest(file_containing_symbol=symbol)
    return await anext(aiter(stub.ServerReflectionInfo(iter([request]))))


async def test_reflection_sends_limits_but_no_comments(server: Server) -> None:
    answer = await described(server, "camillo.v1.NewMemory")
    files = map(FileDescriptorProto.FromString, answer.file_descriptor_response.file_descriptor_proto)
    file = next(file for file in files if file.name == "camillo/v1/memory.proto")
    new_memory = next(each for each in file.message_type if each.name == "NewMemory")
    content = next(each for each in new_memory.field if each.name == "content")
    assert content.options.Extensions[LIMIT].characters.max == 2000
    assert not file.HasField("source_code_info")
    assert file.name == memory_pb2.DESCRIPTOR.name


async def test_reflection_finds_a_method_by_its_service_alone(server: Server) -> None:
    service = await described(server, "camillo.v1.MemoryService")
    assert service.HasField("file_descriptor_response")
    method = await described(server, "camillo.v1.MemoryService.Recall")
    assert method.HasField("error_response")
