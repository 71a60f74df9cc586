"""Skills: by the nearest level, in versions, refused where they hold what may not be stored."""

import hashlib
from typing import Any

import pytest
from camillo.v1.knowledge_pb2 import SKILL_LEVEL_AGENT, SKILL_LEVEL_GLOBAL, SKILL_LEVEL_TENANT
from camillo.v1.knowledge_service_pb2 import ListSkillsRequest
from camillo_server.features.knowledge import skill_store

from tests.rpc.knowledge.skill_calls import delete, get, names, put, refusal, skill_text
from tests.server_fixtures import Server

SHARED = "@shared"


async def put_everywhere(server: Server) -> None:
    """Stores a skill of one name at each level."""
    await put(server.root, skill_text(body="global"), level=SKILL_LEVEL_GLOBAL)
    await put(server.admin, skill_text(body="tenant"), agent_id=SHARED)
    await put(server.alice, skill_text(body="agent"))


@pytest.mark.parametrize(
    "body", ["Zwei\r\nZeilen\r\n", "审核每一项变更", "راجع كل تغيير", "🚀 👩‍👩‍👧 cafe\u0301\t\x0b"]
)
async def test_the_text_comes_back_byte_for_byte(server: Server, body: str) -> None:
    text = skill_text(body=body, license="MIT", allowed_tools="Read, Grep")
    stored = (await put(server.alice, text)).skill
    found = await get(server.alice)
    assert found.text == text
    assert found.sha256 == stored.sha256 == hashlib.sha256(text.encode()).digest()
    assert list(found.allowed_tools) == ["Read", "Grep"]
    assert dict(found.front_matter) == {"license": "MIT"}
    assert (stored.text, found.tokens > 0) == ("", True)


@pytest.mark.own_server
async def test_an_agents_own_takes_the_place_of_the_tenants_and_that_of_the_global_one(server: Server) -> None:
    await put_everywhere(server)
    for level, body in ((SKILL_LEVEL_AGENT, "agent"), (SKILL_LEVEL_TENANT, "tenant"), (SKILL_LEVEL_GLOBAL, "global")):
        nearest = await get(server.alice)
        assert (nearest.level, body in nearest.text) == (level, True)
        assert body in (await get(server.alice, level=level)).text
        assert await names(server.alice) == ["review"]
        caller = server.alice if level == SKILL_LEVEL_AGENT else server.root
        await delete(caller, level=level, agent_id="" if level == SKILL_LEVEL_AGENT else "bob")
    assert await names(server.alice) == []
    assert await refusal(get(server.alice)) == ("NOT_FOUND", "SKILL_NOT_FOUND")


@pytest.mark.own_server
async def test_others_see_what_is_theirs(server: Server) -> None:
    await put_everywhere(server)
    assert "tenant" in (await get(server.admin, agent_id="bob")).text
    assert "tenant" in (await get(server.admin, agent_id=SHARED)).text
    assert "global" in (await get(server.rival, agent_id="alice")).text
    assert "agent" in (await get(server.reader)).text
    for level in (SKILL_LEVEL_AGENT, SKILL_LEVEL_TENANT):
        found = get(server.rival, agent_id="alice", level=level)
        assert await refusal(found) == ("NOT_FOUND", "SKILL_NOT_FOUND")


@pytest.mark.own_server
async def test_who_may_put_and_delete_at_a_level(server: Server) -> None:
    await put_everywhere(server)
    forbidden = ("PERMISSION_DENIED", "SCOPE_FORBIDDEN")
    for caller, fields in (
        (server.reader, {}),
        (server.alice, {"level": SKILL_LEVEL_TENANT}),
        (server.alice, {"level": SKILL_LEVEL_GLOBAL}),
        (server.admin, {"level": SKILL_LEVEL_GLOBAL}),
        (server.rival, {"agent_id": SHARED}),
    ):
        assert await refusal(put(caller, skill_text(body="other"), **fields)) == forbidden
        assert await refusal(delete(caller, **fields)) == forbidden
    wrong = ("INVALID_ARGUMENT", "INVALID_FIELD")
    assert await refusal(put(server.admin, agent_id=SHARED, level=SKILL_LEVEL_AGENT)) == wrong
    assert await refusal(put(server.alice, level=99)) == wrong


async def test_what_somebody_below_an_administrator_puts_is_data(server: Server) -> None:
    assert (await put(server.alice)).skill.is_data
    # The same text from an administrator is a new version: it is instructions from now on.
    vouched = await put(server.admin, agent_id="alice")
    assert (vouched.skill.is_data, vouched.skill.version, vouched.unchanged) == (False, 2, False)
    again = await put(server.alice)
    assert (again.skill.is_data, again.unchanged) == (False, True)
    assert (await put(server.alice, skill_text(body="new"))).skill.is_data


