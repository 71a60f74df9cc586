"""Promises of every store of parts, on a directory and on an S3."""

import asyncio
import traceback
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID, uuid4

import pytest
from camillo_server.kernel.errors import BytesLost
from camillo_server.storage.parts.object_parts import ObjectStoreError, PartName, PartStore, StoredContent
from camillo_server.storage.parts.owned_store import open_part_store

from tests.cases import each_case
from tests.unit.artifacts.s3_server import BUCKET, options

ONE, OTHER = UUID(int=1 << 100), UUID(int=2)
MIB = 1 << 20


@pytest.fixture(params=["directory", "s3"])
def parts(request: pytest.FixtureRequest, tmp_path: Path) -> PartStore:
    if request.param == "directory":
        return open_part_store(f"file://{tmp_path}/with%20space/鍵", {})
    endpoint = request.getfixturevalue("s3")
    return open_part_store(f"s3://{BUCKET}/{uuid4()}", options(endpoint))


async def stored(parts: PartStore, tenant_id: str) -> dict[UUID, StoredContent]:
    found = await parts.contents(tenant_id)
    assert len({content.content_id for content in found}) == len(found)
    return {content.content_id: content for content in found}


@pytest.mark.parametrize("data", [b"", b"\0", "鍵 🔑 المفتاح e\u0301".encode(), b"noise" * (MIB // 4)])
async def test_what_was_put_is_got(parts: PartStore, data: bytes) -> None:
    name = PartName("acme", ONE, 0)
    await parts.put(name, data)
    assert await parts.get(name, len(data)) == data


async def test_a_part_put_again_takes_the_place_of_the_first(parts: PartStore) -> None:
    name = PartName("acme", ONE, 0)
    await parts.put(name, b"the first, which is longer")
    await parts.put(name, b"second")
    assert await parts.get(name, 100) == b"second"
    content = (await stored(parts, "acme"))[ONE]
    assert (content.parts, content.bytes) == (1, 6)


async def test_a_part_that_is_not_there_is_lost(parts: PartStore) -> None:
    name = PartName("acme", ONE, 0)
    await parts.put(name, b"x")
    assert await parts.get(name, 1) == b"x"
    for missing in (PartName("acme", ONE, 1), PartName("acme", OTHER, 0), PartName("other", ONE, 0)):
        with pytest.raises(BytesLost):
            await parts.get(missing, 1)


async def test_a_part_that_is_longer_than_it_may_be_is_lost(parts: PartStore) -> None:
    name = PartName("acme", ONE, 0)
    await parts.put(name, b"12345")
    assert await parts.get(name, 5) == b"12345"
    with pytest.raises(BytesLost):
        await parts.get(name, 4)


async def test_parts_put_at_the_same_time_are_all_there(parts: PartStore) -> None:
    names = [PartName("acme", content_id, n) for content_id in (ONE, OTHER) for n in range(20)]
    await asyncio.gather(*(parts.put(name, str(name.number).encode()) for name in names))
    got = await asyncio.gather(*(parts.get(name, 2) for name in names))
    assert got == [str(name.number).encode() for name in names]


async def test_contents_are_counted_for_each_tenant(parts: PartStore) -> None:
    before = datetime.now(UTC) - timedelta(seconds=2)
    for number in (0, 1, 999_999):
        await parts.put(PartName("acme", ONE, number), b"123")
    await parts.put(PartName("acme", OTHER, 0), b"1")
    await parts.put(PartName("acme2", OTHER, 5), b"")
    found = await stored(parts, "acme")
    assert {key: (each.parts, each.bytes) for key, each in found.items()} == {ONE: (3, 9), OTHER: (1, 1)}
    for content in found.values():
        assert before < content.newest < datetime.now(UTC) + timedelta(seconds=2)
    assert list(await stored(parts, "acme2")) == [OTHER]
    assert await stored(parts, "nobody") == {}
    assert await parts.tenants() == ["acme", "acme2"]


async def test_more_contents_than_come_at_once_are_all_seen(parts: PartStore) -> None:
    ids = [UUID(int=number << 64) for number in range(150)]
    await asyncio.gather(*(parts.put(PartName("acme", each, 0), b"x") for each in ids))
    assert sorted(await stored(parts, "acme")) == ids


async def test_a_deleted_content_is_gone_and_its_neighbours_stay(parts: PartStore) -> None:
    kept = [PartName("acme", OTHER, 0), PartName("acme2", ONE, 0)]
    for name in (PartName("acme", ONE, 0), PartName("acme", ONE, 1), *kept):
        await parts.put(name, b"x")
    assert await parts.delete_content("acme", ONE) == 2
    assert await parts.delete_content("acme", ONE) == 0
    assert await parts.delete_content("nobody", ONE) == 0
    with pytest.raises(BytesLost):
        await parts.get(PartName("acme", ONE, 0), 1)
    assert list(await stored(parts, "acme")) == [OTHER]
    for name in kept:
        assert await parts.get(name, 1) == b"x"


async def test_a_tenant_whose_last_content_is_deleted_is_none_and_may_come_back(parts: PartStore) -> None:
    name = PartName("acme", ONE, 0)
    for _ in range(2):
        await parts.put(name, b"x")
        assert await parts.tenants() == ["acme"]
        await parts.delete_content("acme", ONE)
        assert await parts.tenants() == []


async def test_a_marker_is_put_once_unless_it_is_replaced(parts: PartStore) -> None:
    assert await parts.marker() is None
    await parts.put_marker(b"first", replace=False)
    await parts.put_marker(b"second", replace=False)
    assert await parts.marker() == b"first"
    await parts.put_marker(b"third", replace=True)
    assert await parts.marker() == b"third"
    assert await parts.tenants() == []


async def test_what_is_in_a_folder_is_seen_there_alone(parts: PartStore) -> None:
    name = PartName("acme", ONE, 0)
    for folder in ("_a", "_b"):
        await parts.create_folder(folder)
        await parts.create_folder(folder)
    below, beside = parts.folder("_a"), parts.folder("_b")
    await below.put(name, b"x")
    assert (await below.get(name, 1), await below.tenants()) == (b"x", ["acme"])
    assert [content.content_id for content in await below.contents("acme")] == [ONE]
    for other in (parts, beside):
        assert (await other.tenants(), await other.contents("acme")) == ([], [])
        assert await other.delete_content("acme", ONE) == 0
        with pytest.raises(BytesLost):
            await other.get(name, 1)
    assert await below.delete_content("acme", ONE) == 1
    assert await below.tenants() == []


@pytest.mark.parametrize(
    "tenant_id", ["", ".", "..", "../acme", "a/b", "/etc", ".a", "-a", "é", "a\n", "x" * 129, "a\0"]
)
async def test_what_is_no_tenants_id_is_refused(parts: PartStore, tenant_id: str) -> None:
    await parts.put(PartName("a..b-c_d", ONE, 0), b"x")
    assert await parts.tenants() == ["a..b-c_d"]
    name = PartName(tenant_id, ONE, 0)
    with pytest.raises(ValueError, match="no tenant's id"):
        await parts.put(name, b"x")
    with pytest.raises(ValueError, match="no tenant's id"):
        await parts.get(name, 1)
    with pytest.raises(ValueError, match="no tenant's id"):
        await parts.delete_content(tenant_id, ONE)
    with pytest.raises(ValueError, match="no tenant's id"):
        await stored(parts, tenant_id)


@pytest.mark.parametrize("number", [-1, 1_000_000])
async def test_a_number_out_of_range_is_refused(parts: PartStore, number: int) -> None:
    await parts.put(PartName("acme", ONE, 999_999), b"x")
    with pytest.raises(ValueError, match="out of range"):
        await parts.put(PartName("acme", ONE, number), b"x")


@each_case(
    ("url", "given", "said"),
    [
        ("relative/path", {}, "only"),
        ("memory:///", {}, "only"),
        ("https://host.example/bucket", {}, "only"),
        ("file://host.example/path", {}, "file:///path"),
        ("file:///tmp", {"timeout": "1s"}, "no options"),
        ("file:///proc/nothing/here", {}, "cannot create"),
        ("s3://", {}, "cannot use"),
        ("s3://bucket", {"no_such_option": "1"}, "no_such_option"),
        ("s3://bucket", {"timeout": "for-ever"}, "…"),
        ("s3://bucket", {"allow_http": "perhaps"}, "…"),
        ("s3://bucket", {"max_retries": "11"}, "from 0 to 10"),
        ("s3://bucket", {"max_retries": "-1"}, "from 0 to 10"),
    ],
)
def test_a_store_that_cannot_be_is_refused_in_one_line_without_what_options_hold(
    url: str, given: dict[str, str], said: str
) -> None:
    with pytest.raises(ObjectStoreError) as caught:
        open_part_store(url, given)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    shown = "".join(traceback.format_exception(caught.value))
    assert type(caught.value).__name__ in shown
    assert not any(value in shown for value in given.values() if len(value) > 3)


@pytest.mark.parametrize("scheme", ["s3", "gs", "az"])
def test_a_bucket_is_opened_with_its_prefix_and_options_without_connecting(scheme: str) -> None:
    given = {"timeout": "3s", "max_retries": "0", "Allow_HTTP": "true"}
    if scheme == "az":
        given["account_name"] = "account"
    open_part_store(f"{scheme}://bucket/a/prefix", given)
