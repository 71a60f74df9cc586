"""Views, recipes and packets, as callers state them and as the contract has them."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from camillo.v1 import context_pb2 as pb
from camillo.v1 import snapshot_service_pb2 as service
from camillo.v1.memory_pb2 import SENSITIVITY_PUBLIC
from camillo_server.across.context import messages as parts
from camillo_server.across.context.recipe import Recipe, SectionRecipe, SectionSource
from camillo_server.across.context.view import Handoff, HandoffPacket, View
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import Role
from google.protobuf.timestamp_pb2 import Timestamp

from tests.cases import each_case
from tests.unit.rpc.records import ADA, HAPPENED, RECORDED, SOME_ID
from tests.unit.rpc.violations import broken

TOO_LATE = Timestamp(seconds=253402300800)
PACKET = HandoffPacket(
    goal="закончить",
    plan_step="p",
    note="備考",
    task_ids=(UUID(SOME_ID),),
    decision_ids=(UUID(SOME_ID), UUID(int=1)),
    constraints=("c", "c"),
)


def view(**values: Any) -> tuple[View, list[str]]:
    message = pb.View(**{"name": "rules", "text": "# x", **values})
    return parts.view_of(message, ADA, Role.WRITER, RECORDED), broken(message, "view.")


def test_a_view_is_the_callers_whatever_else_the_message_says() -> None:
    stated = view(text="# Правила 🎉", sensitivity=SENSITIVITY_PUBLIC, agent_id="bob", version=7)
    assert stated == (View("rules", AgentId("ada"), "# Правила 🎉", Sensitivity.PUBLIC, 0, RECORDED), [])
    assert view()[0].sensitivity is Sensitivity.INTERNAL
    assert parts.view_of(pb.View(name="rules"), ADA, Role.TENANT_ADMIN, RECORDED).is_data is False


@each_case(
    ("field", "beyond", "within"),
    [
        ("name", {"name": ""}, {"name": "a"}),
        ("name", {"name": "x" * 65}, {"name": "x" * 64}),
        ("name", {"name": "Rules"}, {"name": "rules_-9"}),
        ("name", {"name": "правила"}, {"name": "-"}),
        ("name", {"name": "rules\n"}, {"name": "0"}),
        ("text", {"text": ""}, {"text": " "}),
        ("text", {"text": "x" * 65_537}, {"text": "字" * 65_536}),
        ("text", {"text": "\0"}, {"text": "\x01"}),
        ("sensitivity", {"sensitivity": 5}, {"sensitivity": 4}),
    ],
)
def test_a_limit_of_a_view_holds(field: str, beyond: dict[str, Any], within: dict[str, Any]) -> None:
    stated = {"name": "rules", "text": "# x"}
    refused = broken(pb.View(**{**stated, **beyond}), "view.")
    taken = broken(pb.View(**{**stated, **within}), "view.")
    assert (refused, taken) == ([f"view.{field}"], [])


def test_a_view_is_told_whole() -> None:
    told = parts.view_message(View("identity", AgentId(""), "我", Sensitivity.PUBLIC, 4, RECORDED))
    assert (told.name, told.agent_id, told.text, told.version) == ("identity", "", "我", 4)
    assert told.sensitivity == SENSITIVITY_PUBLIC
    assert told.updated_at.ToDatetime(tzinfo=UTC) == RECORDED


def test_a_recipe_is_told_with_the_names_of_its_sections() -> None:
    sections = [SectionRecipe(name, name.title(), SectionSource.VIEW, 10, 10, 1) for name in ("b", "a")]
    recipe = Recipe("own", "for tests", 65_000, sections, "ab12", "name: own", is_built_in=True)
    assert parts.recipe_message(recipe) == pb.Recipe(
        name="own",
        description="for tests",
        yaml="name: own",
        is_built_in=True,
        budget_tokens=65_000,
        sections=["b", "a"],
        digest="ab12",
    )


@pytest.mark.parametrize(
    ("text", "is_taken"), [("", False), ("x", True), ("x" * 65_536, True), ("x" * 65_537, False), ("\0", False)]
)
def test_a_recipe_has_a_bounded_text(text: str, is_taken: bool) -> None:
    assert broken(service.PutRecipeRequest(yaml=text)) == ([] if is_taken else ["yaml"])


def packet_message() -> pb.HandoffPacket:
    return pb.HandoffPacket(
        goal="закончить",
        plan_step="p",
        note="備考",
        task_ids=[SOME_ID, SOME_ID],
        decision_ids=[SOME_ID, str(UUID(int=1))],
        constraints=["c", "c"],
    )


def handoff(**values: Any) -> service.HandOffRequest:
    stated = {"to_agent_id": "bob", "packet": pb.HandoffPacket(goal="g"), **values}
    return service.HandOffRequest(**stated)


def test_a_packet_has_all_that_was_stated() -> None:
    expires = Timestamp()
    expires.FromDatetime(HAPPENED)
    found = handoff(session_id="s", packet=packet_message(), expires_at=expires)
    assert (parts.handoff_of(found), broken(found)) == (("bob", "s", PACKET, HAPPENED), [])
    assert parts.handoff_of(handoff()) == ("bob", "", HandoffPacket("g"), None)


def packet(**values: Any) -> dict[str, Any]:
    return {"packet": pb.HandoffPacket(**{"goal": "g", **values})}


IDS = [str(UUID(int=i)) for i in range(33)]


@each_case(
    ("field", "beyond", "within"),
    [
        ("to_agent_id", {"to_agent_id": ""}, {"to_agent_id": "b"}),
        ("to_agent_id", {"to_agent_id": "a b"}, {"to_agent_id": "a.b"}),
        ("session_id", {"session_id": "x" * 129}, {"session_id": "x" * 128}),
        ("expires_at", {"expires_at": TOO_LATE}, {"expires_at": Timestamp()}),
        ("packet.goal", packet(goal=""), packet(goal=" ")),
        ("packet.goal", packet(goal="x" * 2001), packet(goal="字" * 2000)),
        ("packet.plan_step", packet(plan_step="x" * 2001), packet(plan_step="x" * 2000)),
        ("packet.note", packet(note="x" * 8001), packet(note="字" * 8000)),
        ("packet.note", packet(note="\0"), packet(note="")),
        ("packet.task_ids", packet(task_ids=IDS), packet(task_ids=IDS[1:])),
        ("packet.task_ids[0]", packet(task_ids=["x"]), packet(task_ids=[SOME_ID])),
        ("packet.decision_ids", packet(decision_ids=IDS), packet(decision_ids=IDS[1:])),
        ("packet.decision_ids[0]", packet(decision_ids=[""]), packet(decision_ids=[SOME_ID])),
        ("packet.constraints", packet(constraints=["x"] * 33), packet(constraints=["x"] * 32)),
        ("packet.constraints[0]", packet(constraints=["x" * 2001]), packet(constraints=["x"])),
    ],
)
def test_a_limit_of_a_handoff_holds(field: str, beyond: dict[str, Any], within: dict[str, Any]) -> None:
    assert (broken(handoff(**beyond)), broken(handoff(**within))) == ([field], [])


def test_a_handoff_is_told_whole() -> None:
    told = parts.handoff_message(
        Handoff(
            handoff_id=UUID(int=9),
            from_agent_id=AgentId("ada"),
            to_agent_id=AgentId("bob"),
            session_id="s",
            packet=PACKET,
            text="Goal: закончить",
            tokens=12,
            created_at=HAPPENED,
            expires_at=datetime(2026, 3, 8, tzinfo=UTC),
        )
    )
    assert (parts.packet_of(told.packet), broken(told.packet)) == (PACKET, [])
    assert (told.handoff_id, told.from_agent_id, told.to_agent_id) == (str(UUID(int=9)), "ada", "bob")
    assert (told.session_id, told.text, told.tokens) == ("s", "Goal: закончить", 12)
    assert told.created_at.ToDatetime(tzinfo=UTC) == HAPPENED
    assert told.expires_at.ToDatetime(tzinfo=UTC) == datetime(2026, 3, 8, tzinfo=UTC)
