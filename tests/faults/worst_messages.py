"""The worst requests of every method: all texts as long as the contract lets them be, lists as well."""

from __future__ import annotations

import json
import random
import string
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

from camillo.v1 import options_pb2 as options
from camillo.v1.actor_pb2 import EVENT_KIND_MESSAGE
from camillo.v1.artifact_service_pb2 import PutArtifactRequest
from camillo.v1.event_pb2 import NewEvent
from google.protobuf.descriptor import FieldDescriptor, MethodDescriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass
from google.protobuf.struct_pb2 import Struct

from tests.rpc.random_messages import CONTENT_OF, PLAUSIBLE

LIMIT: Any = options.limit
TEXT = (FieldDescriptor.TYPE_STRING, FieldDescriptor.TYPE_BYTES)
# Texts with a form of their own: long ones would be refused before anything is done with them.
FORMED = {
    *("artifact_id", "confirm", "confirm_agent_id", "confirm_tenant_id", "job_id", "key", "model_id"),
    *("name", "page_token", "plan_token", "pointer", "prefix", "prefix_sha256", "ref", "refs", "regex"),
    *("request_id", "resume_token", "sha256", "source_refs", "token", "upload_id", "yaml"),
}
# Lists of texts that are as long as they may be.
LONG_LISTS = {
    *("alternatives", "consequences", "constraints", "ids", "memory_ids", "rationale", "tags"),
    *("tags_all", "tags_any", "values"),
}

Unit = Callable[[random.Random], str]


def _letters(dice: random.Random, count: int) -> str:
    return "".join(dice.choices(string.ascii_letters + string.digits, k=count))


# Units of which texts are made.
TEXTS: Mapping[str, Unit] = {
    "keys": lambda dice: f"key={_letters(dice, 12)} ",
    "secrets": lambda dice: f'api_key = "{_letters(dice, 40)}"\n',
    "words": lambda dice: dice.choice(("token ", "secret ", "the ", "cache ", "is ", "password ")),
    "marks": lambda dice: dice.choice(("\ufdfa", "e\u0301\u0327", "\u200b\uff4b", "漢", "ß ")),
    "lines": lambda dice: dice.choice(("\n", "a\n")),
}


