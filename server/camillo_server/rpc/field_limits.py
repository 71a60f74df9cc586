"""Limits of fields: the options of the contract, compiled once into one check for each type of message."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from camillo.v1 import options_pb2 as options
from google.protobuf.message import Message

from camillo_server.kernel.errors import InvalidField
from camillo_server.rpc.json_values import json_check
from camillo_server.rpc.validate import Checks, OwnModel
from camillo_server.rpc.value_limits import LIMIT, TIMESTAMP, Problem, value_problem

# Descriptors of protobuf have a class for each of its implementations, which have no common one.
Descriptor = Any
FieldDescriptor = Any
# Adds to the checks what is wrong with a message; the path is that of its fields, "memory." for example.
MessageCheck = Callable[[Any, str, Checks], None]

# Types whose messages are checked as one value.
DURATION = "google.protobuf.Duration"
STRUCT = "google.protobuf.Struct"


@dataclass(frozen=True, slots=True)
class CompiledCheck:
    """What is checked of the messages of one type, in the order of its fields."""

    fields: tuple[tuple[str, MessageCheck], ...]
    rules: tuple[MessageCheck, ...]

    def __call__(self, message: Any, path: str, checks: Checks) -> None:
        for _, check in self.fields:
            check(message, path, checks)
        for check in self.rules:
            check(message, path, checks)

    def masked(self, message: Any, path: str, checks: Checks, names: frozenset[str]) -> None:
        """Checks the fields of these names alone."""
        for name, check in self.fields:
            if name in names:
                check(message, path, checks)


_compiled: dict[str, CompiledCheck] = {}
_rules: dict[str, list[MessageCheck]] = {}
_replaced: dict[str, MessageCheck] = {}


def check_message(message: Message, checks: Checks, path: str = "") -> None:
    """Adds to the checks every limit that the message breaks."""
    compiled_check(message.DESCRIPTOR)(message, path, checks)


def broken_limits(
    message: Message, path: str, own_model: OwnModel | None = None
) -> InvalidField | None:
    """What is wrong with one of several messages that are taken or refused by themselves."""
    checks = Checks(own_model)
    check_message(message, checks, path)
    return InvalidField(checks.violations) if checks.violations else None


def rule(message_type: type[Message]) -> Callable[[MessageCheck], MessageCheck]:
    """Registers a check that no option can state, such as how fields of a message depend on each other."""

    def register(check: MessageCheck) -> MessageCheck:
        _require_not_compiled(message_type)
        _rules.setdefault(message_type.DESCRIPTOR.full_name, []).append(check)
        return check

    return register


def replaces(message_type: type[Message], field: str) -> Callable[[MessageCheck], MessageCheck]:
    """Registers a check that takes the place of what the option of a field says."""

    def register(check: MessageCheck) -> MessageCheck:
        _require_not_compiled(message_type)
        _replaced[message_type.DESCRIPTOR.fields_by_name[field].full_name] = check
        return check

    return register


def limit_of(message_type: type[Message], field: str) -> options.Limit:
    """What the contract says of a field."""
    return _limit(message_type.DESCRIPTOR.fields_by_name[field])


def stated_or_default(message: Message, field: str) -> int:
    """The number in a field; for 0 what the contract says that it means."""
    value: int = getattr(message, field)
    return value or _limit(message.DESCRIPTOR.fields_by_name[field]).zero_means


def compiled_check(descriptor: Descriptor) -> CompiledCheck:
    """The check for a type of message, compiled when it is first asked for."""
    name = descriptor.full_name
    found = _compiled.get(name)
    if found is None:
        fields = ((field.name, _field_check(field)) for field in descriptor.fields)
        found = _compiled[name] = CompiledCheck(
            tuple((name, check) for name, check in fields if check is not None),
            tuple(_rules.get(name, ())),
        )
    return found


def _require_not_compiled(message_type: type[Message]) -> None:
    name = message_type.DESCRIPTOR.full_name
    if name in _compiled:
        raise RuntimeError(f"{name} has been compiled without the rule")


def _limit(field: FieldDescriptor) -> options.Limit:
    limit: options.Limit = field.GetOptions().Extensions[LIMIT]
    return limit


def _field_check(field: FieldDescriptor) -> MessageCheck | None:
    if field.full_name in _replaced:
        return _replaced[field.full_name]
    limit = _limit(field)
    kind = field.message_type.full_name if field.message_type else ""
    is_message = bool(kind) and kind not in (TIMESTAMP, DURATION, STRUCT)
    check: MessageCheck | None
    if kind.startswith("google.protobuf.") and is_message:
        return None
    if kind == STRUCT:
        check = json_check(field.name, limit) if limit.HasField("json") else None
    elif field.is_repeated:
        return _messages_check(field, limit) if is_message else _list_check(field, limit)
    elif is_message:
        check = _message_check(field, limit)
    else:
        check = _value_check(field.name, value_problem(field, limit))
    return check and _where_present(field, limit, check)


def _where_present(
    field: FieldDescriptor, limit: options.Limit, check: MessageCheck
) -> MessageCheck:
    """A field that can be absent is checked where it is there, or must be."""
    name = field.name
    if not field.has_presence:
        return check
    oneof = field.containing_oneof
    if limit.required and oneof is None:
        return check
    if limit.required:
        choice = oneof.name

        def check_chosen(message: Any, path: str, checks: Checks) -> None:
            if message.WhichOneof(choice) in (name, None):
                check(message, path, checks)

        return check_chosen

    def check_present(message: Any, path: str, checks: Checks) -> None:
        if message.HasField(name):
            check(message, path, checks)

    return check_present


def _value_check(name: str, problem: Problem | None) -> MessageCheck | None:
    if problem is None:
        return None

    def check(message: Any, path: str, checks: Checks) -> None:
        description = problem(getattr(message, name))
        if description is not None:
            checks.fail(path + name, description)

    return check


def _message_check(field: FieldDescriptor, limit: options.Limit) -> MessageCheck | None:
    name = field.name
    compiled = compiled_check(field.message_type)
    if not compiled.fields and not compiled.rules:
        return None
    if limit.mask:
        return _masked_check(field, limit.mask, compiled)

    def check(message: Any, path: str, checks: Checks) -> None:
        compiled(getattr(message, name), f"{path}{name}.", checks)

    return check


def _masked_check(field: FieldDescriptor, mask: str, compiled: CompiledCheck) -> MessageCheck:
    name = field.name
    # A mask that is missed is told of by itself: then nothing is known of what was to be changed.
    is_demanded = _limit(field.containing_type.fields_by_name[mask]).required

    def check(message: Any, path: str, checks: Checks) -> None:
        changed, prefix = getattr(message, name), f"{path}{name}."
        if message.HasField(mask):
            compiled.masked(changed, prefix, checks, frozenset(getattr(message, mask).paths))
        elif not is_demanded:
            compiled(changed, prefix, checks)

    return check


def _messages_check(field: FieldDescriptor, limit: options.Limit) -> MessageCheck | None:
    name, count_problem = field.name, _count_problem(limit.items)
    compiled = compiled_check(field.message_type)
    each = None if limit.items.fail_alone or not (compiled.fields or compiled.rules) else compiled
    if each is None and not limit.HasField("items"):
        return None

    def check(message: Any, path: str, checks: Checks) -> None:
        values = getattr(message, name)
        description = count_problem(len(values))
        if description is not None:
            checks.fail(path + name, description)
        elif each is not None:
            for i, value in enumerate(values):
                each(value, f"{path}{name}[{i}].", checks)

    return check


def _list_check(field: FieldDescriptor, limit: options.Limit) -> MessageCheck | None:
    name, items, problem = field.name, limit.items, value_problem(field, limit, is_item=True)
    if problem is None and not limit.HasField("items"):
        return None
    count_problem, has_repeats = _count_problem(items), not items.HasField("max_sent")
    # Values of an enumeration are told by themselves.
    place = "" if field.enum_type else "[{}]"

    def check(message: Any, path: str, checks: Checks) -> None:
        values: Sequence[Any] = getattr(message, name)
        if not values and not items.min:
            return
        description = None if has_repeats else _too_many(len(values), items.max_sent)
        if description is None:
            values = values if has_repeats else list(dict.fromkeys(values))
            description = count_problem(len(values))
        if description is not None:
            checks.fail(path + name, description)
        elif problem is not None:
            for i, value in enumerate(values):
                description = problem(value)
                if description is not None:
                    checks.fail(f"{path}{name}{place.format(i)}", description)

    return check


def _too_many(count: int, most: int) -> str | None:
    return None if count <= most else f"must have at most {most} values, has {count}"


def _count_problem(items: options.Limit.Items) -> Callable[[int], str | None]:
    least, most = items.min, items.max if items.HasField("max") else math.inf

    def problem(count: int) -> str | None:
        if least <= count <= most:
            return None
        return (
            f"must have {least} to {most} values, has {count}"
            if least
            else f"must have at most {most} values, has {count}"
        )

    return problem
