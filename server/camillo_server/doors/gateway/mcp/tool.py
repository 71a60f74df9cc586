"""A tool: its name and schemas as clients see them, and the function that answers. And the addresses of resources."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, quote, unquote
from uuid import UUID

Schema = Mapping[str, Any]
Arguments = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolAnswer:
    """The answer of a tool: text for the model, and the same for programs. Recalled text stands in fences in both."""

    text: str
    structured: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ToolDefinition:
    """One tool as `tools/list` shows it. `answered_by` is `module:function` here: what reads no memory imports none of
    them."""

    name: str
    title: str
    description: str
    arguments: Mapping[str, Schema]
    required: tuple[str, ...]
    output: Schema | None
    answered_by: str
    reads_only: bool = False
    destroys: bool = False
    is_idempotent: bool = False

    def listed(self) -> dict[str, Any]:
        """The tool as the protocol lists it."""
        schema = {"type": "object", "properties": dict(self.arguments)}
        return {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": {**schema, "required": list(self.required)} if self.required else schema,
            **({} if self.output is None else {"outputSchema": self.output}),
            "annotations": {
                "readOnlyHint": self.reads_only,
                "destructiveHint": self.destroys,
                "idempotentHint": self.is_idempotent or self.reads_only,
                "openWorldHint": False,
            },
        }


# Called with the calls and the checked arguments.
ToolFunction = Callable[[Any, Arguments], Awaitable[ToolAnswer]]


class ToolRefused(Exception):
    """An error that the model can act on: what is wrong, and what to do."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(f"{reason}: {message}")


def text(description: str = "") -> Schema:
    return {"type": "string", **_described(description)}


def number(description: str = "", kind: str = "integer") -> Schema:
    return {"type": kind, **_described(description)}


def choice(*values: str) -> Schema:
    return {"type": "string", "enum": list(values)}


def texts(description: str = "") -> Schema:
    return {"type": "array", "items": {"type": "string"}, **_described(description)}


def yes_or_no(description: str = "") -> Schema:
    return {"type": "boolean", **_described(description)}


def result(**properties: Schema) -> Schema:
    """An output schema, of which the first property is always there."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties)[:1],
    }


def _described(description: str) -> Schema:
    return {"description": description} if description else {}


SCHEME = "camillo://"
MEMORY, ARTIFACT, BUNDLE, SLOT = "memory", "artifact", "bundle", "slot"
KINDS = (MEMORY, ARTIFACT, BUNDLE, SLOT)


def uri(kind: str, name: str) -> str:
    """`camillo://slot/%2Fuser%2Fstyle`."""
    return f"{SCHEME}{kind}/{quote(name, safe='')}"


class Address(NamedTuple):
    """The kind and name of what an address names, and the options of reading it."""

    kind: str
    name: str
    options: Mapping[str, str]


def parse(address: str) -> Address:
    """The parts of an address. A slot's key may come as a path, too. ValueError for any other address."""
    stated, _, query = address.removeprefix(SCHEME).partition("?")
    kind, separator, encoded = stated.partition("/")
    if not address.startswith(SCHEME) or not separator or kind not in KINDS or not encoded:
        raise ValueError(address)
    name = unquote(encoded, errors="strict")
    if kind == SLOT and not name.startswith("/"):
        name = f"/{name}"
    return Address(kind, name, dict(parse_qsl(query)))


def record_uri(ref: str) -> str:
    """The address of what has this id or key."""
    if ref.startswith("/"):
        return uri(SLOT, ref)
    return uri(MEMORY if is_uuid(ref) else ARTIFACT, ref)


def is_uuid(text: str) -> bool:
    """Whether the text is an id of the form that the server gives."""
    try:
        return str(UUID(text)) == text.lower()
    except ValueError:
        return False
