"""Routes from HTTP paths to methods, read at start from the `google.api.http` annotations of the contract, and the
fields that a path and a query give."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn
from urllib.parse import unquote

from google.api import annotations_pb2, http_pb2
from google.protobuf.struct_pb2 import Struct

from camillo_server.doors.gateway.json_bodies import fill
from camillo_server.kernel.errors import invalid_field

# Templates of the contract have literals, variables of one segment, and at the end the name of a custom verb.
_TEMPLATE = re.compile(r"(?P<path>(?:/(?:[A-Za-z0-9_.-]+|\{[a-z_]+\}))+)(?::(?P<verb>[A-Za-z]+))?")
_VERBS = ("get", "put", "post", "delete", "patch")
BODY_WHOLE = "*"


@dataclass(frozen=True, slots=True)
class HttpBinding:
    """One way to call a method by HTTP."""

    # As gRPC has it: `/camillo.v1.MemoryService/Recall`.
    method: str
    descriptor: Any
    http_method: str
    template: str
    # Literals as they are, variables in braces; and the name behind the colon, or nothing.
    segments: Sequence[str]
    verb: str
    # The field that the body is, `*` for the whole request, empty for none.
    body: str

    @property
    def variables(self) -> Sequence[str]:
        """The fields that the path gives, in its order."""
        return [each[1:-1] for each in self.segments if each.startswith("{")]


@dataclass(frozen=True, slots=True)
class RouteMatch:
    """The method that a path calls, and the fields that it gives."""

    binding: HttpBinding
    variables: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class NoRoute:
    """No method: `allowed` names the HTTP methods that the path has, if any."""

    allowed: Sequence[str] = ()


@dataclass(slots=True)
class _Node:
    literals: "dict[str, _Node]" = field(default_factory=dict)
    variable: "_Node | None" = None
    # By custom verb and HTTP method.
    bindings: dict[tuple[str, str], HttpBinding] = field(default_factory=dict)


class Router:
    """Finds bindings. A literal goes before a variable, as in Envoy's transcoder."""

    def __init__(self, bindings: Iterable[HttpBinding]) -> None:
        """Raises ValueError where two bindings have one path and HTTP method."""
        self._root = _Node()
        self.bindings = tuple(bindings)
        # Only these are taken for verbs: any other colon belongs to the value of a variable.
        self._verbs = {each.verb for each in self.bindings} - {""}
        for each in self.bindings:
            self._add(each)

    def match(self, http_method: str, raw_path: str) -> RouteMatch | NoRoute:
        """Finds the method that a path calls; the path is percent-encoded as it was sent."""
        path, verb = raw_path, ""
        head, colon, tail = raw_path.rpartition(":")
        if colon and "/" not in tail and tail in self._verbs:
            path, verb = head, tail
        if not path.startswith("/"):
            return NoRoute()
        segments = path[1:].split("/")
        allowed = list[str]()
        for node, values in _walk(self._root, segments, ()):
            binding = node.bindings.get((verb, http_method))
            if binding is not None:
                decoded = [unquote(value, errors="strict") for value in values]
                return RouteMatch(binding, dict(zip(binding.variables, decoded, strict=True)))
            allowed += [method for of_verb, method in node.bindings if of_verb == verb]
        return NoRoute(sorted(set(allowed)))

    def _add(self, binding: HttpBinding) -> None:
        node = self._root
        for segment in binding.segments:
            if segment.startswith("{"):
                node.variable = node = node.variable or _Node()
            else:
                node = node.literals.setdefault(segment, _Node())
        key = binding.verb, binding.http_method
        if key in node.bindings:
            raise ValueError(f"two methods have {binding.http_method} {binding.template}")
        node.bindings[key] = binding


def contract_bindings(modules: Iterable[Any]) -> Iterator[HttpBinding]:
    """Yields the bindings of every method: its annotated ones, and `POST /camillo.v1.Service/Method`. Raises ValueError
    for a template of a form that the contract has not had so far."""
    for module in modules:
        for service in module.DESCRIPTOR.services_by_name.values():
            for method in service.methods:
                yield from _bindings_of(service, method)


def _bindings_of(service: Any, method: Any) -> Iterator[HttpBinding]:
    name = f"/{service.full_name}/{method.name}"
    rule: http_pb2.HttpRule = method.GetOptions().Extensions[annotations_pb2.http]
    for each in (rule, *rule.additional_bindings):
        pattern = each.WhichOneof("pattern")
        if pattern is not None:
            if pattern not in _VERBS or each.response_body:
                raise ValueError(f"{name}: such a rule is not known here")
            yield _binding(name, method, pattern.upper(), getattr(each, pattern), each.body)
    segments = name[1:].split("/")
    yield HttpBinding(name, method, "POST", name, segments, "", BODY_WHOLE)


def _binding(name: str, method: Any, http_method: str, template: str, body: str) -> HttpBinding:
    parsed = _TEMPLATE.fullmatch(template)
    if parsed is None:
        raise ValueError(f"{name}: a template like {template} is not known here")
    segments = parsed["path"][1:].split("/")
    return HttpBinding(name, method, http_method, template, segments, parsed["verb"] or "", body)


