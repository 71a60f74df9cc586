"""Views: texts that an agent or a whole tenant is always shown; and the recipes of a tenant."""

import grpc
import pytest
from camillo.v1 import context_pb2 as pb
from camillo.v1 import memory_pb2
from camillo.v1 import snapshot_service_pb2 as service
from google.protobuf.message import Message

from tests.rpc.records import bundle, put_view, shown
from tests.secret_samples import samples
from tests.server_fixtures import Caller, Server, refused

RECIPE = """\
name: own
description: Только правила.
budget: 1000
sections:
  - name: rules
    source: view
    view: rules
    budget: 1000
    priority: 9
"""


async def get(caller: Caller, name: str, **fields: str) -> pb.View:
    view: pb.View = (await caller(service.GetViewRequest(name=name, **fields))).view
    return view


async def test_a_view_is_put_changed_read_and_removed(server: Server) -> None:
    request = service.PutViewRequest(request_id="once", view=pb.View(name="rules", text="# Правила 🎉"))
    first = await server.alice(request)
    assert await server.alice(request) == first
    assert (first.view.version, first.view.agent_id, first.view.text) == (1, "alice", "# Правила 🎉")
    assert first.view.sensitivity == memory_pb2.SENSITIVITY_INTERNAL
    server.clock.move(60)
    second = await put_view(server.alice, "rules", "other")
    assert (second.version, second.updated_at != first.view.updated_at) == (2, True)
    assert await get(server.reader, "rules") == second
    await server.alice(service.DeleteViewRequest(name="rules"))
    told = await refused(get(server.alice, "rules"))
    assert (told.code, told.reason, told.metadata) == (grpc.StatusCode.NOT_FOUND, "VIEW_NOT_FOUND", {"name": "rules"})
    gone = await refused(server.alice(service.DeleteViewRequest(name="rules")))
    assert gone.reason == "VIEW_NOT_FOUND"


async def test_a_view_is_changed_by_who_has_seen_it(server: Server) -> None:
    await put_view(server.alice, "rules", "one")
    request = service.PutViewRequest(view=pb.View(name="rules", text="two"), expected_version=1)
    assert (await server.alice(request)).view.version == 2
    told = await refused(server.alice(request))
    assert (told.code, told.reason, told.metadata) == (
        grpc.StatusCode.ABORTED,
        "VERSION_CONFLICT",
        {"expected_version": "1", "actual_version": "2"},
    )
    assert (await get(server.alice, "rules")).text == "two"


async def test_the_agents_own_view_comes_before_the_tenants(server: Server) -> None:
    await put_view(server.admin, "rules", "the tenant's")
    await put_view(server.admin, "identity", "the tenant's identity")
    assert (await get(server.alice, "rules")).text == "the tenant's"
    await put_view(server.alice, "rules", "alice's")
    await put_view(server.admin, "rules", "bob's", agent_id="bob")
    assert (await get(server.alice, "rules")).text == "alice's"
    assert (await get(server.admin, "rules", agent_id="bob")).text == "bob's"
    views = (await server.alice(service.ListViewsRequest())).views
    assert [(view.name, view.agent_id, view.text) for view in views] == [
        ("identity", "", "the tenant's identity"),
        ("rules", "alice", "alice's"),
        ("rules", "", "the tenant's"),
    ]
    # An agent removes its own, and the tenant's is there again.
    await server.alice(service.DeleteViewRequest(name="rules"))
    assert (await get(server.alice, "rules")).text == "the tenant's"
    assert (await refused(server.alice(service.DeleteViewRequest(name="rules")))).reason == ("VIEW_NOT_FOUND")


async def test_secrets_are_taken_out_of_views(server: Server) -> None:
    secret = samples(7)["github-pat"]
    request = service.PutViewRequest(view=pb.View(name="rules", text=f"use {secret} always"))
    answer = await server.alice(request)
    assert len(answer.redactions) == 1
    text = (await get(server.alice, "rules")).text
    assert secret not in text
    assert text.startswith("use [redacted")


