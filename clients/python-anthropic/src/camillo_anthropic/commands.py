"""The commands of the memory tool, once for both kinds of clients: a generator yields requests, is sent their answers,
and returns the text for the model. The messages are those of the SDK's own implementation."""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from typing import Any, TypeAlias

from anthropic.lib.tools import ToolError

from camillo.v1.slot_pb2 import NewSlot, Slot
from camillo.v1.slot_service_pb2 import (
    BatchSetMemoryRequest,
    ListSlotHistoryRequest,
    ListSlotsRequest,
    SlotEntry,
)
from camillo_anthropic.paths import ROOT, key_of, parents_of
from camillo_client import new_slot, provenance
from camillo_client.errors import SlotNotFound, VersionConflict

# Bytes of a file as JSON, slots that are written together, entries that are shown of a directory, and lines that are
# named for a text that is there more than once.
MAX_FILE_BYTES = 65_536
MAX_BATCH = 100
MAX_SHOWN = 1_000
MAX_LINES_NAMED = 50
# Between a read and its write others may write; then it is read again.
ATTEMPTS = 10
SOURCE = provenance("agent", "memory tool")

Asked: TypeAlias = ListSlotHistoryRequest | ListSlotsRequest | BatchSetMemoryRequest
Command: TypeAlias = Generator[Asked, Any, str]


def view(command: Any) -> Command:
    """A file with numbered lines, or two levels of a directory."""
    path, key = command.path, key_of(command.path)
    slot = yield from _newest(key)
    if not slot.valid:
        return (yield from _directory(path, key))
    lines, view_range = _text(slot).split("\n"), getattr(command, "view_range", None)
    first, last = view_range if view_range and len(view_range) == 2 else (1, -1)
    chosen = lines[max(1, first) - 1 : len(lines) if last == -1 else last]
    return f"Here's the content of {path} with line numbers:\n" + _numbered(chosen, max(1, first))


def create(command: Any) -> Command:
    """A new file; its directories come with it."""
    path, key, text = command.path, key_of(command.path), _argument(command, "file_text")

    def attempt() -> Command:
        version = yield from _free(path, key, f"File {path} already exists")
        note = yield from _written(key, text, version)
        return f"File created successfully at: {path}{note}"

    return (yield from _repeated(path, attempt))


def str_replace(command: Any) -> Command:
    """Replaces a text that is in the file once."""
    path, old, new = command.path, _argument(command, "old_str"), _argument(command, "new_str")

    def change(content: str) -> tuple[str, str]:
        places = _occurrences(content, old)
        if not places:
            raise ToolError(f"No replacement was performed, old_str `{old}` did not appear verbatim in {path}.")
        numbers = [content.count("\n", 0, place) + 1 for place in places[:MAX_LINES_NAMED]]
        if len(places) > 1:
            problem = f"No replacement was performed. Multiple occurrences of old_str `{old}` in lines: "
            raise ToolError(f"{problem}{', '.join(map(str, numbers))}. Please ensure it is unique")
        changed, first = content.replace(old, new), max(1, numbers[0] - 2)
        snippet = _numbered(changed.split("\n")[first - 1 : numbers[0] + 2], first)
        title = "The memory file has been edited. Here is the snippet showing the change (with line numbers):"
        return changed, f"{title}\n{snippet}"

    return (yield from _edited(path, change))


def insert(command: Any) -> Command:
    """Inserts a text after a line; 0 is the beginning."""
    path, text, line = command.path, _argument(command, "insert_text"), command.insert_line

    def change(content: str) -> tuple[str, str]:
        lines = content.removesuffix("\n").split("\n") if content else []
        if not isinstance(line, int) or not 0 <= line <= len(lines):
            allowed = f"It should be within the range [0, {len(lines)}]."
            raise ToolError(f"Invalid `insert_line` parameter: {line}. {allowed}")
        changed = "\n".join([*lines[:line], text.rstrip("\n"), *lines[line:]])
        return changed if changed.endswith("\n") else f"{changed}\n", f"The file {path} has been edited."

    return (yield from _edited(path, change))


