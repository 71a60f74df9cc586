"""The pages of the contract: every service, message, enumeration and error reason of proto/, with its comment."""

import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path
from typing import Any

from camillo.v1 import admin_pb2, options_pb2
from google.api import annotations_pb2
from google.protobuf import descriptor_pb2
from grpc_tools import protoc

from docs.site.limits import limit_words

PACKAGE = "camillo.v1."
# The services that a user meets first; the others follow by name.
SERVICES_FIRST = ("memory", "event", "artifact", "snapshot", "run")

Descriptor = Any
Field = descriptor_pb2.FieldDescriptorProto
# The stubs do not know that these are extensions.
PERMISSION: Any = options_pb2.permission
LIMIT: Any = options_pb2.limit
HTTP: Any = annotations_pb2.http
# The numbers of fields of descriptor.proto, of which the paths of comments consist.
MESSAGES, ENUMS, SERVICES, NESTED, NESTED_ENUMS, MEMBERS, ONEOFS = 4, 5, 6, 3, 4, 2, 8
COMPOUND_NAME = re.compile(r"`[^`]*`|\b[A-Z]\w*[a-z]\w*\b")


def contract_pages(proto: Path) -> dict[str, str]:
    """The Markdown of each page by its file's name, README.md with the list of all methods among them."""
    parsed = parse_contract(proto)
    contract = Contract(parsed)
    return {"README.md": contract.index()} | {
        f"{file.stem}.md": "\n".join(file.lines(contract)) for file in contract.files
    }


def parse_contract(proto: Path) -> descriptor_pb2.FileDescriptorSet:
    """Every file of the contract, with its comments. Raises ValueError where protoc refuses one."""
    names = sorted(path.relative_to(proto).as_posix() for path in proto.rglob("*.proto"))
    # google/api and google/rpc come with googleapis-common-protos, the types of protobuf with grpcio-tools.
    google = Path(annotations_pb2.__file__).parents[2]
    include = [proto, google, files("grpc_tools") / "_proto"]
    with tempfile.NamedTemporaryFile() as result:
        paths = [f"-I{path}" for path in include]
        options = ["--include_source_info", f"--descriptor_set_out={result.name}"]
        if protoc.main(["protoc", *paths, *options, *names]) != 0:
            raise ValueError(f"protoc cannot read {proto}")
        return descriptor_pb2.FileDescriptorSet.FromString(Path(result.name).read_bytes())


def _anchored(level: int, title: str, anchor: str) -> str:
    return f"\n{'#' * level} {title} {{#{anchor}}}\n"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


@dataclass(frozen=True, slots=True)
class Type:
    """A message or an enumeration: nested ones are named `Outer.Inner`."""

    name: str
    descriptor: Descriptor
    path: tuple[int, ...]


class File:
    """One file of the contract with the comments of its elements."""

    def __init__(self, descriptor: descriptor_pb2.FileDescriptorProto) -> None:
        self.stem = Path(descriptor.name).stem
        self.services = descriptor.service
        self.messages = list(_nested("", descriptor.message_type, (MESSAGES,)))
        self.enums = [Type(e.name, e, (ENUMS, i)) for i, e in enumerate(descriptor.enum_type)]
        for message in self.messages:
            self.enums += [
                Type(f"{message.name}.{enum.name}", enum, (*message.path, NESTED_ENUMS, i))
                for i, enum in enumerate(message.descriptor.enum_type)
            ]
        self._comments = {
            tuple(location.path): location.leading_comments for location in descriptor.source_code_info.location
        }

    @property
    def title(self) -> str:
        if self.services:
            return self.services[0].name
        return f"Types: {self.stem.replace('_', ' ')}"

    def comment(self, *path: int) -> str:
        lines = self._comments.get(path, "").splitlines()
        return "\n".join(line.removeprefix(" ") for line in lines).strip()

    def lines(self, contract: "Contract") -> Iterator[str]:
        yield f"# {self.title}\n\n`camillo/v1/{self.stem}.proto`\n"
        for number, service in enumerate(self.services):
            yield contract.linked(self.comment(SERVICES, number))
            for index, method in enumerate(service.method):
                yield _anchored(2, method.name, f"{service.name}.{method.name}")
                yield contract.linked(self.comment(SERVICES, number, MEMBERS, index))
                yield contract.call(service, method)
        for message in self.messages:
            yield _anchored(2, message.name, message.name)
            yield contract.linked(self.comment(*message.path))
            yield from self._fields(message, contract)
        for enum in self.enums:
            yield _anchored(2, enum.name, enum.name)
            yield contract.linked(self.comment(*enum.path))
            yield "\n| value | number | |\n|---|---|---|"
            for index, value in enumerate(enum.descriptor.value):
                words = self.comment(*enum.path, MEMBERS, index)
                deprecated = "**Deprecated.** " if value.options.deprecated else ""
                yield f"| `{value.name}` | {value.number} | {deprecated}{_cell(contract.linked(words))} |"

    def _fields(self, message: Type, contract: "Contract") -> Iterator[str]:
        if not message.descriptor.field:
            yield "\nIt has no fields."
            return
        yield "\n| field | number | type | limits | |\n|---|---|---|---|---|"
        for index, field in enumerate(message.descriptor.field):
            words = [contract.linked(self.comment(*message.path, MEMBERS, index))]
            if field.HasField("oneof_index") and not field.proto3_optional:
                choice = message.descriptor.oneof_decl[field.oneof_index].name
                words.insert(0, f"One of `{choice}`.")
            if field.options.deprecated:
                words.insert(0, "**Deprecated.**")
            limits = limit_words(field.options.Extensions[LIMIT])
            cells = (contract.type_of(message, field), limits, " ".join(words))
            yield f"| `{field.name}` | {field.number} | {' | '.join(map(_cell, cells))} |"
        for index, oneof in enumerate(message.descriptor.oneof_decl):
            if described := self.comment(*message.path, ONEOFS, index):
                yield f"\n`{oneof.name}`: {contract.linked(described)}"


