"""Changes of a JSON text that leave everything else in it as it is, byte for byte: spaces, order, numbers.

An empty container of somebody else's gets its first member without white space before it, one that is made here has a
line for each: so what is removed later leaves the container behind in the first case, and takes it along in the second.
"""

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

INDENT = "  "
Path = tuple[str, ...]

_SPACE = re.compile(r"[ \t\r\n]*")
_SCALAR = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s,:\[\]{}"]+')


@dataclass(slots=True)
class Node:
    """A value in a text: from `start` to `end`, with the members of an object or a list. `begin`: of its key, if it has
    one."""

    start: int
    end: int = 0
    begin: int = 0
    members: list[tuple[str, "Node"]] = field(default_factory=list)

    def child(self, name: str) -> "Node | None":
        """The last member of this name, which is the one that counts."""
        return next((node for key, node in reversed(self.members) if key == name), None)


def parse(text: str) -> Any:
    """The value of a text that is an object. Raises ValueError where it is not."""
    value = json.loads(text)
    if not isinstance(value, dict):
        raise ValueError("not an object")
    return value


def put_member(text: str, path: Path, value: Any) -> str:
    """The text with a value at the path: instead of the one there, else at the end of its object. Missing objects are
    made."""
    node = _nodes(text)
    for depth, name in enumerate(path):
        child = node.child(name)
        if child is None:
            for missing in reversed(path[depth + 1 :]):
                value = {missing: value}
            return _insert(text, node, name, value, depth + 1)
        node = child
    return text[: node.start] + _pretty(value, INDENT * len(path)) + text[node.end :]


def append_item(text: str, path: Path, value: Any) -> str:
    """The text with one more item in the list at the path, which is made where it is missing."""
    node = _find(_nodes(text), path)
    if node is None:
        return put_member(text, path, [value])
    return _insert(text, node, "", value, len(path) + 1)


def remove(text: str, path: Path, is_removed: Callable[[Any], bool]) -> str:
    """The text without the values below the path that are to go, and without the containers of ours that this leaves
    empty.

    A member of a list that has lost all of its `hooks` goes, too.
    """
    while True:
        root = _nodes(text)
        node = _find(root, path)
        chain = None if node is None else _chain_to(text, node, is_removed)
        if chain is None:
            return text
        text = _cut(text, [*_line(root, path), *chain])


def _insert(text: str, container: Node, name: str, value: Any, depth: int) -> str:
    indent = _indent_of(text, container) if container.members else INDENT * depth
    key = f"{json.dumps(name, ensure_ascii=False)}: " if text[container.start] == "{" else ""
    member = key + _pretty(value, indent)
    if not container.members:
        at = container.start + 1
        return text[:at] + member + text[at:]
    at = container.members[-1][1].end
    return f"{text[:at]},\n{indent}{member}{text[at:]}"


def _indent_of(text: str, container: Node) -> str:
    """The white space before the last member, if that begins its line."""
    begin = container.members[-1][1].begin
    line = text[text.rfind("\n", 0, begin) + 1 : begin]
    return line if not line.strip() else ""


def _pretty(value: Any, indent: str) -> str:
    return json.dumps(value, indent=len(INDENT), ensure_ascii=False).replace("\n", f"\n{indent}")


def _nodes(text: str) -> Node:
    """The tree of a text that has been parsed, so that it is known to be right."""
    node, _ = _node(text, _after_space(text, 0))
    return node


def _node(text: str, at: int) -> tuple[Node, int]:
    node = Node(at, begin=at)
    if text[at] not in "{[":
        node.end = _after(_SCALAR, text, at)
        return node, node.end
    is_object = text[at] == "{"
    at = _after_space(text, at + 1)
    while text[at] not in "}]":
        begin, key = at, str(len(node.members))
        if is_object:
            at = _after(_SCALAR, text, at)
            key = json.loads(text[begin:at])
            at = _after_space(text, _after_space(text, at) + 1)  # the colon
        child, at = _node(text, at)
        child.begin = begin
        node.members.append((key, child))
        at = _after_space(text, at)
        if text[at] == ",":
            at = _after_space(text, at + 1)
    node.end = at + 1
    return node, node.end


def _after_space(text: str, at: int) -> int:
    return _after(_SPACE, text, at)


def _after(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return match.end() if match else at


def _find(node: Node | None, path: Path) -> Node | None:
    for name in path:
        node = node.child(name) if node is not None else None
    return node


def _line(root: Node, path: Path) -> list[Node]:
    """The containers from the root to the parent of what is at the path."""
    return [node for depth in range(len(path)) if (node := _find(root, path[:depth])) is not None]


def _chain_to(text: str, node: Node, is_removed: Callable[[Any], bool]) -> list[Node] | None:
    """The nodes from this one to the first that is to go."""
    if is_removed(json.loads(text[node.start : node.end])):
        return [node]
    for _, child in node.members:
        if (chain := _chain_to(text, child, is_removed)) is not None:
            return [node, *chain]
    return None


def _cut(text: str, chain: Sequence[Node]) -> str:
    """The text without the last node, or the outermost one that would be left with nothing of somebody else's."""
    *outer, node = chain
    for parent in reversed(outer):
        is_group = node is not chain[-1] and parent.child("hooks") is node
        is_alone = len(parent.members) == 1 and text[parent.start + 1].isspace()
        is_root = parent is chain[0]
        if is_root or not (is_alone or is_group):
            return _without(text, parent, node)
        node = parent
    return text[: node.start] + text[node.end :]


def _without(text: str, parent: Node, node: Node) -> str:
    position = next(n for n, (_, each) in enumerate(parent.members) if each is node)
    if position > 0:
        return text[: parent.members[position - 1][1].end] + text[node.end :]
    if len(parent.members) > 1:
        return text[: node.begin] + text[parent.members[1][1].begin :]
    return text[: parent.start + 1] + text[node.end :]
