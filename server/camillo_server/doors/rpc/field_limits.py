"""Limits of fields: the options of the contract, compiled once into one check for each type of message."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from camillo.v1 import options_pb2 as options
from google.protobuf.message import Message

from camillo_server.doors.rpc.json_values import json_check
from camillo_server.doors.rpc.validate import LIMIT, TIMESTAMP, Checks, OwnModel, Problem, value_problem
from camillo_server.kernel.errors import InvalidField

# Descriptors of protobuf have a class for each of its implementations, which have no common one.
Descriptor = Any
FieldDescriptor = Any
# Adds the violations of a field's value to the checks. The path is that of its message, "memory." for example.
FieldCheck = Callable[[Any, str, Checks], None]
# Adds the violations of a message to the checks.
MessageCheck = Callable[[Any, str, Checks], None]

# Types whose messages are checked as one value.
DURATION = "google.protobuf.Duration"
STRUCT = "google.protobuf.Struct"


@dataclass(frozen=True, slots=True)
class CompiledCheck:
    """The check of the messages of one type.

    Requests set few of their fields, and most fields that are not set are valid: so the check visits the fields that
    are set and, besides them, only those that must be set."""

    by_field: dict[FieldDescriptor, FieldCheck]
    # The fields that must be set, by name.
    needed: tuple[tuple[str, FieldCheck], ...]
    rules: tuple[MessageCheck, ...]

    @property
    def is_empty(self) -> bool:
        return not (self.by_field or self.needed or self.rules)

    def __call__(self, message: Any, path: str, checks: Checks) -> None:
        for name, check in self.needed:
            check(getattr(message, name), path, checks)
        by_field = self.by_field
        for field, value in message.ListFields():
            found = by_field.get(field)
            if found is not None:
                found(value, path, checks)
        for rule_check in self.rules:
            rule_check(message, path, checks)

    def masked(self, message: Any, path: str, checks: Checks, names: frozenset[str]) -> None:
        """Checks the fields of these names alone."""
        for name, check in self.needed:
            if name in names:
                check(getattr(message, name), path, checks)
        for field, value in message.ListFields():
            if field.name in names and field in self.by_field:
                self.by_field[field](value, path, checks)


_compiled: dict[str, CompiledCheck] = {}
_rules: dict[str, list[MessageCheck]] = {}
_replaced: set[str] = set()


def check_message(message: Message, checks: Checks, path: str = "") -> None:
    """Adds every violation of the message to the checks."""
    compiled_check(message.DESCRIPTOR)(message, path, checks)


def broken_limits(message: Message, path: str, own_model: OwnModel | None = None) -> InvalidField | None:
    """The violations of one of several messages that are accepted or refused one by one; None if there are none."""
    checks = Checks(own_model)
    check_message(message, checks, path)
    return InvalidField(checks.violations) if checks.violations else None


def rule(message_type: type[Message]) -> Callable[[MessageCheck], MessageCheck]:
    """Registers a check that no option can express, such as a dependency between fields of a message."""

    def register(check: MessageCheck) -> MessageCheck:
        _require_not_compiled(message_type)
        _rules.setdefault(message_type.DESCRIPTOR.full_name, []).append(check)
        return check

    return register


def replaces(message_type: type[Message], field: str) -> Callable[[MessageCheck], MessageCheck]:
    """Registers a check of a message that replaces the check by the option of one of its fields."""
    _replaced.add(message_type.DESCRIPTOR.fields_by_name[field].full_name)
    return rule(message_type)


def limit_of(message_type: type[Message], field: str) -> options.Limit:
    """The limit of a field in the contract."""
    return _limit(message_type.DESCRIPTOR.fields_by_name[field])


def max_items(field: FieldDescriptor) -> float:
    """The number of values that a list may be sent with; infinity where it is unbounded."""
    items = _limit(field).items
    if items.HasField("max_sent"):
        return items.max_sent
    return items.max if items.HasField("max") else math.inf


def excess_problem(field: FieldDescriptor, count: int) -> str | None:
    """Describes the excess of a list that is sent with so many values, in the words of its check; None if there is
    none."""
    items = _limit(field).items
    if count <= max_items(field):
        return None
    return f"must have at most {items.max_sent} values, has {count}" if items.max_sent else _count_problem(items)(count)


def stated_or_default(message: Message, field: str) -> int:
    """The number in a field, or for 0 the default that the contract states."""
    value: int = getattr(message, field)
    return value or _limit(message.DESCRIPTOR.fields_by_name[field]).zero_means


def compiled_check(descriptor: Descriptor) -> CompiledCheck:
    """The check for a type of message, compiled when it is first asked for."""
    name = descriptor.full_name
    found = _compiled.get(name)
    if found is None:
        found = _compiled[name] = _compile(descriptor)
    return found


def _compile(descriptor: Descriptor) -> CompiledCheck:
    by_field: dict[FieldDescriptor, FieldCheck] = {}
    needed: list[tuple[str, FieldCheck]] = []
    rules = list(_rules.get(descriptor.full_name, ()))
    for field in descriptor.fields:
        limit = _limit(field)
        check = None if field.full_name in _replaced else _field_check(field, limit)
        if limit.mask:
            rules.insert(0, _masked_check(field, limit.mask))
        elif check is None:
            continue
        elif not is_needed(field, limit):
            by_field[field] = check
        elif field.containing_oneof is None:
            needed.append((field.name, check))
        else:
            by_field[field] = check
            rules.insert(0, _missing_choice_check(field, check))
    return CompiledCheck(by_field, tuple(needed), tuple(rules))


def is_needed(field: FieldDescriptor, limit: options.Limit) -> bool:
    """Whether a field that is not set breaks its limit."""
    if field.containing_oneof is not None or limit.required:
        return limit.required
    if field.has_presence or limit.HasField("zero_means"):
        return False
    if field.is_repeated:
        return bool(limit.items.min)
    return any((limit.characters.min, limit.bytes.min, limit.integer.min, limit.number.min > 0))


def _require_not_compiled(message_type: type[Message]) -> None:
    name = message_type.DESCRIPTOR.full_name
    if name in _compiled:
        raise RuntimeError(f"{name} has been compiled without the rule")


def _limit(field: FieldDescriptor) -> options.Limit:
    limit: options.Limit = field.GetOptions().Extensions[LIMIT]
    return limit


def _field_check(field: FieldDescriptor, limit: options.Limit) -> FieldCheck | None:
    kind = field.message_type.full_name if field.message_type else ""
    if kind == STRUCT:
        return json_check(field.name, limit) if limit.HasField("json") else None
    if kind.startswith("google.") and kind not in (TIMESTAMP, DURATION):
        return None
    is_message = bool(kind) and not kind.startswith("google.")
    if field.is_repeated:
        return _messages_check(field, limit) if is_message else _list_check(field, limit)
    if is_message:
        return _message_check(field)
    return _value_check(field.name, value_problem(field, limit))


def _missing_choice_check(field: FieldDescriptor, check: FieldCheck) -> MessageCheck:
    """Reports this field where no field of its oneof is set."""
    name, choice = field.name, field.containing_oneof.name

    def check_choice(message: Any, path: str, checks: Checks) -> None:
        if message.WhichOneof(choice) is None:
            check(getattr(message, name), path, checks)

    return check_choice


def _value_check(name: str, problem: Problem | None) -> FieldCheck | None:
    if problem is None:
        return None

    def check(value: Any, path: str, checks: Checks) -> None:
        description = problem(value)
        if description is not None:
            checks.fail(path + name, description)

    return check


def _message_check(field: FieldDescriptor) -> FieldCheck | None:
    name, compiled = field.name, compiled_check(field.message_type)
    if compiled.is_empty:
        return None

    def check(value: Any, path: str, checks: Checks) -> None:
        compiled(value, f"{path}{name}.", checks)

    return check


def _masked_check(field: FieldDescriptor, mask: str) -> MessageCheck:
    name, compiled = field.name, compiled_check(field.message_type)
    # A missing mask is a violation of its own; without it, nothing is known about what was to be changed.
    is_demanded = _limit(field.containing_type.fields_by_name[mask]).required

    def check(message: Any, path: str, checks: Checks) -> None:
        changed, prefix = getattr(message, name), f"{path}{name}."
        if message.HasField(mask):
            names = frozenset(getattr(message, mask).paths)
            compiled.masked(changed, prefix, checks, names)
        elif not is_demanded:
            compiled(changed, prefix, checks)

    return check


def _messages_check(field: FieldDescriptor, limit: options.Limit) -> FieldCheck | None:
    name, count_problem = field.name, _count_problem(limit.items)
    compiled = compiled_check(field.message_type)
    each = None if limit.items.fail_alone or compiled.is_empty else compiled
    if each is None and not limit.HasField("items"):
        return None

    def check(values: Any, path: str, checks: Checks) -> None:
        description = count_problem(len(values))
        if description is not None:
            checks.fail(path + name, description)
        elif each is not None:
            for i, value in enumerate(values):
                each(value, f"{path}{name}[{i}].", checks)

    return check


def _list_check(field: FieldDescriptor, limit: options.Limit) -> FieldCheck | None:
    name, items, problem = field.name, limit.items, value_problem(field, limit, is_item=True)
    if problem is None and not limit.HasField("items"):
        return None
    count_problem, max_sent = _count_problem(items), items.max_sent
    # A value of an enumeration is named in the description instead of by its index.
    index = "" if field.enum_type else "[{}]"

    def check(values: Sequence[Any], path: str, checks: Checks) -> None:
        if max_sent and len(values) > max_sent:
            checks.fail(path + name, f"must have at most {max_sent} values, has {len(values)}")
            return
        description = count_problem(len(values))
        if description is not None and max_sent:
            description = count_problem(len(set(values)))
        if description is not None:
            checks.fail(path + name, description)
        elif problem is not None:
            # A slice copies the list at once, which is twice as fast as iterating over the message's own.
            for value in values[:]:
                if problem(value) is not None:
                    describe(values, path, checks, problem)
                    return

    def describe(values: Sequence[Any], path: str, checks: Checks, problem: Problem) -> None:
        for i, value in enumerate(dict.fromkeys(values) if max_sent else values):
            if (description := problem(value)) is not None:
                checks.fail(f"{path}{name}{index.format(i)}", description)

    return check


def _count_problem(items: options.Limit.Items) -> Callable[[int], str | None]:
    low, high = items.min, items.max if items.HasField("max") else math.inf

    def problem(count: int) -> str | None:
        if low <= count <= high:
            return None
        return (
            f"must have {low} to {high} values, has {count}" if low else f"must have at most {high} values, has {count}"
        )

    return problem
