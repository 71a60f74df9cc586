"""Recipes, sizes, depths and clocks that nobody in his right mind would send: refused with their place, or borne."""

from datetime import timedelta
from typing import Any

import grpc
import pytest
from camillo.v1 import decision_service_pb2 as decisions
from camillo.v1 import event_service_pb2 as events
from camillo.v1 import snapshot_service_pb2 as snapshots
from camillo.v1.actor_pb2 import EVENT_KIND_TOOL_CALL
from camillo.v1.decision_pb2 import NewDecision
from camillo.v1.event_pb2 import NewEvent, ToolCall
from camillo_client.event_fields import EventTooLarge
from google.protobuf.timestamp_pb2 import Timestamp

from tests.patience import PATIENCE_SECONDS
from tests.rpc.events.test_event_bad_input import nested, nested_lists, struct
from tests.rpc.records import bundle, decide, listed, put_view, record, record_all, shown, text_event, texts, tool_event
from tests.server_fixtures import Server, refusal_of, refused

MIB = 1024 * 1024
RECIPE = """\
name: own
budget: 1000
sections:
  - name: rules
    source: view
    view: rules
    budget: 400
    priority: 9
  - name: evidence
    source: recall
    sources: [event]
    budget: 600
"""
BOMB = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{new}: &{new} [{', '.join(f'*{old}' for _ in range(9))}]\n"
    for old, new in zip("abcdefgh", "bcdefghi", strict=True)
)
# A recipe, the field that the refusal names, and a word of its reason.
BAD_RECIPES = {
    "aliases without end": (BOMB, "yaml", "anchors"),
    "an alias of itself": ("a: &a [*a]\n", "yaml", "anchors"),
    "merged keys": ("base: &base {x: 1}\nname:\n  <<: *base\n", "yaml", "anchors"),
    "deep": ("[" * 60_000, "yaml", ""),
    "deep mappings": ("".join(f"{'  ' * i}a:\n" for i in range(200)), "yaml", "deeper"),
    "an object of Python": ("!!python/object/apply:os.system ['true']", "yaml", ""),
    "a key twice": (RECIPE + "budget: 2\n", "yaml", "line 13"),
    "no YAML": (RECIPE + " - [", "yaml", "line 1"),
    "two documents": (RECIPE + "---\n" + RECIPE, "yaml", ""),
    "a list": ("- name: own\n", "recipe", "mapping"),
    "nothing": ("", "yaml", ""),
    "a NUL": ("name: a\0b", "yaml", ""),
    "too long": (RECIPE + "# " + "x" * 65_536, "yaml", "65536"),
    "an unknown key": (RECIPE + "colour: red\n", "colour", ""),
    "an unknown key of a section": (RECIPE + "    colour: red\n", "sections[1].colour", ""),
    "shares over the total": (RECIPE.replace("600", "601"), "sections", "1,000"),
    "a budget of nothing": (RECIPE.replace("1000", "0"), "budget", ""),
    "a budget below nothing": (RECIPE.replace("400", "-1"), "sections[0].budget", ""),
    "a budget without end": (RECIPE.replace("1000", ".inf"), "budget", ""),
    "a budget of words": (RECIPE.replace("1000", "many"), "budget", ""),
    "a section twice": (RECIPE.replace("evidence", "rules"), "sections[1].name", ""),
    "an unknown source": (RECIPE.replace("recall", "dreams"), "sections[1].source", ""),
    "no section": ("name: own\nbudget: 1000\nsections: []\n", "sections", ""),
    "no name": (RECIPE.replace("name: own\n", ""), "name", ""),
}


