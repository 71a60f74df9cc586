"""Paths that a model writes, as keys of slots."""

from __future__ import annotations

import unicodedata
from urllib.parse import unquote

from anthropic.lib.tools import ToolError

ROOT = "/memories"
# A path may be encoded more than once; what is still encoded then is a name like any other.
DECODINGS = 4


def key_of(path: object) -> str:
    """The key of a path: without repeated slashes, `.` and `..`, and in Unicode's form C. ToolError for a path that is
    not below `/memories`, or would not be if it were decoded."""
    if not isinstance(path, str):
        raise ToolError("A path must be a text")
    if path != ROOT and not path.startswith(f"{ROOT}/"):
        raise ToolError(f"Path must start with /memories, got: {path}")
    names: list[str] = []
    for name in path[len(ROOT) :].split("/"):
        if _is_disguised(name) or (name == ".." and not names):
            raise ToolError(f"Path {path} would escape /memories directory")
        if name == "..":
            names.pop()
        elif name not in ("", "."):
            names.append(name)
    return unicodedata.normalize("NFC", "/".join([ROOT, *names]))


def parents_of(key: str) -> list[str]:
    """The directories above a key and below `/memories`, the outermost first."""
    names = key.split("/")
    return ["/".join(names[:end]) for end in range(3, len(names))]


def _is_disguised(name: str) -> bool:
    """Whether a name leads upwards once it is decoded: `%2e%2e`, a backslash, or dots of another width."""
    plain = name
    for _ in range(DECODINGS):
        plain = unquote(plain)
    plain = unicodedata.normalize("NFKC", plain).replace("\\", "/")
    return plain != name and ".." in plain.split("/")
