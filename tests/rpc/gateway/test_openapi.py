"""The document of OpenAPI: complete, valid, and as strict as the server."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import camillo_server.assembly.app  # noqa: F401 (registers the rules of all requests)
import pytest
from camillo_server.doors.gateway.bindings import HttpBinding, contract_bindings
from camillo_server.doors.gateway.http_requests import read_message
from camillo_server.doors.gateway.openapi_routes import ASSETS, DOCUMENT
from camillo_server.doors.rpc.contract import CONTRACT
from camillo_server.doors.rpc.field_limits import check_message
from camillo_server.doors.rpc.validate import Checks, OwnModel
from camillo_server.kernel.errors import FieldViolation, InvalidField
from google.protobuf.message import Message
from openapi_spec_validator import OpenAPIV31SpecValidator

from docs.site.comments import comments as comments_of_proto
from tests.rpc.gateway.openapi_schemas import (
    REF,
    Json,
    body_schema,
    objects,
    operation,
    operations,
    resolve,
    violations,
)
from tools.openapi import comments
from tools.openapi.artifact_paths import artifact_paths
from tools.openapi.document import described_bindings, openapi_document

ROOT = Path(__file__).parents[3]
# Methods that take a stream have no schema.
BINDINGS = tuple(each for each in contract_bindings(CONTRACT) if not each.descriptor.client_streaming)
LISTED = described_bindings(BINDINGS)
JSON = "application/json"


@pytest.fixture(scope="module")
def document() -> Json:
    # As it is sent.
    return json.loads(json.dumps(openapi_document(contract_bindings(CONTRACT), artifact_paths())))


def test_the_server_has_the_document_of_its_contract(document: Json) -> None:
    assert json.loads((ASSETS / DOCUMENT).read_text("utf-8")) == document


def test_the_document_is_valid_by_the_specification(document: Json) -> None:
    assert document["openapi"] == "3.1.0"
    assert not list(OpenAPIV31SpecValidator(document).iter_errors())
    assert list(OpenAPIV31SpecValidator(document | {"info": {}}).iter_errors())


def test_every_binding_is_in_it_once(document: Json) -> None:
    by_hand = {(path, verb) for path, item in artifact_paths().items() for verb in item}
    methods = [each for each in operations(document) if each[:2] not in by_hand]
    listed = [(verb.upper(), path) for path, verb, _ in methods]
    annotated = {(b.http_method, b.template) for b in BINDINGS if b.template != b.method}
    by_name_alone = {b.template for b in BINDINGS} - {b.method for b in BINDINGS if b in LISTED}
    assert len(annotated) > 100
    assert annotated <= set(listed)
    assert set(Counter(listed).values()) == {1}
    ids = Counter(each["operationId"] for *_, each in methods)
    assert ids == {b.descriptor.name: 1 for b in BINDINGS}
    assert by_name_alone


def test_methods_without_an_annotation_are_called_by_their_name(document: Json) -> None:
    assert "/camillo.v1.ArtifactService/ReadArtifact" in document["paths"]
    assert "/camillo.v1.MemoryService/Recall" not in document["paths"]


def test_every_reference_leads_somewhere(document: Json) -> None:
    references = [each for each in objects(document) if isinstance(each.get(REF), str)]
    assert len(references) > 1000
    for each in references:
        assert resolve(document, each)
    with pytest.raises(KeyError):
        resolve(document, {REF: "#/components/schemas/Nothing"})


def test_everything_is_described(document: Json) -> None:
    for path, verb, each in operations(document):
        assert each["summary"], path
        assert each["description"], path
        parameters = [resolve(document, parameter) for parameter in each["parameters"]]
        assert all(parameter["description"] for parameter in parameters), (path, verb)
        for answer in each["responses"].values():
            assert resolve(document, answer)["description"]
    for name, schema in document["components"]["schemas"].items():
        assert schema["description"], name
        for field, described in schema.get("properties", {}).items():
            assert described["description"], (name, field)
    assert all(tag["description"] for tag in document["tags"])
    # Comments that send readers of the contract elsewhere.
    assert "See the service." not in json.dumps(document)


def test_the_comments_are_those_of_the_contract() -> None:
    assert json.loads(comments.FILE.read_text()) == dict(comments_of_proto(ROOT / "proto"))


def test_path_and_query_have_no_field_of_the_body(document: Json) -> None:
    update = operation(document, "UpdateMemory")
    assert [p["name"] for p in update["parameters"] if p.get("in") == "path"] == ["memory_id"]
    fields = resolve(document, body_schema(update))["properties"]
    assert "memoryId" not in fields
    assert "memory" in fields
    listing = operation(document, "ListMemories")
    query = {p["name"]: p["schema"] for p in listing["parameters"] if p.get("in") == "query"}
    assert query["filter.tagsAny"]["type"] == "array"
    assert query["pageSize"] | {"format": ""} == {
        "type": "integer",
        "format": "",
        "minimum": 0,
        "maximum": 1000,
        "default": 50,
    }
    assert "freshness.atLeastAsFresh.token" in query


@pytest.mark.parametrize("binding", LISTED, ids=lambda binding: binding.descriptor.name)
def test_examples_are_valid_and_the_server_takes_them(document: Json, binding: HttpBinding) -> None:
    described = document["paths"][binding.template][binding.http_method.lower()]
    body = b""
    if "requestBody" in described:
        example = described["requestBody"]["content"][JSON]["example"]
        assert not violations(document, body_schema(described), example)
        body = json.dumps(example).encode()
    variables, query = dict[str, str](), list[tuple[str, str]]()
    for parameter in described["parameters"]:
        example = parameter.get("example")
        if example is None:
            assert not parameter.get("required"), parameter["name"]
        else:
            assert not violations(document, parameter["schema"], example)
            if parameter["in"] == "path":
                variables[parameter["name"]] = str(example)
            else:
                values = example if isinstance(example, list) else [example]
                query += [(parameter["name"], as_text(value)) for value in values]
    assert not refused(read_message(binding, variables, query, json.loads(body or b"{}")))


def as_text(value: Json) -> str:
    return value if isinstance(value, str) else json.dumps(value)


@pytest.mark.parametrize(
    ("operation_id", "change", "is_valid"),
    [
        ("Remember", {"memory": {"content": "x" * 2000}}, True),
        ("Remember", {"memory": {"content": "x" * 2001}}, False),
        ("Remember", {"memory": {"content": "🌙" * 2000}}, True),
        ("Remember", {"memory": {}}, False),
        ("Remember", {"memory": {"content": "x", "importance": 1.5}}, False),
        ("Remember", {"memory": {"content": "x", "kind": "MEMORY_KIND_NONE"}}, False),
        ("Remember", {"memory": {"content": "x", "metadata": {"a": 1, "b": None}}}, True),
        ("Remember", {"memory": {"content": "x", "metadata": {"a": {"b": 1}}}}, False),
        ("Remember", {"requestId": "x" * 129}, False),
        ("Remember", {"agentId": "@shared"}, True),
        ("Remember", {"agentId": "@other"}, False),
        ("Remember", {"unknown": 1}, False),
        ("BatchRemember", {"memories": []}, False),
        ("Recall", {"limit": 0}, True),
        ("Recall", {"limit": -1}, False),
        ("Recall", {"text": "", "limit": 1}, False),
        ("Recall", {"text": "x", "vector": {"values": [1]}}, False),
        ("Recall", {"freshness": {"fullyConsistent": True, "minimizeLatency": True}}, False),
        ("RecordEvent", {"event": {"text": "x", "sessionId": "x"}}, True),
        ("RecordEvent", {"event": {"text": "x"}}, False),
        ("ForgetMemories", {"memoryIds": {"ids": ["no-uuid"]}}, False),
        ("OffloadOutput", {"output": "aGk="}, True),
    ],
)
def test_a_body_is_refused_by_its_schema_as_by_the_server(
    document: Json, operation_id: str, change: Json, is_valid: bool
) -> None:
    described = operation(document, operation_id)
    sent = described["requestBody"]["content"][JSON]["example"] | change
    assert bool(violations(document, body_schema(described), sent)) != is_valid
    [binding] = [each for each in LISTED if each.descriptor.name == operation_id]
    variables = dict.fromkeys(binding.variables, "x")
    try:
        message = read_message(binding, variables, (), sent)
    except InvalidField:
        assert not is_valid
    else:
        assert bool(refused(message)) != is_valid


def refused(message: Message) -> list[FieldViolation]:
    checks = Checks(OwnModel("model", 384))
    check_message(message, checks)
    return checks.violations


def test_a_oneof_that_is_demanded_has_to_be_there(document: Json) -> None:
    schema = body_schema(operation(document, "Recall"))
    assert violations(document, schema, {"limit": 1})
    assert not violations(document, schema, {"text": "x"})


def test_what_answers_have_too_is_demanded_of_requests_alone(document: Json) -> None:
    # JSON of an answer leaves out what is empty.
    actor = document["components"]["schemas"]["Actor"]
    assert "required" not in actor
    assert "additionalProperties" not in actor
    event = resolve(document, body_schema(operation(document, "RecordEvent")))["properties"]["event"]
    assert event["required"] == ["sessionId"]


def test_operations_can_be_added_by_hand() -> None:
    item = {"put": {"operationId": "Upload", "responses": {"200": {"description": "Stored."}}}}
    made = openapi_document(BINDINGS, {"/v1/artifacts/upload": item})
    assert made["paths"]["/v1/artifacts/upload"] == item
    assert not list(OpenAPIV31SpecValidator(made).iter_errors())
    with pytest.raises(ValueError, match="post /v1/memories"):
        openapi_document(BINDINGS, {"/v1/memories": {"post": {}}})
    with pytest.raises(ValueError, match="Recall"):
        openapi_document(BINDINGS, {"/v1/other": {"get": {"operationId": "Recall"}}})


def test_a_further_binding_of_a_method_has_an_id_of_its_own() -> None:
    [recall] = [each for each in LISTED if each.descriptor.name == "Recall"]
    made = openapi_document([recall, replace(recall, template="/v1/recall")])
    assert [each["operationId"] for *_, each in operations(made)] == ["Recall", "Recall2"]
    with pytest.raises(ValueError, match="post /v1/memories:recall"):
        openapi_document([recall, recall])
