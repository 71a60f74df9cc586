"""Schemas of a document of OpenAPI, to hold what is sent and answered against."""

from collections.abc import Iterator, Mapping
from typing import Any

from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import ValidationError

Json = Any
VERBS = ("get", "post", "put", "patch", "delete")
REF = "$ref"


def operations(document: Json) -> Iterator[tuple[str, str, Json]]:
    """Path, method of HTTP and operation of each."""
    for path, item in document["paths"].items():
        for verb in VERBS:
            if verb in item:
                yield path, verb, item[verb]


def operation(document: Json, operation_id: str) -> Json:
    [found] = [each for *_, each in operations(document) if each["operationId"] == operation_id]
    return found


def objects(value: Json) -> Iterator[dict[str, Any]]:
    """Every object within, this one included."""
    if isinstance(value, dict):
        yield value
        for each in value.values():
            yield from objects(each)
    elif isinstance(value, list):
        for each in value:
            yield from objects(each)


def resolve(document: Json, item: Json) -> Json:
    """The item that a reference leads to; without one, the item itself. Raises KeyError."""
    if REF not in item:
        return item
    found = document
    for key in item[REF].removeprefix("#/").split("/"):
        found = found[key]
    return found


def closed(value: Json) -> Json:
    """A copy in which objects that have fields have no others: what is not described is an error."""
    if isinstance(value, dict):
        copied = {key: closed(each) for key, each in value.items()}
        is_open = copied.get("type") == "object" and isinstance(copied.get("properties"), dict)
        return {"additionalProperties": False} | copied if is_open else copied
    return [closed(each) for each in value] if isinstance(value, list) else value


def violations(document: Json, schema: Mapping[str, Any], value: Json) -> list[str]:
    """The parts of a value that a schema of the document does not allow."""
    # References lead from the root of a schema.
    rooted = {"components": document["components"], **schema}
    validator = Draft202012Validator(rooted, format_checker=FormatChecker())
    return [_words(error) for error in validator.iter_errors(value)]


def _words(error: ValidationError) -> str:
    return f"{error.json_path}: {error.message}"


def answer_schema(document: Json, operation_id: str, status: str, media_type: str) -> Json:
    """The schema of an answer. Raises KeyError where the document has none."""
    answers = operation(document, operation_id)["responses"]
    answer = resolve(document, answers[status] if status in answers else answers["default"])
    return answer["content"][media_type]["schema"]


def body_schema(described: Json) -> Json:
    """The schema of an operation's body. Raises KeyError where it has none."""
    return described["requestBody"]["content"]["application/json"]["schema"]
