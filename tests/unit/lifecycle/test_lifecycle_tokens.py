"""Plans belong to one pass over one scope; places in lists of scopes and jobs to one list of one tenant."""

from datetime import UTC, datetime, timedelta

import pytest
from camillo.v1 import lifecycle_service_pb2 as service
from camillo_server.across.lifecycle import messages
from camillo_server.doors.rpc import page_tokens, tokens
from camillo_server.kernel.errors import InvalidField, InvalidPageToken
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.writes import PlanRef
from camillo_server.storage.jobs.board import JobId, JobState

from tests.cases import each_case
from tests.unit.rpc.records import ADA, BOB

BINDING = tokens.query_binding("x")
OTHER = tokens.query_binding("y")
PLAN = PlanRef(datetime(2026, 11, 22, 3, 4, 5, 678901, tzinfo=UTC), bytes(range(32)))
PRUNE = service.PruneRequest
TEA = service.LifecycleSelector(tags_any=["茶", "tea"])
ACME = TenantId("acme")


def test_a_plan_comes_back() -> None:
    token = page_tokens.plan_token(BINDING, PLAN)
    assert page_tokens.read_plan_token(BINDING, token) == PLAN
    assert page_tokens.read_plan_token(BINDING, "") is None
    early = PlanRef(datetime(1, 1, 1, tzinfo=UTC) + timedelta(days=1), PLAN.digest)
    token = page_tokens.plan_token(BINDING, early)
    assert page_tokens.read_plan_token(BINDING, token) == early


@each_case(
    "text",
    [
        *("", "1", "1 ", "x 00", "1 0g" * 16, f"1 {'0' * 31}", f"1 {'0' * 30}", "1" * 19 + " " + "0" * 64),
        *(f"1  {'0' * 64}", f"१ {'0' * 64}", f"1 {'A' * 64}", f"1 {'0' * 64}\n", f"1 {'0' * 130}"),
        f"999999999999999999 {'0' * 64}",
    ],
)
def test_a_forged_plan_is_refused(text: str) -> None:
    good = tokens.text_page_token(BINDING, f"1 {'0' * 64}")
    assert page_tokens.read_plan_token(BINDING, good) is not None
    with pytest.raises(InvalidField, match="plan_token"):
        page_tokens.read_plan_token(BINDING, tokens.text_page_token(BINDING, text))


@pytest.mark.parametrize("token", ["x", "AAAA", "漢", "=", "a" * 600])
def test_what_is_no_token_is_no_plan(token: str) -> None:
    with pytest.raises(InvalidField, match="plan_token"):
        page_tokens.read_plan_token(BINDING, token)


def test_a_plan_of_another_request_is_refused() -> None:
    token = page_tokens.plan_token(BINDING, PLAN)
    with pytest.raises(InvalidField, match="of the same request"):
        page_tokens.read_plan_token(OTHER, token)


def test_a_plan_is_bound_to_the_pass_the_scope_and_the_selector() -> None:
    bound = page_tokens.plan_binding(PRUNE(selector=TEA), ADA)
    same = PRUNE(selector=TEA, agent_id="ada", request_id="r", dry_run=True)
    same.plan_token = page_tokens.plan_token(bound, PLAN)
    assert page_tokens.plan_binding(same, ADA) == bound
    assert same.request_id == "r"
    others = [
        page_tokens.plan_binding(PRUNE(selector=TEA), BOB),
        page_tokens.plan_binding(service.ArchiveRequest(selector=TEA), ADA),
        page_tokens.plan_binding(service.RunMaintenanceRequest(), ADA),
        page_tokens.plan_binding(PRUNE(selector=service.LifecycleSelector(tags_all=TEA.tags_any)), ADA),
    ]
    assert len({bound, *others}) == 5


@pytest.mark.parametrize("agent_id", ["", "=", "ada", "z" * 128])
def test_the_place_among_scopes_comes_back(agent_id: str) -> None:
    token = messages.agent_token(BINDING, AgentId(agent_id))
    assert token
    assert messages.read_agent_token(BINDING, token) == agent_id
    assert messages.read_agent_token(BINDING, "") is None
    with pytest.raises(InvalidPageToken):
        messages.read_agent_token(OTHER, token)
    with pytest.raises(InvalidPageToken):
        messages.read_agent_token(BINDING, tokens.text_page_token(BINDING, "ada"))


def test_the_place_among_jobs_belongs_to_a_tenant_and_a_state() -> None:
    bindings = {
        messages.jobs_binding(ACME, None),
        messages.jobs_binding(ACME, JobState.DEAD),
        messages.jobs_binding(TenantId("rival"), None),
    }
    assert len(bindings) == 3
    token = tokens.text_page_token(BINDING, "42")
    assert messages.read_job_token(BINDING, token) == JobId(42)
    assert messages.read_job_token(BINDING, "") is None
    with pytest.raises(InvalidPageToken):
        messages.read_job_token(OTHER, token)


def test_a_span_said_again_is_of_the_same_plan() -> None:
    first, again = PRUNE(selector=TEA), PRUNE(selector=TEA)
    first.selector.unused_since.FromSeconds(1)
    again.selector.unused_since.FromSeconds(6)
    again.selector.created_before.FromSeconds(6)
    other = PRUNE(selector=service.LifecycleSelector(tags_any=["茶"]))
    one, two, three = (page_tokens.plan_binding(messages.undated(each), ADA) for each in (first, again, other))
    assert one == two != three
