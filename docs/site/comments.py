"""The comments of the contract as data: `python -m docs.site.comments FILE`, as `make generate` calls it.

The server has them in its wheel, since descriptors in Python have no comments: its document of OpenAPI tells them.
"""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from docs.site.contract import MEMBERS, ONEOFS, PACKAGE, SERVICES, File, parse_contract

ROOT = Path(__file__).resolve().parents[2]
# It has what limits are written with, which no request and no answer has.
LEFT_OUT = "options"
# Lines that are wrapped, but not those of a list.
WRAPPED = re.compile(r"(?<=\S)\n(?=[^\s-])")


def main(target: Path) -> None:
    """Writes the comments as JSON, by full name and in the order of names: a change of one is a change of one line."""
    named = sorted(comments(ROOT / "proto"))
    target.write_text(json.dumps(dict(named), indent=0, ensure_ascii=False) + "\n")


def comments(proto: Path) -> Iterator[tuple[str, str]]:
    """The names of services, methods, messages, fields, oneofs, enumerations and their values, each with its comment. A
    value is named after its enumeration, which is not how protobuf names it."""
    for file in map(File, parse_contract(proto).file):
        if file.stem != LEFT_OUT:
            for name, comment in _of_file(file):
                yield PACKAGE + name, WRAPPED.sub(" ", comment)


def _of_file(file: File) -> Iterator[tuple[str, str]]:
    for number, service in enumerate(file.services):
        yield service.name, file.comment(SERVICES, number)
        for index, method in enumerate(service.method):
            yield f"{service.name}.{method.name}", file.comment(SERVICES, number, MEMBERS, index)
    for message in file.messages:
        yield message.name, file.comment(*message.path)
        for index, field in enumerate(message.descriptor.field):
            yield f"{message.name}.{field.name}", file.comment(*message.path, MEMBERS, index)
        for index, oneof in enumerate(message.descriptor.oneof_decl):
            if described := file.comment(*message.path, ONEOFS, index):
                yield f"{message.name}.{oneof.name}", described
    for enum in file.enums:
        yield enum.name, file.comment(*enum.path)
        for index, value in enumerate(enum.descriptor.value):
            yield f"{enum.name}.{value.name}", file.comment(*enum.path, MEMBERS, index)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
