"""Where a slot's file stands below `index/`: predictable, safe on every file system, and never outside of it.

The names of a key become directories, the last one the file `<name>@<hash>.json`. Characters that a file system or a
shell could misread are percent-encoded, `@` among them, so that no directory looks like a file. The hash is of the
whole key: keys that differ only in upper and lower case, or behind the point at which a long name is cut, have files
of their own.
"""

import re
import unicodedata
from hashlib import sha256

# Longest name in UTF-8, hash and ending included; common file systems take 255 bytes.
MAX_NAME_BYTES = 240
KEY_HASH_CHARACTERS = 12
NAME_HASH_CHARACTERS = 16
SUFFIX = ".json"
# Separators of other systems, what shells expand, and the two signs that this form uses itself.
_UNSAFE = frozenset('%@~\\:*?"<>|')
# Letters, digits and marks of any script, which most names consist of: they stay as they are.
_PLAIN = re.compile(r"\w[\w-]*").fullmatch
MAX_CHARACTER_BYTES = 4
# Names that Windows keeps for devices, whatever their case and ending.
_DEVICES = frozenset(("con", "prn", "aux", "nul", *(f"{port}{n}" for port in ("com", "lpt") for n in "123456789")))


def path_of(key: str) -> tuple[str, ...]:
    """Directories below `index/`, and the file, of a key that the server has normalized.

    Raises ValueError for a key that it would not have stored.
    """
    names = key.split("/")[1:]
    if not key.startswith("/") or not names or any(name in ("", ".", "..") for name in names):
        raise ValueError(f"not a key of a slot: {key!r}")
    digest = sha256(key.encode()).hexdigest()[:KEY_HASH_CHARACTERS]
    ending = f"@{digest}{SUFFIX}"
    directories = (_file_name(name, MAX_NAME_BYTES) for name in names[:-1])
    return (*directories, _file_name(names[-1], MAX_NAME_BYTES - len(ending)) + ending)


def _file_name(name: str, max_bytes: int) -> str:
    if _PLAIN(name) and len(name) * MAX_CHARACTER_BYTES <= max_bytes and not _is_device(name):
        return name
    encoded = [_encoded(character) for character in name]
    # A hidden file is not listed, and what begins with - is an option; Windows drops dots and blanks at the end.
    if name[0] in ".- ":
        encoded[0] = _percent(name[0])
    if name[-1] in ". ":
        encoded[-1] = _percent(name[-1])
    if _is_device(name):
        encoded[0] = _percent(name[0])
    if sum(len(each.encode()) for each in encoded) <= max_bytes:
        return "".join(encoded)
    left = max_bytes - NAME_HASH_CHARACTERS - 1
    kept = []
    for each in encoded:
        left -= len(each.encode())
        if left < 0:
            break
        kept.append(each)
    return f"{''.join(kept)}~{sha256(name.encode()).hexdigest()[:NAME_HASH_CHARACTERS]}"


def _is_device(name: str) -> bool:
    return name.split(".")[0].strip().casefold() in _DEVICES


def _encoded(character: str) -> str:
    # Control characters, those that turn the direction of text, and separators other than a blank.
    is_unsafe = character in _UNSAFE or (character != " " and unicodedata.category(character)[0] in "CZ")
    return _percent(character) if is_unsafe else character


def _percent(character: str) -> str:
    return "".join(f"%{byte:02X}" for byte in character.encode())
