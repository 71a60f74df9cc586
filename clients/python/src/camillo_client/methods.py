"""The methods of the contract by name, as the generated code describes them."""

from __future__ import annotations

from dataclasses import dataclass

from google.protobuf.descriptor import MethodDescriptor
from google.protobuf.descriptor_pool import Default
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass


@dataclass(frozen=True, slots=True)
class Method:
    """One method."""

    # As on the wire: `/camillo.v1.MemoryService/Recall`.
    path: str
    request: type[Message]
    response: type[Message]
    sends_stream: bool
    answers_stream: bool

    @property
    def is_unary(self) -> bool:
        return not (self.sends_stream or self.answers_stream)


def method_named(name: str) -> Method:
    """The method of a full name such as `camillo.v1.MemoryService/Recall`; ValueError for an unknown name."""
    path = name.removeprefix("/")
    try:
        found: MethodDescriptor = Default().FindMethodByName(path.replace("/", "."))
    except KeyError:
        raise ValueError(f"no method is named {name}") from None
    return Method(
        path=f"/{path}",
        request=GetMessageClass(found.input_type),
        response=GetMessageClass(found.output_type),
        sends_stream=found.client_streaming,
        answers_stream=found.server_streaming,
    )


def has_field(message: Message | type[Message], name: str) -> bool:
    """Whether messages of this type have a field of this name."""
    return name in message.DESCRIPTOR.fields_by_name
