"""Refuses secrets in texts that name things: ids, names, descriptions, recipes. With a placeholder, they would name
something else. In requests that write, every text is searched unless the contract's option `secrets` says otherwise."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

from camillo.v1 import options_pb2 as options
from google.protobuf.message import Message

from camillo_server.doors.rpc.contract import SECRETS
from camillo_server.doors.rpc.validate import Checks
from camillo_server.doors.rpc.value_limits import LIMIT
from camillo_server.lib.redaction.detector import SecretDetector
from camillo_server.lib.redaction.rules import VAGUE

REFUSED = (options.SECRETS_UNSPECIFIED, options.SECRETS_REFUSED)
UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def refuse_secrets(message: Message, checks: Checks, path: str = "") -> None:
    """Adds a violation for each field with a secret. A text that only resembles a service's key may be a name."""
    for field, text, names in _texts(message, path):
        if names and UUID.fullmatch(text):
            # Most ids of requests are UUIDs; searching one for secrets takes 10 microseconds.
            continue
        found = _detector().find(text.encode())
        if any(not names or secret.kind != VAGUE for secret in found):
            checks.fail(field, "must not contain a secret")


@cache
def _detector() -> SecretDetector:
    return SecretDetector()


def _texts(message: Message, path: str) -> Iterator[tuple[str, str, bool]]:
    """The path and the text of each field to look at, and whether it is a name."""
    looked_at = _looked_at(message.DESCRIPTOR)
    for field, value in message.ListFields():
        names = looked_at.get(field.name)
        if names is None:
            continue
        for number, each in enumerate(value if field.is_repeated else (value,)):
            at = f"{path}{field.name}[{number}]" if field.is_repeated else f"{path}{field.name}"
            if field.message_type:
                yield from _texts(each, f"{at}.")
            else:
                yield at, each, names


@cache
def _looked_at(message_type: Any) -> Mapping[str, bool]:
    """The texts and messages to look at by their names: whether it is a name of something."""
    return {field.name: is_name(field) for field in message_type.fields if _is_looked_at(field)}


def is_name(field: Any) -> bool:
    """Whether a text is a name by its form, or by its own name."""
    return bool(field.GetOptions().Extensions[LIMIT].form) or field.name.endswith("id")


def _is_looked_at(field: Any) -> bool:
    if field.GetOptions().Extensions[SECRETS] not in REFUSED:
        return False
    if field.message_type:
        is_ours = field.message_type.full_name.startswith("camillo.")
        return is_ours and bool(_looked_at(field.message_type))
    limit: options.Limit = field.GetOptions().Extensions[LIMIT]
    return bool(field.type == field.TYPE_STRING) and limit.form != options.FORM_UUID
