"""The scenarios, read from their file and looked through for what no step has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml
from camillo_client.methods import Method, method_named
from google.protobuf.descriptor_pool import Default

from clients.conformance.faults import fault
from clients.conformance.matching import unreadable
from clients.conformance.wire import Cut

Step = Mapping[str, Any]

SERVICES = (
    "Memory",
    "Artifact",
    "Event",
    "Decision",
    "Task",
    "Slot",
    "Knowledge",
    "Link",
    "Audit",
    "Snapshot",
    "Run",
    "Lifecycle",
    "Admin",
    "Space",
)
_OF_A_CLIENT = {"client"}
_OF_AN_ANSWER = {"expect", "error", "save", "times", "elapsed"}
_OF_A_METHOD = _OF_A_CLIENT | _OF_AN_ANSWER | {"request", "timeout_seconds"}
# Commands to runners, with the keys that may stand beside each. The key's own value is the first argument.
COMMANDS: Mapping[str, set[str]] = {
    "connect": {"address", "key", "agent_id", "tls", "timeout_seconds", "max_message_bytes"} | _OF_AN_ANSWER,
    "bind": {"of", "user", "project", "team", "space", "beside"},
    "call": _OF_A_METHOD,
    "hits": _OF_A_METHOD - {"timeout_seconds"},
    "pages": _OF_A_METHOD - {"timeout_seconds"},
    "stream": _OF_A_METHOD | {"take"},
    "recall": _OF_A_CLIENT | _OF_AN_ANSWER | {"time_zone"},
    "bundle": _OF_A_CLIENT | _OF_AN_ANSWER | {"time_zone"},
    "record": _OF_A_CLIENT | _OF_AN_ANSWER | {"session_id"},
    "put": _OF_A_CLIENT | _OF_AN_ANSWER | {"name"},
    "publish": _OF_A_CLIENT | _OF_AN_ANSWER | {"name", "categories", "expected_version", "request_id"},
    "read": _OF_A_CLIENT | _OF_AN_ANSWER,
    "offload": _OF_A_CLIENT | _OF_AN_ANSWER | {"tool"},
    "render_ref": _OF_AN_ANSWER | {"description"},
    "parse_refs": _OF_AN_ANSWER,
    "close": _OF_A_CLIENT | _OF_AN_ANSWER,
}
# Steps that the harness does by itself.
OWN_STEPS: Mapping[str, set[str]] = {
    "proxy": set(),
    "wire": set(),
    "seen": {"expect", "save"},
    "make": {"text", "letters", "file_bytes", "file_text", "deep", "secret", "scope"},
}
TROUBLE = {"proxy", "wire", "seen"}
_EXPECTING = {"expect", "error", "elapsed"}


@dataclass(frozen=True, slots=True)
class Scenario:
    """A story with one outcome."""

    name: str
    steps: Sequence[Step]
    # How clients are connected before the first step, where otherwise than `a` for alice.
    clients: Mapping[str, Mapping[str, Any]] = field(default_factory=lambda: {"a": {}})
    # Played only when asked for: it takes long.
    large: bool = False
    patience_seconds: float = 60.0

    @property
    def needs_proxy(self) -> bool:
        """Whether calls are looked at or troubled, so that they have to pass there."""
        return any(TROUBLE & step.keys() for step in self.steps)


class Unreadable(ValueError):
    """A scenario says what nobody understands."""


def load(path: Path) -> list[Scenario]:
    """All scenarios of a file; Unreadable if one of them says nonsense."""
    scenarios = [Scenario(**told) for told in yaml.safe_load(path.read_text("utf-8"))]
    names = [scenario.name for scenario in scenarios]
    for name in {name for name in names if names.count(name) > 1}:
        raise Unreadable(f"two scenarios are named: {name}")
    for scenario in scenarios:
        for problem in _problems(scenario):
            raise Unreadable(f"{scenario.name}: {problem}")
    return scenarios


def kind_of(step: Step) -> str:
    """The command or own step that a step names."""
    return next(key for key in step if key in COMMANDS or key in OWN_STEPS)


def full_name(method: str) -> str:
    """A method's full name by its short one, which no two services share: `camillo.v1.MemoryService/Recall`."""
    if "/" in method:
        return method
    for service in SERVICES:
        descriptor = Default().FindServiceByName(f"camillo.v1.{service}Service")
        if method in descriptor.methods_by_name:
            return f"{descriptor.full_name}/{method}"
    raise Unreadable(f"no method is named {method}")


def method_of(step: Step) -> Method:
    """The method that a `call`, `pages` or `stream` is about."""
    return method_named(full_name(step[kind_of(step)]))


def _problems(scenario: Scenario) -> Iterator[str]:
    for number, step in enumerate(scenario.steps, start=1):
        for problem in _problems_of(step):
            yield f"step {number} {problem}"
    if not any(_EXPECTING & step.keys() for step in scenario.steps):
        yield "nothing is expected, so that it cannot fail"


def _problems_of(step: Step) -> Iterator[str]:
    kinds = [key for key in step if key in COMMANDS or key in OWN_STEPS]
    if len(kinds) != 1:
        yield f"is {len(kinds)} things at once"
        return
    allowed = COMMANDS.get(kinds[0], OWN_STEPS.get(kinds[0], set()))
    for key in step.keys() - allowed - {kinds[0]}:
        yield f"({kinds[0]}) has {key}"
    if {"expect", "error"} <= step.keys():
        yield "expects both an answer and an error"
    for key in _EXPECTING & step.keys():
        if step[key] == {}:
            yield f"has an empty {key}, which whatever comes is as"
        if told := unreadable(step[key]):
            yield f"({key}) {told}"
    yield from _problems_of_trouble(kinds[0], step)


def _problems_of_trouble(kind: str, step: Step) -> Iterator[str]:
    """Reports a fault that would never befall a call, or a look at calls that nobody could have seen."""
    try:
        if kind == "proxy":
            full_name(fault(step[kind]).method)
        elif kind == "seen":
            full_name(step[kind])
        elif kind == "wire" and step[kind] != "drop":
            Cut(**step[kind])
    except (TypeError, Unreadable) as error:
        yield f"({kind}) says nonsense: {error}"
    if kind == "seen" and not {"expect", "save"} & step.keys():
        yield "looks at calls and asks nothing of them"
