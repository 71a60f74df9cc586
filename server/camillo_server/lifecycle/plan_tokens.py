"""Tokens of LifecycleService: positions in its lists, and plans of its passes."""

import re
from typing import Any

from camillo_server.kernel.clock import microseconds, moment
from camillo_server.kernel.errors import InvalidField, InvalidPageToken, invalid_field
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.lifecycle.plan import PlanRef
from camillo_server.rpc import tokens
from camillo_server.rpc.call import names

# Microseconds since 1970, and the digest of the list.
PLAN = re.compile(r"(-?[0-9]{1,18}) ((?:[0-9a-f]{2}){16,64})")


def plan_binding(request: Any, scope: Scope) -> bytes:
    """The query that a plan belongs to: the pass, the scope, and which memories."""
    query = type(request)()
    query.CopyFrom(request)
    # The scope holds the agent, whether or not the request names it.
    for field in ("agent_id", "request_id", "dry_run", "plan_token"):
        query.ClearField(field)
    # "90 days ago" is another moment in each request; the digest of the list shows whether that matters.
    if "selector" in query.DESCRIPTOR.fields_by_name:
        for field in ("unused_since", "created_before"):
            query.selector.ClearField(field)
    content = query.SerializeToString(deterministic=True)
    return tokens.query_binding(type(request).__name__, *names(scope), content)


def plan_token(binding: bytes, plan: PlanRef) -> str:
    """The plan as clients keep it."""
    return tokens.text_page_token(binding, f"{microseconds(plan.at)} {plan.digest.hex()}")


def read_plan_token(binding: bytes, token: str) -> PlanRef | None:
    """The plan in a client's token, None for an empty one. Raises InvalidField."""
    try:
        text = tokens.read_text_page_token(binding, token)
        parts = None if text is None else PLAN.fullmatch(text)
        if text is not None and parts is None:
            raise _not_ours()
        return PlanRef(moment(int(parts[1])), bytes.fromhex(parts[2])) if parts else None
    except (InvalidPageToken, OverflowError):
        raise _not_ours() from None


def _not_ours() -> InvalidField:
    return invalid_field("plan_token", "is not of a dry run of the same request")


def agents_binding(method: str, tenant_id: TenantId) -> bytes:
    return tokens.query_binding(method, tenant_id)


def agent_token(binding: bytes, agent_id: AgentId) -> str:
    """The position behind a scope. The shared one has no name: the text begins with a character of its own."""
    return tokens.text_page_token(binding, f"={agent_id}")


def read_agent_token(binding: bytes, token: str) -> AgentId | None:
    """The position in a client's token, None for an empty one. Raises InvalidPageToken."""
    text = tokens.read_text_page_token(binding, token)
    if text is None:
        return None
    if not text.startswith("="):
        raise InvalidPageToken("is not a page token of this service")
    return AgentId(text[1:])
