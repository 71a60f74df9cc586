"""Keys of slots: normalized as the contract says, and as paths, whose order is that of directories."""

import unicodedata

MAX_KEY_BYTES = 1_024
MAX_NAMES = 32
# Names in a path are separated by what no name may hold and no character sorts before: so that what stands below a key
# follows it directly, which `/` would not do (`/a`, `/a b`, `/a/b`).
SEPARATOR, BEHIND = "\x01", "\x02"
# Control characters, the separators of lines and of paragraphs.
_REFUSED = ("Cc", "Zl", "Zp")


class BadKey(ValueError):
    """Not a key; the text says why."""


def normalized_key(key: str) -> str:
    """The key as it is stored. Raises BadKey."""
    return _normalized(key) or _refuse("must name something below /")


def normalized_prefix(prefix: str) -> str:
    """A key, or an empty text for all of them. Raises BadKey."""
    return _normalized(prefix) if prefix else ""


def _normalized(key: str) -> str:
    if not key.startswith("/"):
        _refuse("must begin with /")
    if any(unicodedata.category(character) in _REFUSED for character in key):
        _refuse("must not contain control characters or line breaks")
    names = [name for name in unicodedata.normalize("NFC", key).split("/") if name]
    if len(names) > MAX_NAMES:
        _refuse(f"must have at most {MAX_NAMES} names, has {len(names)}")
    if not {".", ".."}.isdisjoint(names):
        _refuse("must not contain a name that is . or ..")
    normalized = "".join(f"/{name}" for name in names)
    if len(normalized.encode()) > MAX_KEY_BYTES:
        _refuse(f"must have at most {MAX_KEY_BYTES} bytes in normalization form C")
    return normalized


def _refuse(reason: str) -> str:
    raise BadKey(reason)


def path_of(key: str) -> str:
    """The path of a normalized key."""
    return key.replace("/", SEPARATOR)


def key_of(path: str) -> str:
    return path.replace(SEPARATOR, "/")


def is_under(key: str, prefix: str) -> bool:
    """Whether the key is the prefix, or stands below it."""
    return key == prefix or key.startswith(f"{prefix}/")