class WorstMessages:
    """Requests of one sort of text, `max_bytes` long at most."""

    def __init__(self, sort: str, known: Mapping[str, Sequence[str]], max_bytes: int) -> None:
        self._dice = random.Random(1)  # noqa: S311
        unit = TEXTS[sort]
        # Long enough for a period not to matter, short enough to be made quickly.
        self._period = "".join(unit(self._dice) for _ in range(20_000))
        self._plausible = {**PLAUSIBLE, **{name: tuple(values) for name, values in known.items()}}
        self._max_bytes = max_bytes

    def of(self, method: MethodDescriptor) -> Iterator[list[Message]]:
        """The messages of one call, for each choice that the request leaves."""
        if method.name == "PutArtifact":
            yield [*self._upload()]
            return
        kind = GetMessageClass(method.input_type)
        for choice in range(_choices(method.input_type)):
            request = kind()
            self._fill(request, choice, self._max_bytes)
            yield [request]

    def _upload(self) -> Iterator[Message]:
        header = PutArtifactRequest()
        self._fill(header.header, 0, self._max_bytes)
        header.header.ClearField("size_bytes")
        header.header.ClearField("offset")
        header.header.ClearField("upload_id")
        header.header.ClearField("prefix_sha256")
        yield header
        data = self._text(self._max_bytes, "").encode()[: self._max_bytes]
        for at in range(0, len(data), 1 << 20):
            part = PutArtifactRequest()
            part.bytes.data, part.bytes.offset = data[at : at + (1 << 20)], at
            yield part
        last = PutArtifactRequest()
        last.finish.sha256 = sha256(data).digest()
        yield last

    def _fill(self, message: Message, choice: int, budget: int) -> int:
        """Sets all fields, of a oneof the one of this number; gives the bytes."""
        fields: Sequence[Any] = message.DESCRIPTOR.fields
        lists = []
        for field in fields:
            if not _is_chosen(field, choice):
                continue
            if field.is_repeated and field.message_type:
                lists.append(field)
            else:
                self._set(message, field, choice, budget)
        if isinstance(message, NewEvent):
            content = message.WhichOneof("content")
            kinds = (kind for kind, name in CONTENT_OF.items() if name == content)
            message.kind = next(kinds, EVENT_KIND_MESSAGE)
        for field in lists:
            self._fill_list(message, field, choice, budget - message.ByteSize())
        return message.ByteSize()

    def _fill_list(self, message: Message, field: Any, choice: int, budget: int) -> None:
        limit: options.Limit = field.GetOptions().Extensions[LIMIT]
        values = getattr(message, field.name)
        for _ in range(limit.items.max or 50):
            size = self._fill(values.add(), choice, budget)
            budget -= size + 5
            if budget < 0:
                del values[len(values) - 1]
            if budget < size:
                return

    def _set(self, message: Message, field: Any, choice: int, budget: int) -> None:
        limit: options.Limit = field.GetOptions().Extensions[LIMIT]
        if field.message_type:
            part = getattr(message, field.name)
            part.SetInParent()
            if isinstance(part, Struct):
                self._fill_struct(part, limit, budget)
            elif not field.message_type.full_name.startswith("google."):
                self._fill(part, choice, budget)
            elif field.message_type.full_name.endswith("Timestamp"):
                part.seconds = 1_893_456_000
            else:
                message.ClearField(field.name)
        elif field.is_repeated:
            count = min(limit.items.max or 2, 10_000) if field.name in LONG_LISTS else 1
            getattr(message, field.name).extend(self._scalar(field, limit, budget, number) for number in range(count))
        else:
            setattr(message, field.name, self._scalar(field, limit, budget, 0))

    def _scalar(self, field: Any, limit: options.Limit, budget: int, number: int) -> Any:
        if field.name == "json_content":
            return self._json_text(min(limit.bytes.max, budget))
        if field.type in TEXT and not limit.form and field.name not in FORMED:
            return self._long_text(field, limit, budget, number)
        if field.name in self._plausible:
            values = self._plausible[field.name]
            return next((value for value in values if value), values[0])
        if field.enum_type:
            return field.enum_type.values[min(1, len(field.enum_type.values) - 1)].number
        if field.type == FieldDescriptor.TYPE_BYTES:
            return b""
        if field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
            return ""
        if field.cpp_type == FieldDescriptor.CPPTYPE_BOOL:
            return False
        if field.cpp_type in (FieldDescriptor.CPPTYPE_FLOAT, FieldDescriptor.CPPTYPE_DOUBLE):
            return 0.5
        if field.name == "if_version":
            return 0
        if limit.HasField("integer"):
            return min(limit.integer.max or 1, 200_000)
        return 0 if field.name == "expected_version" else 1

    def _long_text(self, field: Any, limit: options.Limit, budget: int, number: int) -> Any:
        is_bytes = field.type == FieldDescriptor.TYPE_BYTES
        most = limit.characters.max if limit.HasField("characters") else limit.bytes.max
        most = min(most or budget, max(budget - 4096, 16))
        text = self._text(most, f"{number} " if number else "")
        if is_bytes:
            return text.encode()[:most]
        if limit.HasField("characters"):
            return text[:most]
        return text.encode()[:most].decode("utf-8", "ignore")

    def _json_text(self, most: int) -> str:
        """A text of the sort, and behind it values that are as short as can be."""
        text = json.dumps(self._text(most // 8, ""), ensure_ascii=False)
        return f"[{text}{',{}' * ((most - len(text.encode()) - 2) // 3)}]"

    def _text(self, length: int, before: str) -> str:
        repeats = length // len(self._period) + 1
        return (before + self._period * repeats)[:length]

    def _fill_struct(self, struct: Struct, limit: options.Limit, budget: int) -> None:
        most = min(limit.bytes.max, budget - 4096) - 64
        if limit.json.max_keys:
            keys = limit.json.max_keys
            for number in range(keys):
                struct[f"key{number}"] = self._text(most // keys // 4 - 16, "")
            return
        for number in range(most // 24):
            struct[f"key{number}"] = _letters(self._dice, 4)


def _choices(kind: Any, depth: int = 0) -> int:
    own = [len(each.fields) for each in kind.oneofs]
    inner = [
        _choices(field.message_type, depth + 1)
        for field in kind.fields
        if field.message_type and depth < 3 and not field.message_type.full_name.startswith("google.")
    ]
    return max([1, *own, *inner])


def _is_chosen(field: Any, choice: int) -> bool:
    oneof = field.containing_oneof
    return oneof is None or oneof.fields[min(choice, len(oneof.fields) - 1)].number == field.number
