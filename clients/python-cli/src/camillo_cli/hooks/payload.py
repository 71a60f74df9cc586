"""Input that a client writes to a hook's standard input: a JSON object, whose fields differ a little among clients."""

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager

from camillo_cli.hooks.endpoint import HookError

MAX_SESSION_CHARACTERS = 128


class HookPayload:
    """The fields that hooks use, under one name each."""

    __slots__ = ("_fields", "directory", "session_id", "transcript_path")

    def __init__(self, fields: dict[str, object]) -> None:
        self._fields = fields
        # Cursor has conversations.
        self.session_id = session_name(self.text("session_id") or self.text("conversation_id"))
        self.transcript_path = self.text("transcript_path")
        self.directory = self.text("cwd") or self._first_root() or os.getcwd()

    def text(self, name: str) -> str:
        """A field, or nothing where there is none that is a text."""
        value = self._fields.get(name)
        return clean(value) if isinstance(value, str) else ""

    @contextmanager
    def transcript(self) -> Iterator[None]:
        """Has a transcript where the client keeps none that could be read, and sends its messages: a file for so
        long."""
        messages = self._fields.get("messages")
        if self.transcript_path or not isinstance(messages, list):
            yield
            return
        import tempfile

        with tempfile.NamedTemporaryFile("w", suffix=".json", encoding="ascii") as file:
            json.dump({"messages": messages}, file)
            file.flush()
            self.transcript_path = file.name
            yield

    def _first_root(self) -> str:
        roots = self._fields.get("workspace_roots")
        first = roots[0] if isinstance(roots, list) and roots else None
        return first if isinstance(first, str) else ""


def read_payload(content: bytes) -> HookPayload:
    """The payload of a hook. Raises HookError where it is no JSON object."""
    try:
        # Cursor on Windows begins with a byte order mark.
        fields = json.loads(content.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError) as error:
        raise HookError("standard input is not JSON") from error
    if not isinstance(fields, dict):
        raise HookError("standard input is not a JSON object")
    return HookPayload(fields)


def clean(text: str) -> str:
    """The text as the server takes it: JSON can name halves of characters, which are no Unicode, and NUL."""
    if "\0" in text:
        text = text.replace("\0", "\N{REPLACEMENT CHARACTER}")
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def session_name(stated: str) -> str:
    """An id of a session that the contract takes: a longer one is replaced by its hash."""
    if len(stated) <= MAX_SESSION_CHARACTERS and stated.isprintable():
        return stated
    from hashlib import sha256

    return sha256(stated.encode()).hexdigest()
