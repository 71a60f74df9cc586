"""Sums of tokens and prices as messages of the contract."""

import json
from collections.abc import Sequence
from datetime import UTC, date, datetime, time

from camillo.v1 import space_pb2 as pb
from camillo.v1 import space_service_pb2 as service

from camillo_server.across.lifecycle.messages import check_all_scopes
from camillo_server.doors.rpc import tokens
from camillo_server.doors.rpc.field_limits import rule
from camillo_server.doors.rpc.fields import time_of
from camillo_server.doors.rpc.validate import Checks
from camillo_server.kernel.errors import InvalidPageToken
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.models.embedding.spend import Spent
from camillo_server.storage.token_usage import DIMENSIONS, TokenSum, UsageGroup, UsageQuery

rule(service.ListTokenUsageRequest)(check_all_scopes)


@rule(service.ListTokenUsageRequest)
def check_days(request: service.ListTokenUsageRequest, path: str, checks: Checks) -> None:
    """No day lies after the last one."""
    has_both = request.HasField("since") and request.HasField("until")
    if has_both and request.until.seconds < request.since.seconds:
        checks.fail("until", "must not be before since")


def query_of(request: service.ListTokenUsageRequest, tenant_id: TenantId, agent_id: AgentId | None) -> UsageQuery:
    since, until = time_of(request, "since"), time_of(request, "until")
    return UsageQuery(
        tenant_id,
        agent_id,
        since.astimezone(UTC).date() if since else date.min,
        until.astimezone(UTC).date() if until else date.max,
        frozenset(DIMENSIONS[each - 1] for each in request.group_by),
        request.operation,
        request.model_id,
    )


def binding_of(request: service.ListTokenUsageRequest, tenant_id: TenantId, agent_id: AgentId | None) -> bytes:
    """All that the token of a page depends on."""
    asked = service.ListTokenUsageRequest()
    asked.CopyFrom(request)
    for name in ("page_size", "page_token", "agent_id"):
        asked.ClearField(name)
    scope = "*" if agent_id is None else agent_id
    return tokens.query_binding("ListTokenUsage", tenant_id, scope, asked.SerializeToString(deterministic=True))


def read_token(binding: bytes, token: str) -> UsageGroup | None:
    """The last group of the page before, from a client's token. Raises InvalidPageToken."""
    text = tokens.read_text_page_token(binding, token)
    if text is None:
        return None
    try:
        day, *names = json.loads(text)
        return UsageGroup(date.fromisoformat(day), *map(str, names))
    except (ValueError, TypeError):
        raise InvalidPageToken("is not a page token of this service") from None


def response_of(
    found: Sequence[TokenSum], size: int, query: UsageQuery, binding: bytes, spent: Spent | None
) -> service.ListTokenUsageResponse:
    """A page of what was found, which is one more where another page follows."""
    token = ""
    if len(found) > size:
        day, *names = found[size - 1].group
        token = tokens.text_page_token(binding, json.dumps([day.isoformat(), *names]))
    return service.ListTokenUsageResponse(
        usages=[_usage_message(each, has_day="day" in query.group_by) for each in found[:size]],
        next_page_token=token,
        budget=_budget_message(spent) if spent else None,
    )


def _usage_message(found: TokenSum, *, has_day: bool) -> pb.TokenUsage:
    group = found.group
    return pb.TokenUsage(
        day=datetime.combine(group.day, time(), UTC) if has_day else None,
        agent_id=group.agent_id,
        operation=group.operation,
        model_id=group.model_id,
        door=group.door,
        requests=found.requests,
        input_tokens=found.input_tokens,
        output_tokens=found.output_tokens,
        nano_usd=found.nano_usd,
    )


def _budget_message(spent: Spent) -> pb.ModelBudget:
    return pb.ModelBudget(
        is_monthly=spent.limit.period == "month",
        max_nano_usd=spent.limit.nano_usd,
        max_tokens=spent.limit.tokens,
        nano_usd=spent.nano_usd,
        tokens=spent.tokens,
    )
