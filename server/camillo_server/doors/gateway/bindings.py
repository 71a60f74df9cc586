"""Routes from HTTP paths to methods, read at start from the `google.api.http` annotations of the contract."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from google.api import annotations_pb2, http_pb2

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
