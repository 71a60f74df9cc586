"""Addresses of what is stored, as resources have them."""

from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import parse_qsl, quote, unquote
from uuid import UUID

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
