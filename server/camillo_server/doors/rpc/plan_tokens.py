"""Tokens of plans: a dry run gives one, and a call with it does exactly what was shown."""

import re
from typing import Any

from camillo_server.doors.rpc import tokens
from camillo_server.doors.rpc.call import names
from camillo_server.doors.rpc.validate import Checks
from camillo_server.kernel.clock import microseconds, moment
from camillo_server.kernel.errors import InvalidField, InvalidPageToken, invalid_field
from camillo_server.kernel.plans import PlanConsent, PlanRef
from camillo_server.kernel.scope import Principal, Role, Scope

# Microseconds since 1970, and the digest of the list.
PLAN = re.compile(r"(-?[0-9]{1,18}) ((?:[0-9a-f]{2}){16,64})")


def check_plan(request: Any, path: str, checks: Checks) -> None:
    """A dry run makes a plan, and carries none out."""
    if request.dry_run and request.plan_token:
        checks.fail("plan_token", "must be empty with dry_run, which makes a new one")


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
    return tokens.text_page_token(binding, f"{microseconds(plan.at)} {plan.digest.hex()}")


def read_plan_token(binding: bytes, token: str) -> PlanRef | None:
    """The plan in a client's token, None for an empty one. Raises InvalidField."""
    try:
        text = tokens.read_text_page_token(binding, token)
        parts = None if text is None else PLAN.fullmatch(text)
        if text is not None and parts is None:
            raise _foreign_plan()
        return PlanRef(moment(int(parts[1])), bytes.fromhex(parts[2])) if parts else None
    except (InvalidPageToken, OverflowError):
        raise _foreign_plan() from None


def _foreign_plan() -> InvalidField:
    return invalid_field("plan_token", "is not of a dry run of the same request")


def plan_consent(request: Any, binding: bytes, caller: Principal, max_without_plan: int) -> PlanConsent:
    """The plan of a request, and how many records may go without one: any for an administrator. Raises InvalidField."""
    plan = read_plan_token(binding, request.plan_token)
    return PlanConsent(plan, None if caller.role >= Role.TENANT_ADMIN else max_without_plan)
