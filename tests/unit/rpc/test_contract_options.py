"""The options of the contract: what they say is what the comments beside them say."""

import re
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from camillo.v1 import options_pb2
from camillo_server.doors.rpc.validate import LIMIT
from google.protobuf.descriptor_pb2 import FileDescriptorProto, FileDescriptorSet

ROOT = Path(__file__).parents[3]
NUMBER = re.compile(r"(?<![\w.-])(\d[\d,]*(?:\.\d+)?)(?: ?(KiB|MiB))?(?![\w-])")
UNITS = {"": 1, "KiB": 1024, "MiB": 1024 * 1024}
# How many values may be sent, repeats included, protects the server; no caller needs to know it beforehand.
UNTOLD = ("max_sent",)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> list[FileDescriptorProto]:
    """The contract with its comments."""
    target = tmp_path_factory.mktemp("contract") / "contract.binpb"
    api = find_spec("google.api.http_pb2")
    assert api is not None
    assert api.origin is not None
    sources = sorted(str(path) for path in (ROOT / "proto/camillo/v1").glob("*.proto"))
    command = [sys.executable, "-m", "grpc_tools.protoc", "--include_source_info"]
    folders = [f"-I{ROOT / 'proto'}", f"-I{Path(api.origin).parents[2]}"]
    subprocess.run([*command, *folders, f"--descriptor_set_out={target}", *sources], check=True)
    return list(FileDescriptorSet.FromString(target.read_bytes()).file)


def limited_fields(file: FileDescriptorProto) -> Iterator[tuple[str, options_pb2.Limit, str]]:
    """Each field that has a limit: its name, the limit and its comment."""
    comments = {tuple(place.path): place.leading_comments for place in file.source_code_info.location}
    for i, message in enumerate(file.message_type):
        for j, field in enumerate(message.field):
            if field.options.HasExtension(LIMIT):
                limit = field.options.Extensions[LIMIT]
                yield f"{message.name}.{field.name}", limit, comments[4, i, 2, j]


def numbers_of(limit: Any) -> set[float]:
    """Numbers in the limit except 0 and 1: those are told in words."""
    found: set[float] = set()
    for field, value in limit.ListFields():
        if field.message_type:
            found |= numbers_of(value)
        elif type(value) in (int, float) and field.enum_type is None and field.name not in UNTOLD:
            found.add(value)
    return found - {0, 1}


def numbers_in(text: str) -> set[float]:
    return {float(number.replace(",", "")) * UNITS[unit] for number, unit in NUMBER.findall(text)}


def test_a_comment_that_tells_numbers_tells_those_of_the_limit(files: list[FileDescriptorProto]) -> None:
    seen, wrong = 0, {}
    for file in files:
        for name, limit, comment in limited_fields(file):
            told = numbers_in(comment)
            seen += bool(told)
            if told and not numbers_of(limit) <= told:
                wrong[name] = (sorted(numbers_of(limit) - told), comment)
    assert wrong == {}
    assert seen > 150
