"""Looking through artifacts: lines are found wherever the blocks end, in every encoding that has lines."""

from uuid import uuid4

import psycopg
import pytest
from camillo_server.features.artifacts.artifact import ArtifactDraft
from camillo_server.features.artifacts.repeating_artifacts import MAX_LINE_CHARACTERS, MAX_WHOLE_BYTES, ForgottenContent
from camillo_server.kernel.errors import ValueRejected
from camillo_server.lib.text.json_lines import texts_of
from camillo_server.lib.text.value_fingerprints import value_fingerprint
from camillo_server.storage.blocklist import Blocking, block

from tests.storage.artifacts.artifact_store import ALICE, NOW, ArtifactStores
from tests.storage.artifacts.small_parts import described, small_parts, upload_in_parts

VALUE = "L'été à la plage 🏖 中文"
LATIN = "L'été à la plage, señor"


async def forget(store: ArtifactStores, text: str) -> None:
    """The only forgotten value from here on."""
    with psycopg.connect(store.postgres.superuser_url) as connection:
        connection.execute(
            "insert into camillo.scopes values (%s, %s, 1, 0, 0, '', %s) on conflict do nothing",
            (ALICE.tenant_id, ALICE.agent_id, NOW),
        )
        connection.execute("delete from camillo.value_blocks")
    blocking = Blocking([value_fingerprint(ALICE.tenant_id, text)], uuid4(), NOW)
    await store.database.write(ALICE, lambda session: block(session, ALICE, blocking))


async def is_refused(
    store: ArtifactStores, data: bytes, value: str = VALUE, *, block: int = 1 << 20, encoding: str = "utf-8"
) -> bool:
    await forget(store, value)
    upload = await upload_in_parts(store, data, block)
    facts = described(upload, data, encoding).content
    looking = ForgottenContent(store.database, store.contents)
    try:
        with small_parts(block):
            await looking.refuse(upload, texts_of(ArtifactDraft()), facts)
    except ValueRejected as error:
        return error.field == "content"
    return False


FILLER = "строка of no interest\n" * 4_000


@pytest.mark.parametrize("block", [MAX_WHOLE_BYTES - 1, 4_099, 65_537])
async def test_a_line_is_found_across_the_ends_of_blocks(in_postgres: ArtifactStores, block: int) -> None:
    for line in (VALUE, f"- {VALUE.upper()}!\r"):
        data = f"{FILLER}{line}\n{FILLER}".encode()
        assert await is_refused(in_postgres, data, block=block)
        assert await is_refused(in_postgres, f"{FILLER}{line}".encode(), block=block)
    assert not await is_refused(in_postgres, f"{FILLER}{VALUE} too\n{FILLER}".encode(), block=block)
    assert not await is_refused(in_postgres, f"{FILLER}{VALUE[:-1]}\n{FILLER}".encode(), block=block)


async def test_of_a_short_text_the_whole_and_its_sentences_count(in_postgres: ArtifactStores) -> None:
    assert await is_refused(in_postgres, b"ok!", "OK")
    assert not await is_refused(in_postgres, b"this is ok!", "OK")
    assert await is_refused(in_postgres, f"Hello. {VALUE}. Bye.".encode())


@pytest.mark.parametrize("encoding", ["windows-1252", "utf-16"])
async def test_it_is_found_in_other_encodings(in_postgres: ArtifactStores, encoding: str) -> None:
    lines = "a line of no interest\n" * 8_000
    data = f"{lines}{LATIN}\n{lines}".encode(encoding)
    assert await is_refused(in_postgres, data, LATIN, block=4_099, encoding=encoding)
    assert not await is_refused(in_postgres, data, VALUE, block=4_099, encoding=encoding)


async def test_what_is_no_text_is_not_looked_through(in_postgres: ArtifactStores) -> None:
    data = b"\x00\xff" * 50 + VALUE.encode()
    assert not await is_refused(in_postgres, VALUE.encode(), encoding="")
    assert not await is_refused(in_postgres, data, encoding="")
    assert await is_refused(in_postgres, VALUE.encode())


async def test_a_line_without_end_is_held_in_parts(in_postgres: ArtifactStores) -> None:
    data = b"x" * (3 * MAX_LINE_CHARACTERS) + f"\n{VALUE}\n".encode()
    assert await is_refused(in_postgres, data, block=MAX_LINE_CHARACTERS // 2)