def delete(command: Any) -> Command:
    """Writes tombstones for a file, or for every file of a directory, in batches of 100."""
    path, key = command.path, key_of(command.path)
    if key == ROOT:
        raise ToolError("Cannot delete the /memories directory itself")
    if not (yield from _removed(key)):
        raise ToolError(f"The path {path} does not exist")
    return f"Successfully deleted {path}"


def clear() -> Command:
    """Writes tombstones for every file."""
    yield from _removed(ROOT)
    return "All memory cleared"


def rename(command: Any) -> Command:
    """Moves a file, or a directory of up to 50 files: all at once, or nothing."""
    path, old, new = command.old_path, key_of(command.old_path), key_of(command.new_path)
    if old == ROOT:
        raise ToolError("Cannot rename the /memories directory itself")

    def attempt() -> Command:
        yield from _free(command.new_path, new, f"The destination {command.new_path} already exists")
        entries = yield from _below(old, MAX_BATCH // 2 + 1)
        if not entries:
            raise ToolError(f"The path {path} does not exist")
        if new.startswith(f"{old}/"):
            raise ToolError(f"Cannot move {path} into itself")
        if len(entries) > MAX_BATCH // 2:
            raise ToolError(f"{path} has more than {MAX_BATCH // 2} files: rename what is in it one by one")
        moves = list[NewSlot]()
        for each in entries:
            target = new + each.key.removeprefix(old)
            there = yield from _newest(target)
            moves.append(new_slot(target, each.slot.json_content, SOURCE, if_version=there.version))
        yield BatchSetMemoryRequest(slots=moves + [_tombstone(each) for each in entries])
        return f"Successfully renamed {path} to {command.new_path}"

    return (yield from _repeated(path, attempt))


def _directory(path: str, key: str) -> Command:
    level = yield from _level(key)
    # Everything in it may be hidden.
    if not level and key != ROOT and not (yield from _below(key, 1)):
        raise ToolError(f"The path {path} does not exist. Please provide a valid path.")
    names = list[str]()
    for name, size in level:
        names.append(f"{size}\t{path}/{name}")
        if name.endswith("/") and len(names) < MAX_SHOWN:
            inner = yield from _level(f"{key}/{name[:-1]}")
            names += [f"{size}\t{path}/{name}{below}" for below, size in inner]
    if len(names) > MAX_SHOWN:
        names[MAX_SHOWN:] = [f"Only {MAX_SHOWN} entries are shown: view the directories in it to see the others."]
    title = f"Here're the files and directories up to 2 levels deep in {path}, excluding hidden items:"
    return "\n".join([title, f"-\t{path}", *names])


def _level(key: str) -> Generator[Asked, Any, list[tuple[str, str]]]:
    """Names and sizes directly below a key, without hidden ones; the name of a directory ends with a slash."""
    found = list[tuple[str, str]]()
    for entry in (yield from _below(key, MAX_SHOWN + 1, one_level=True)):
        name = entry.key.removeprefix(f"{key}/")
        if entry.key == key or name.startswith("."):
            continue
        if entry.HasField("slot"):
            found.append((name, _size(len(_text(entry.slot).encode()))))
        if entry.is_directory:
            found.append((f"{name}/", "-"))
    return sorted(found, key=lambda each: each[0].rstrip("/"))


def _repeated(path: str, attempt: Callable[[], Command]) -> Command:
    for _ in range(ATTEMPTS):
        try:
            return (yield from attempt())
        except VersionConflict:
            continue
    raise ToolError(f"Others keep changing {path}: nothing was done. View it, and try again.")


def _edited(path: str, change: Callable[[str], tuple[str, str]]) -> Command:
    key = key_of(path)

    def attempt() -> Command:
        slot = yield from _newest(key)
        if not slot.valid:
            is_there = key == ROOT or (yield from _below(key, 1))
            problem = "is not a file." if is_there else "does not exist. Please provide a valid path."
            raise ToolError(f"The path {path} {problem}")
        content = json.loads(slot.json_content)
        if not isinstance(content, str):
            raise ToolError(f"{path} holds JSON that another program wrote: it can be viewed, not edited.")
        changed, answer = change(content)
        note = yield from _written(key, changed, slot.version)
        return answer + note

    return (yield from _repeated(path, attempt))


def _removed(key: str) -> Generator[Asked, Any, bool]:
    """Whether there was something to remove."""

    def attempt() -> Command:
        entries = yield from _below(key, MAX_BATCH)
        if entries:
            yield BatchSetMemoryRequest(slots=map(_tombstone, entries))
        return "more" if entries else ""

    was_there = False
    while (yield from _repeated(key, attempt)):
        was_there = True
    return was_there


def _free(path: str, key: str, taken: str) -> Generator[Asked, Any, int]:
    """The version that a write to a key has to find there; ToolError if it is taken, or a file is above it."""
    if key == ROOT or (yield from _below(key, 1)):
        raise ToolError(taken)
    for parent in parents_of(key):
        if (yield from _newest(parent)).valid:
            raise ToolError(f"Cannot write {path}: {parent} is a file, not a directory")
    newest = yield from _newest(key)
    # Somebody may have written it since the first look.
    if newest.valid:
        raise ToolError(taken)
    return newest.version


def _newest(key: str) -> Generator[Asked, Any, Slot]:
    """The newest version at a key, which may be a tombstone; without one, a slot of version 0."""
    try:
        return (yield ListSlotHistoryRequest(key=key, page_size=1)).versions[0] if key != ROOT else Slot()
    except (SlotNotFound, IndexError):
        return Slot()


def _below(key: str, most: int, *, one_level: bool = False) -> Generator[Asked, Any, list[SlotEntry]]:
    """At most so many slots at and below a key, or entries of one level."""
    found, page = list[SlotEntry](), ""
    while len(found) < most:
        size = min(most - len(found), MAX_SHOWN)
        answer = yield ListSlotsRequest(prefix=key, one_level=one_level, page_size=size, page_token=page)
        found += answer.entries
        page = answer.next_page_token
        if not page:
            break
    return found


def _written(key: str, content: str, version: int) -> Generator[Asked, Any, str]:
    """Writes a file, and says so if the server left something out of it."""
    try:
        text = json.dumps(content, ensure_ascii=False)
        size = len(text.encode())
    except UnicodeEncodeError:
        raise ToolError("The text is not valid Unicode: it has half of a surrogate pair") from None
    if size > MAX_FILE_BYTES:
        allowed = f"at most {MAX_FILE_BYTES} are stored. Split it into several files."
        raise ToolError(f"The file would have {size} bytes as JSON; {allowed}")
    done = yield BatchSetMemoryRequest(slots=[new_slot(key, text, SOURCE, if_version=version)])
    if done.results[0].slot.json_content == text:
        return ""
    return "\nNote: it is stored without its secrets and escape sequences of terminals. View it to see the rest."


def _tombstone(entry: SlotEntry) -> NewSlot:
    return new_slot(entry.key, None, SOURCE, if_version=entry.slot.version)


def _text(slot: Slot) -> str:
    content = json.loads(slot.json_content)
    return content if isinstance(content, str) else slot.json_content


def _argument(command: Any, name: str) -> str:
    value = getattr(command, name, None)
    if not isinstance(value, str):
        raise ToolError(f"`{name}` must be a text")
    return value


def _occurrences(content: str, text: str) -> list[int]:
    """Where a text begins, with overlaps if it is there more than once, as the SDK counts them."""
    places, place = list[int](), content.find(text)
    while place != -1 and len(places) < (MAX_LINES_NAMED if content.count(text) > 1 else 1):
        places.append(place)
        place = content.find(text, place + 1)
    return places


def _numbered(lines: list[str], first: int) -> str:
    return "\n".join(f"{number:>6}\t{line}" for number, line in enumerate(lines, first))


def _size(size: int) -> str:
    """Bytes in the SDK's spelling: `0B`, `17B`, `1.5K`."""
    if size < 1024:
        return f"{size}B"
    return f"{size // 1024}K" if size % 1024 == 0 else f"{size / 1024:.1f}K"