def _walk(node: _Node, segments: Sequence[str], values: tuple[str, ...]) -> Iterator[tuple[_Node, tuple[str, ...]]]:
    if not segments:
        yield node, values
        return
    first, rest = segments[0], segments[1:]
    if (literal := node.literals.get(unquote(first))) is not None:
        yield from _walk(literal, rest, values)
    # An empty segment is no value: `//` and a slash at the end lead nowhere.
    if node.variable is not None and first:
        yield from _walk(node.variable, rest, (*values, first))


MAX_INTEGER = 2**31 - 1
MAX_NAME_CHARACTERS = 200
MAX_UNKNOWN = 5


class FieldReader:
    """The fields of one object. Each is read at most once; null is the same as not there."""

    def __init__(self, fields: Mapping[str, Any], path: str = "") -> None:
        """`path` is what stands before the names in errors, such as `content.`."""
        self._left = {name: value for name, value in fields.items() if value is not None}
        self._path = path

    def __contains__(self, name: str) -> bool:
        """Whether the field is there and was not read yet."""
        return name in self._left

    def text(self, name: str) -> str:
        """A text, empty where it is not there. Raises InvalidField."""
        return self._text(name, self._left.pop(name, ""))

    def required_text(self, name: str) -> str:
        """A text that has to be there. Raises InvalidField."""
        text = self.text(name)
        return text or self.fail(name, "is required")

    def texts(self, name: str) -> list[str]:
        """A list of texts. Raises InvalidField."""
        return [self._text(f"{name}[{at}]", each) for at, each in enumerate(self._list(name))]

    def integers(self, name: str) -> list[int]:
        """A list of whole numbers. Raises InvalidField."""
        return [self._integer(f"{name}[{at}]", each) for at, each in enumerate(self._list(name))]

    def integer(self, name: str, default: int) -> int:
        """A whole number from 0. Raises InvalidField."""
        return self._integer(name, self._left.pop(name, default))

    def flag(self, name: str) -> bool:
        """Whether the field is true. Raises InvalidField."""
        value = self._left.pop(name, False)
        return value if isinstance(value, bool) else self.fail(name, "must be true or false")

    def one_of(self, name: str, meanings: Mapping[str, int], default: str = "") -> int:
        """The value that the text stands for. The field is required if there is no default. Raises InvalidField."""
        text = self.text(name) or default or self.fail(name, "is required")
        return self._meaning(name, text, meanings)

    def some_of(self, name: str, meanings: Mapping[str, int]) -> list[int]:
        """The values that the texts of a list stand for. Raises InvalidField."""
        texts = enumerate(self.texts(name))
        return [self._meaning(f"{name}[{at}]", text, meanings) for at, text in texts]

    def object(self, name: str) -> dict[str, Any]:
        """An object that has to be there, as it was sent. Raises InvalidField."""
        value = self._left.pop(name, None)
        if value is None:
            self.fail(name, "is required")
        return value if isinstance(value, dict) else self.fail(name, "must be an object")

    def reader(self, name: str) -> "FieldReader":
        """The fields of an object that has to be there. Raises InvalidField."""
        return FieldReader(self.object(name), f"{self._path}{name}.")

    def done(self) -> None:
        """Raises InvalidField where fields are left that nobody has read."""
        names = [_shown(f"{self._path}{name}") for name in self._left]
        if names:
            raise invalid_field(", ".join(names[:MAX_UNKNOWN]), "is not known here")

    def fail(self, name: str, description: str) -> NoReturn:
        """Raises InvalidField for the field of this name."""
        raise invalid_field(f"{self._path}{name}", description)

    def _list(self, name: str) -> Sequence[Any]:
        value = self._left.pop(name, [])
        return value if isinstance(value, list) else self.fail(name, "must be a list")

    def _text(self, name: str, value: Any) -> str:
        if not isinstance(value, str):
            self.fail(name, "must be a text")
        try:
            value.encode()
        except UnicodeEncodeError:
            self.fail(name, "has half of a character: a surrogate without its other one")
        return value

    def _integer(self, name: str, value: Any) -> int:
        # To Python, true is a number.
        if type(value) is not int or not 0 <= value <= MAX_INTEGER:
            self.fail(name, f"must be a whole number from 0 to {MAX_INTEGER}")
        return value

    def _meaning(self, name: str, text: str, meanings: Mapping[str, int]) -> int:
        if text not in meanings:
            self.fail(name, f"must be one of {', '.join(meanings)}")
        return meanings[text]


def reader_of(value: Any) -> FieldReader:
    """The fields of an object of JSON. Raises InvalidField."""
    if not isinstance(value, dict):
        raise invalid_field("body", "must be an object of JSON")
    return FieldReader(value)


def read_query(query: Sequence[tuple[str, str]], lists: frozenset[str] = frozenset()) -> FieldReader:
    """The fields of a query; `lists` names those that may be repeated. Raises InvalidField."""
    fields: dict[str, Any] = {}
    for name, value in query:
        if name in lists:
            fields.setdefault(name, []).append(value)
        elif name in fields:
            raise invalid_field(_shown(name), "must be given once")
        else:
            fields[name] = value
    return FieldReader(fields)


def struct_of(value: dict[str, Any], path: str) -> Struct:
    """An object as the contract stores it. Raises InvalidField."""
    struct = Struct()
    fill(path, value, struct)
    return struct


def _shown(name: str) -> str:
    """A caller's name as an error may have it: short, and of whole characters."""
    return name[:MAX_NAME_CHARACTERS].encode(errors="backslashreplace").decode()
