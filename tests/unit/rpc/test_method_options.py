"""The options that the contract has to give its methods, and of the texts that are sent to them: whoever leaves it out
is told."""

from collections.abc import Iterable, Iterator
from typing import Any

from camillo.v1 import options_pb2 as options
from camillo_server.doors.rpc.contract import (
    ADDS,
    AUDIT,
    ENDLESS,
    READS_BY_FILTER,
    RETURNS_NO_CONTENT,
    SECRETS,
    methods,
    option,
    written_requests,
)
from camillo_server.doors.rpc.validate import is_name
from camillo_server.settings.sections import QuotaSettings
from google.protobuf.descriptor_pb2 import FieldDescriptorProto, FileDescriptorProto
from google.protobuf.descriptor_pool import DescriptorPool

READING = (
    *("BatchRecall", "Build", "Count", "Export", "Get", "List", "Profile", "Query", "Read", "Recall"),
    *("Render", "Replay", "Search", "Verify", "Watch", "WhoAmI"),
)
TEXT = FieldDescriptorProto.TYPE_STRING


def undeclared_methods(described: Iterable[Any]) -> set[str]:
    """Methods that write, by their name or since they take a request id, and do not say what they add."""
    return {
        each.name
        for each in described
        if not each.name.startswith(READING) or "request_id" in each.input_type.fields_by_name
        if not each.GetOptions().HasExtension(ADDS)
    }


def undeclared_texts(message: Any, seen: set[str] | None = None) -> Iterator[str]:
    """Texts of a request that are no names and do not say what becomes of a secret in them."""
    seen = set() if seen is None else seen
    seen.add(message.full_name)
    for field in message.fields:
        if field.GetOptions().HasExtension(SECRETS):
            continue
        inner = field.message_type
        if inner is not None and inner.full_name.startswith("camillo.") and inner.full_name not in seen:
            yield from undeclared_texts(inner, seen)
        elif field.type == field.TYPE_STRING and not is_name(field):
            yield f"{message.name}.{field.name}"


def test_every_method_that_writes_says_what_it_adds() -> None:
    described = list(methods())
    assert undeclared_methods(described) == set()
    assert sum(each.GetOptions().HasExtension(ADDS) for each in described) > 60


def test_every_text_of_a_request_that_writes_says_what_becomes_of_a_secret() -> None:
    requests = [each.input_type for each in methods() if each.input_type.full_name in written_requests()]
    assert {text for each in requests for text in undeclared_texts(each)} == set()
    assert len(requests) > 60


def test_a_method_and_a_text_that_say_nothing_are_noticed() -> None:
    file = FileDescriptorProto(name="rose.proto", package="camillo.rose")
    request = file.message_type.add(name="PlantRoseRequest")
    request.field.add(name="rose_id", number=1, type=TEXT)
    request.field.add(name="colour", number=2, type=TEXT)
    service = file.service.add(name="RoseService")
    service.method.add(name="PlantRose", input_type="PlantRoseRequest", output_type="PlantRoseRequest")
    silent = _method_of(file)
    assert undeclared_methods([silent]) == {"PlantRose"}
    assert list(undeclared_texts(silent.input_type)) == ["PlantRoseRequest.colour"]
    service.method[0].options.Extensions[ADDS].SetInParent()
    request.field[1].options.Extensions[SECRETS] = options.SECRETS_REDACTED
    telling = _method_of(file)
    assert undeclared_methods([telling]) == set()
    assert list(undeclared_texts(telling.input_type)) == []


def _method_of(file: FileDescriptorProto) -> Any:
    pool = DescriptorPool()
    pool.Add(file)
    return pool.FindServiceByName("camillo.rose.RoseService").methods[0]


def test_what_a_method_adds_is_a_quota_and_counted_by_fields_of_its_request() -> None:
    counted = {}
    for method in methods():
        adds = method.GetOptions().Extensions[ADDS]
        fields = method.input_type.fields_by_name
        assert {adds.per, adds.unless} - {""} <= set(fields), method.name
        if adds.rows or adds.bytes:
            counted[method.name] = adds.rows
    assert len(counted) == 18
    assert set(counted.values()) - {""} <= set(QuotaSettings.model_fields)


def test_only_streams_are_endless_and_all_watches_are() -> None:
    endless = {each.name for each in methods() if each.GetOptions().Extensions[ENDLESS]}
    streams = {each.name for each in methods() if each.server_streaming}
    assert endless == {name for name in streams if name.startswith("Watch")} != set()


def test_what_is_said_of_reading_is_said_of_methods_that_read() -> None:
    audited = {}
    for method in methods():
        said, request = method.GetOptions(), method.input_type.fields_by_name
        if said.Extensions[READS_BY_FILTER]:
            assert "max_sensitivity" in request["filter"].message_type.fields_by_name
        if said.Extensions[AUDIT]:
            assert not said.HasExtension(ADDS)
            assert not said.Extensions[RETURNS_NO_CONTENT]
            audited[method.name] = said.Extensions[AUDIT]
    assert len(set(audited.values())) == 3
    assert not option("/camillo.v1.MemoryService/NoSuchMethod", ENDLESS)