async def test_a_recipe_that_cannot_validate_is_refused_with_its_places(server: Server) -> None:
    for case, (yaml, field, words) in BAD_RECIPES.items():
        call = server.admin.begin(snapshots.PutRecipeRequest(yaml=yaml), timeout=PATIENCE_SECONDS)
        told = await refused(call)
        assert (told.code, told.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELD"), case
        assert any(each.removeprefix("yaml.").startswith(field) for each in told.fields), told
        assert words in told.message, case
        assert len(told.message) < 2_000, case
        missing = await refused(bundle(server.alice, recipe="own"))
        assert missing.reason == "RECIPE_NOT_FOUND", case
    await server.admin(snapshots.PutRecipeRequest(yaml=RECIPE))
    await put_view(server.alice, "rules", "be kind")
    assert shown(await bundle(server.alice, recipe="own")) == {"rules": ["be kind"]}


@pytest.mark.parametrize("name", ["nowhere", "active-context", "own"])
async def test_an_unknown_recipe_is_named(server: Server, name: str) -> None:
    told = await refused(bundle(server.alice, recipe=name))
    assert (told.code, told.reason, told.metadata) == (grpc.StatusCode.NOT_FOUND, "RECIPE_NOT_FOUND", {"name": name})
    delete = snapshots.DeleteRecipeRequest(name=name)
    assert (await refused(server.admin(delete))).reason == "RECIPE_NOT_FOUND"
    built_in = snapshots.DeleteRecipeRequest(name="active_context")
    assert (await refused(server.admin(built_in))).reason == "RECIPE_NOT_FOUND"
    assert (await bundle(server.alice, recipe="active_context")).recipe == "active_context"


async def test_fifty_megabytes_are_refused_by_the_server_with_its_limit(server: Server) -> None:
    """The refusal comes before they are read: whoever sends so much is told by gRPC itself."""
    for event in (text_event("x" * (50 * MIB)), tool_event("x" * (50 * MIB))):
        told = await refused(server.alice(events.RecordEventRequest(event=event)))
        assert told.code is grpc.StatusCode.RESOURCE_EXHAUSTED
        assert str(16 * MIB) in told.message
    await record(server.alice, "good")
    assert await texts(server.alice) == ["good"]


async def test_fifty_megabytes_are_refused_by_the_client_before_they_are_sent(server: Server) -> None:
    async with server.client(server.keys.alice) as client:
        with pytest.raises(EventTooLarge) as told:
            await client.events.record("x" * (50 * MIB), session_id="s", actor="human:ada")
        message = str(told.value) + str(told.value.field_violations)
        for words in ("1,048,576", "artifacts.put", "refs"):
            assert words in message
        await client.events.record("x" * MIB, session_id="s", actor="human:ada")
    (event,) = await listed(server.alice)
    assert len(event.stated.text) == MIB


@pytest.mark.parametrize("text", ["x" * (MIB + 1), "字" * (MIB // 3 + 1), "🌸" * (MIB // 4 + 1)])
async def test_one_byte_more_than_a_mebibyte_is_refused_with_limit_and_pointer(server: Server, text: str) -> None:
    """Counted in bytes, whatever the script; in a batch it fails alone."""
    told = await refused(record(server.alice, text))
    assert (told.code, told.fields) == (grpc.StatusCode.INVALID_ARGUMENT, ("event.text",))
    assert "1048576" in told.message.replace(",", "")
    assert "ArtifactService.PutArtifact" in told.message
    results = (await record_all(server.alice, [text_event(text), text_event(text[:-1])])).results
    assert [each.WhichOneof("outcome") for each in results] == ["error", "recorded"]
    assert refusal_of(results[0].error).fields == ("events[0].text",)
    assert await texts(server.alice) == [text[:-1]]


def with_json(content: dict[str, Any], place: str) -> NewEvent:
    if place == "json":
        return text_event(json=struct(content))
    call = ToolCall(tool="t", arguments=struct(content))
    return text_event(kind=EVENT_KIND_TOOL_CALL, tool_call=call)


@pytest.mark.parametrize("place", ["json", "tool_call.arguments"])
@pytest.mark.parametrize("make", [nested, nested_lists])
async def test_json_of_thirty_three_levels_is_refused_and_of_thirty_two_recorded(
    server: Server, make: Any, place: str
) -> None:
    request = events.RecordEventRequest(event=with_json(make(33), place))
    told = await refused(server.alice(request))
    assert (told.code, told.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELD")
    batch = events.BatchRecordEventsRequest(events=[with_json(make(32), place)])
    assert (await server.alice(batch)).results[0].HasField("recorded")
    assert len(await listed(server.alice)) == 1


async def test_clocks_that_run_backwards_reorder_nothing(server: Server) -> None:
    """Events are shown in the order of recording everywhere, whatever the server's or the caller's clock does."""
    for i in range(6):
        happened = Timestamp()
        happened.FromDatetime(server.clock.now() - timedelta(hours=i))
        await record(server.alice, f"turn {i}", occurred_at=happened)
        server.clock.move(-3600)
    expected = [f"turn {i}" for i in range(6)]
    found = await listed(server.alice)
    assert [event.stated.text for event in found] == expected
    recorded = [event.recorded_at.ToDatetime() for event in found]
    assert recorded != sorted(recorded)
    built = await bundle(server.alice, session_id="s")
    window = shown(built)["recent_window"]
    assert [text.split(": ")[-1] for text in window] == expected
    watch = server.alice.begin(events.WatchEventsRequest(from_beginning=True), timeout=PATIENCE_SECONDS)
    answers = aiter(watch)
    watched = [(await anext(answers)).change.recorded.stated.text for _ in range(6)]
    watch.cancel()
    assert watched == expected


async def test_decisions_and_tasks_bear_a_clock_that_runs_backwards(server: Server) -> None:
    event = await record(server.alice, "ground")
    first = await decide(server.alice, "use Postgres", event.event_id)
    server.clock.move(-24 * 3600)
    request = decisions.SupersedeDecisionRequest(
        decision_id=first.decision_id,
        expected_version=1,
        decision=NewDecision(decision="use SQLite", refs=[event.event_id]),
    )
    answer = await server.alice(request)
    assert answer.superseded.superseded_by == answer.decision.decision_id
    prompt = (await bundle(server.alice, "use", session_id="s")).prompt
    assert "use SQLite" in prompt
    assert "use Postgres" not in prompt