def _nested(prefix: str, descriptors: Any, path: tuple[int, ...]) -> Iterator[Type]:
    for index, descriptor in enumerate(descriptors):
        if not descriptor.options.map_entry:
            message = Type(prefix + descriptor.name, descriptor, (*path, index))
            yield message
            yield from _nested(f"{message.name}.", descriptor.nested_type, (*message.path, NESTED))


class Contract:
    """All files, and where each name is described."""

    def __init__(self, parsed: descriptor_pb2.FileDescriptorSet) -> None:
        self.files = [File(file) for file in parsed.file]
        self._places = {
            element.name: f"{file.stem}.md#{element.name}"
            for file in self.files
            for element in (*file.messages, *file.enums)
        }
        for file in self.files:
            for service in file.services:
                self._places[service.name] = f"{file.stem}.md"
                for method in service.method:
                    place = f"{file.stem}.md#{service.name}.{method.name}"
                    self._places.setdefault(method.name, place)

    def link(self, type_name: str) -> str:
        """A link to a type by its full name, such as `.camillo.v1.Memory`."""
        name = type_name.removeprefix(".")
        own = name.removeprefix(PACKAGE)
        if own in self._places:
            return f"[{own}]({self._places[own]})"
        return f"`{name}`"

    def linked(self, text: str) -> str:
        """A comment in which names of services, methods and messages are links; single words such as Event are not."""

        def link(match: re.Match[str]) -> str:
            word = match[0]
            is_compound = len(re.findall("[A-Z]", word)) > 1 and not word.startswith("`")
            return self.link(PACKAGE + word) if is_compound and word in self._places else word

        return COMPOUND_NAME.sub(link, text)

    def type_of(self, message: Type, field: Field) -> str:
        plain = Field.Type.Name(field.type).removeprefix("TYPE_").lower()
        name = self.link(field.type_name) if field.type_name else plain
        for nested in message.descriptor.nested_type:
            if nested.options.map_entry and field.type_name.endswith(f".{nested.name}"):
                key, value = (self.type_of(message, each) for each in nested.field)
                return f"map of {key} to {value}"
        if field.label == Field.LABEL_REPEATED:
            return f"list of {name}"
        return f"optional {name}" if field.proto3_optional else name

    def call(self, service: Descriptor, method: Descriptor) -> str:
        streams = ("stream of " * side for side in (method.client_streaming, method.server_streaming))
        request, response = (
            stream + self.link(name)
            for stream, name in zip(streams, (method.input_type, method.output_type), strict=True)
        )
        rows = [
            ("gRPC", f"`/{PACKAGE}{service.name}/{method.name}`"),
            ("HTTP", ", ".join(_bindings(method.options)) or "none"),
            ("Request", request),
            ("Response", response),
            ("Permission", _permission(method.options)),
        ]
        table = "\n".join(f"| {name} | {value} |" for name, value in rows)
        deprecated = "\n**Deprecated.**\n" if method.options.deprecated else ""
        return f"{deprecated}\n| | |\n|---|---|\n{table}"

    def index(self) -> str:
        """The page that lists every method, and the files of types."""
        lines = ["# The contract", "", "The services and messages of the package `camillo.v1`."]
        by_importance = {f"{stem}_service": rank for rank, stem in enumerate(SERVICES_FIRST)}
        for file in sorted(self.files, key=lambda file: by_importance.get(file.stem, 99)):
            for number, service in enumerate(file.services):
                words = file.comment(SERVICES, number).partition("\n\n")[0]
                lines += [f"\n## [{service.name}]({file.stem}.md)\n", self.linked(words)]
                lines += ["\n| method | permission | HTTP | |\n|---|---|---|---|"]
                for index, method in enumerate(service.method):
                    first = _first_sentence(file.comment(SERVICES, number, MEMBERS, index))
                    lines.append(
                        f"| [{method.name}]({file.stem}.md#{service.name}.{method.name}) "
                        f"| {_permission(method.options)} | {'<br>'.join(_bindings(method.options))} | {_cell(first)} |"
                    )
        types = [f"[{file.title}]({file.stem}.md)" for file in self.files if not file.services]
        return "\n".join([*lines, "\n## Types and error reasons\n", *(f"- {each}" for each in types)])


def _first_sentence(text: str) -> str:
    return re.split(r"(?<=\.)\s", text)[0]


def _permission(options: Any) -> str:
    role = options.Extensions[PERMISSION] or admin_pb2.ROLE_ROOT
    return f"`{admin_pb2.Role.Name(role)}`"


def _bindings(options: Any) -> list[str]:
    if not options.HasExtension(HTTP):
        return []
    rule = options.Extensions[HTTP]
    verbs = ((each, each.WhichOneof("pattern")) for each in (rule, *rule.additional_bindings))
    return [f"`{verb.upper()} {getattr(each, verb)}`" for each, verb in verbs if verb]