async def test_a_recipe_of_the_tenants_own_is_put_used_and_removed(server: Server) -> None:
    built_in = (await server.reader(service.ListRecipesRequest())).recipes
    assert [recipe.name for recipe in built_in] == [
        "active_context",
        "digest",
        "past_decisions",
        "run_snapshot",
        "similar_past_tasks",
        "tool_outcomes",
        "working_memory",
    ]
    assert all(recipe.is_built_in and recipe.yaml for recipe in built_in)
    stored = (await server.admin(service.PutRecipeRequest(yaml=RECIPE))).recipe
    assert (stored.name, stored.is_built_in, stored.budget_tokens, list(stored.sections)) == (
        "own",
        False,
        1000,
        ["rules"],
    )
    assert stored.yaml == RECIPE
    names = [each.name for each in (await server.alice(service.ListRecipesRequest())).recipes]
    assert names == sorted([*(each.name for each in built_in), "own"])
    await put_view(server.alice, "rules", "be kind")
    assert shown(await bundle(server.alice, recipe="own")) == {"rules": ["be kind"]}
    await server.admin(service.DeleteRecipeRequest(name="own"))
    told = await refused(bundle(server.alice, recipe="own"))
    assert (told.code, told.reason, told.metadata) == (grpc.StatusCode.NOT_FOUND, "RECIPE_NOT_FOUND", {"name": "own"})


async def test_another_tenants_recipe_is_not_known(server: Server) -> None:
    await server.admin(service.PutRecipeRequest(yaml=RECIPE))
    told = await refused(bundle(server.rival, agent_id="alice", recipe="own"))
    assert told.reason == "RECIPE_NOT_FOUND"
    await bundle(server.alice, recipe="own")


async def test_only_administrators_change_recipes(server: Server) -> None:
    for request in (service.PutRecipeRequest(yaml=RECIPE), service.DeleteRecipeRequest(name="own")):
        told = await refused(server.alice(request))
        assert (told.code, told.metadata) == (grpc.StatusCode.PERMISSION_DENIED, {"required_role": "TENANT_ADMIN"})
    await server.admin(service.PutRecipeRequest(yaml=RECIPE))


@pytest.mark.parametrize(
    "yaml",
    [
        RECIPE + "  bad: [",
        RECIPE.replace("view: rules", "view: rules\n    unknown: 1"),
        RECIPE.replace("priority: 9", "priority: 101"),
        RECIPE.replace("source: view", "source: nowhere"),
        RECIPE.replace("    budget: 1000", "    budget: 1001"),
        RECIPE.replace("name: own", "name: Not A Name"),
        "a: &a [x, x]\nb: [*a, *a]\n",
        "[" * 100,
        "- just\n- a list\n",
    ],
)
async def test_a_recipe_that_is_not_valid_is_refused_with_its_places(server: Server, yaml: str) -> None:
    told = await refused(server.admin(service.PutRecipeRequest(yaml=yaml)))
    assert (told.code, told.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELD")
    assert told.fields
    await server.admin(service.PutRecipeRequest(yaml=RECIPE))


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        (service.PutViewRequest(view=pb.View(name="No", text="x")), "view.name"),
        (service.PutViewRequest(view=pb.View(name="rules")), "view.text"),
        (service.PutViewRequest(view=pb.View(name="rules", text="x"), expected_version=-1), "expected_version"),
        (service.GetViewRequest(name=""), "name"),
        (service.DeleteViewRequest(name="x" * 65), "name"),
    ],
)
async def test_a_bad_request_is_refused_with_its_field(server: Server, request_: Message, field: str) -> None:
    told = await refused(server.alice(request_))
    assert (told.code, told.fields) == (grpc.StatusCode.INVALID_ARGUMENT, (field,))
