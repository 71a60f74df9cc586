"""A stream of changes as a server might send them, the same each time; as a program, a mirror that applies them until
it is killed."""

import random
import sys
from collections.abc import Sequence
from pathlib import Path

from camillo_client.mirror.directory import Change, Forgotten, Hidden, MirrorDirectory
from camillo_client.mirror.envelope import Envelope
from camillo_client.mirror.position import Subject

SUBJECT = Subject("alice", "/user")
NAMES = ("user", "牙科复诊", "a b", "CON", ".hidden", "نص", "e\u0301", "😀", "-rf", "a@b", "x" * 300)
CONTENTS = ('{"a":1.0,\n "b":[]}', '"日本"', "{}", "12e400", "[1,\r\n2]")


def batches(seed: int, count: int) -> list[Sequence[Change]]:
    """Draws `count` batches; batch n ends with the resume token n."""
    draw = random.Random(seed)  # noqa: S311
    versions: dict[str, int] = {}
    ids: dict[str, str] = {}
    made = []
    for number in range(count):
        changes: list[Change] = []
        for _ in range(draw.randint(0, 6)):
            key = "/" + "/".join(draw.choices(NAMES, k=draw.randint(1, 3)))
            what = draw.random()
            if what < 0.06 and key in ids:
                changes.append(Forgotten(ids.pop(key)))
                versions.pop(key)
            elif what < 0.1 and key in ids:
                changes.append(Hidden(ids[key]))
            else:
                ids.setdefault(key, f"id-{number}-{len(changes)}")
                versions[key] = versions.get(key, 0) + 1
                changes.append(_written(draw, key, versions[key], ids[key], number))
        made.append(changes)
    return made


def _written(draw: random.Random, key: str, version: int, slot_id: str, number: int) -> Envelope:
    valid = draw.random() < 0.8
    content = draw.choice(CONTENTS) if valid else "null"
    day = f"2026-01-{1 + number // 60 % 28:02d}T00:00:00Z"
    source = '{"kind": "web", "locator": {"url": "https://例え.jp", "content": "}\\n"}}'
    return Envelope(key, day, version, slot_id, valid, source, content)


def apply_all(directory: Path, made: Sequence[Sequence[Change]], rotated_lines: int) -> MirrorDirectory:
    """Goes on behind what the directory has; the mirror is left open."""
    mirror = MirrorDirectory(directory, SUBJECT, rotated_lines=rotated_lines)
    first = int(mirror.resume_token) + 1 if mirror.resume_token else 0
    for number in range(first, len(made)):
        mirror.apply(made[number], str(number))
    return mirror


if __name__ == "__main__":
    seed, count, rotated_lines = map(int, sys.argv[2:])
    apply_all(Path(sys.argv[1]), batches(seed, count), rotated_lines)
    print("done", flush=True)