async def test_the_same_text_stores_nothing_and_a_repeat_is_answered_as_the_first(server: Server) -> None:
    first = await put(server.alice, request_id="first")
    same = await put(server.alice, request_id="same")
    assert (first.unchanged, same.unchanged) == (False, True)
    assert same.revision == first.revision
    changed = await put(server.alice, skill_text(body="changed"), request_id="changed")
    assert (changed.skill.version, changed.unchanged) == (2, False)
    assert await put(server.alice, request_id="first") == first
    assert (await put(server.alice, request_id="same")).unchanged
    assert (await get(server.alice)).version == 2
    reused = put(server.alice, skill_text(body="third"), request_id="first")
    assert (await refusal(reused))[1] == "REQUEST_ID_REUSED"


@pytest.mark.own_server
@pytest.mark.parametrize("level", [SKILL_LEVEL_AGENT, SKILL_LEVEL_GLOBAL])
async def test_earlier_versions_are_kept_and_the_oldest_make_room(
    server: Server, level: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(skill_store, "MAX_VERSIONS", 2)
    where: dict[str, Any] = {"agent_id": "alice", "level": level}
    for number in (1, 2, 3):
        body = skill_text(body=f"number {number}")
        stored = await put(server.root, body, expected_version=number - 1, **where)
        assert stored.skill.version == number
    stale = put(server.root, skill_text(body="4"), expected_version=2, **where)
    assert await refusal(stale) == ("ABORTED", "VERSION_CONFLICT")
    assert "number 2" in (await get(server.root, version=2, **where)).text
    assert "number 3" in (await get(server.root, version=3, agent_id="alice")).text
    gone = get(server.root, version=1, **where)
    assert await refusal(gone) == ("NOT_FOUND", "SKILL_NOT_FOUND")


@pytest.mark.own_server
async def test_a_level_has_so_many(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(skill_store, "MAX_SKILLS", 2)
    for each in ("one", "two"):
        await put(server.alice, skill_text(each))
        await put(server.root, skill_text(each), level=SKILL_LEVEL_GLOBAL)
    full = ("RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED")
    assert await refusal(put(server.alice, skill_text("three"))) == full
    third = put(server.root, skill_text("three"), level=SKILL_LEVEL_GLOBAL)
    assert await refusal(third) == full
    await put(server.alice, skill_text("two", body="changed"))
    await put(server.admin, skill_text("three"), agent_id=SHARED)


@pytest.mark.own_server
async def test_a_list_is_paged_by_name_and_by_level(server: Server) -> None:
    for each in ("b", "d"):
        await put(server.alice, skill_text(each))
    for each in ("a", "b", "c"):
        await put(server.root, skill_text(each), level=SKILL_LEVEL_GLOBAL)
    listed, token = list[str](), ""
    while True:
        page = await server.alice(ListSkillsRequest(page_size=1, page_token=token))
        listed += [skill.name for skill in page.skills]
        assert all(not skill.text and skill.description for skill in page.skills)
        if not (token := page.next_page_token):
            break
    assert listed == ["a", "b", "c", "d"]
    assert await names(server.alice, level=SKILL_LEVEL_GLOBAL) == ["a", "b", "c"]
    assert await names(server.alice, level=SKILL_LEVEL_AGENT) == ["b", "d"]


async def test_a_secret_is_refused_wherever_it_stands(server: Server) -> None:
    secret = "ghp_" + "k3Tq9XwZ7vLm2Rj8Nc5Hs1Yb4Fd6Gp0aQeUi"
    wrong = ("INVALID_ARGUMENT", "INVALID_FIELD")
    assert await refusal(put(server.alice, skill_text(body=f"Use {secret} here"))) == wrong
    assert await refusal(put(server.alice, skill_text(token=secret))) == wrong
    described = put(server.alice, "# Rules", name="rules", description=f"With {secret}")
    assert await refusal(described) == wrong
    assert await names(server.alice) == []
    await put(server.alice, "# Rules", name="rules", description="Without")


@pytest.mark.parametrize("text", ["x" * 262_145, "---\nname: a\ndescription: b\n---\n\0"])
async def test_what_cannot_be_stored_is_refused(server: Server, text: str) -> None:
    wrong = ("INVALID_ARGUMENT", "INVALID_FIELD")
    assert await refusal(put(server.alice, text, name="a", description="b")) == wrong


async def test_the_longest_text_is_stored_and_read(server: Server) -> None:
    text = "审" * 87_381 + "x"
    await put(server.alice, text, name="long", description="b")
    assert (await get(server.alice, "long")).text == text
