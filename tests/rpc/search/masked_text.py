"""Bytes with secrets in them, what is to be left of them, and the search for what should be stored nowhere."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import psycopg
import zstandard
from camillo.v1 import artifact_pb2 as pb

from tests.postgres_fixtures import TestDatabase
from tests.rpc.test_secrets import CONTROL, stored_texts, telling_lines

ZSTD = bytes.fromhex("28b52ffd")
MARK = b"[redacted"


@dataclass(frozen=True, slots=True)
class Text:
    """Bytes, and the secrets in them by their offset."""

    data: bytes
    secrets: dict[int, tuple[str, bytes]]

    @property
    def told(self) -> list[tuple[str, int]]:
        return [(kind, offset) for offset, (kind, _) in sorted(self.secrets.items())]

    def assert_masked(self, kept: bytes) -> None:
        """Checks that every byte outside of a secret is what it was; within one only the ends of its lines are."""
        assert len(kept) == len(self.data)
        end = 0
        for offset, (_, secret) in sorted(self.secrets.items()):
            assert kept[end:offset] == self.data[end:offset]
            end = offset + len(secret)
            mask = kept[offset:end]
            assert mask.startswith(MARK)
            assert b"\n" in mask if b"\n" in secret else b"*" in mask or mask.endswith(b"]")
            for before, after in zip(secret, mask, strict=True):
                assert (before == 10) == (after == 10)
        assert kept[end:] == self.data[end:]


def text_of(*parts: bytes | tuple[str, str]) -> Text:
    """Bytes as they are, and secrets with their kinds."""
    data, secrets = bytearray(), {}
    for part in parts:
        if isinstance(part, tuple):
            secrets[len(data)] = (part[0], part[1].encode())
            data += part[1].encode()
        else:
            data += part
    return Text(bytes(data), secrets)


def stored_bytes(database: TestDatabase, *directories: Path) -> list[bytes]:
    """Every part of a content and every file, as it lies there and unpacked."""
    with psycopg.connect(database.superuser_url) as connection:
        rows = connection.execute("select bytes from camillo.content_parts where bytes is not null")
        raw = [bytes(row[0]) for row in rows]
    for directory in directories:
        raw += [path.read_bytes() for path in directory.rglob("*") if path.is_file()]
    unpacked = [
        zstandard.ZstdDecompressor().decompress(each, allow_extra_data=True) for each in raw if each.startswith(ZSTD)
    ]
    return [*raw, *unpacked]


def assert_nowhere(
    database: TestDatabase, secrets: Iterable[str], *directories: Path, also: Sequence[object] = ()
) -> None:
    """Checks that secrets are in no row, part, file or answer; the word beside them is in each of these."""
    texts = [stored_texts(database), *map(str, also)]
    kept = stored_bytes(database, *directories)
    assert all(CONTROL in text for text in texts)
    assert any(CONTROL.encode() in each for each in kept)
    for line in (line for secret in secrets for line in telling_lines(secret)):
        assert not any(line in text or line.encode().hex() in text for text in texts)
        assert not any(line.encode() in each for each in kept)


def told(found: Iterable[pb.ArtifactRedaction]) -> list[tuple[str, int]]:
    return [(each.kind, each.offset) for each in found]


def counted(artifact: pb.Artifact) -> dict[str, int]:
    assert [each.kind for each in artifact.redaction_counts] == sorted(each.kind for each in artifact.redaction_counts)
    return {each.kind: each.count for each in artifact.redaction_counts}
