"""Tokens that are bound to a request (see `tokens`): of pages of lists, with the number of rows that fit in an answer;
and of plans, which a dry run gives: a call with one does exactly what was shown."""

import re
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Protocol, TypeVar

from google.protobuf.message import Message

from camillo_server.doors.rpc import tokens
from camillo_server.doors.rpc.call import names
from camillo_server.doors.rpc.validate import Checks
from camillo_server.kernel.clock import microseconds, moment
from camillo_server.kernel.errors import InvalidField, InvalidPageToken, invalid_field
from camillo_server.kernel.scope import Principal, Role, Scope
from camillo_server.kernel.writes import PlanConsent, PlanRef

# Clients take messages of 4 MiB unless they are told otherwise; an artifact with all that it may have is far shorter.
RESPONSE_BYTES = 3 * 1024 * 1024
Row = TypeVar("Row")
Answer = TypeVar("Answer", bound=Message)
Made = TypeVar("Made", bound=Message, covariant=True)


class Answers(Protocol[Made]):
    """A repeated field of messages."""

    def __len__(self) -> int: ...

    def __delitem__(self, index: int) -> None: ...

    def add(self) -> Made: ...


class PagedRequest(Protocol):
    """A request for one page of a list."""

    DESCRIPTOR: Any

    def SerializeToString(self, *, deterministic: bool = ...) -> bytes: ...  # noqa: N802

    def ClearField(self, field_name: Any) -> None: ...  # noqa: N802

    def CopyFrom(self, other: Any) -> None: ...  # noqa: N802


def list_binding(request: PagedRequest, scope: Scope) -> bytes:
    """All that the token of a list depends on: everything but the size of the page."""
    query = type(request)()
    query.CopyFrom(request)
    # The scope tells the agent, whether or not the request named it. An export has no size. A page may be as fresh as
    # it likes.
    for field in ("agent_id", "page_size", "page_token", "freshness"):
        if field in query.DESCRIPTOR.fields_by_name:
            query.ClearField(field)
    content = query.SerializeToString(deterministic=True)
    return tokens.query_binding(type(request).__name__, *names(scope), content)


def fitting(rows: Iterable[Row], message_of: Callable[[Row], Answer]) -> list[Answer]:
    """The messages of the first rows, as many as fit into an answer; at least one."""
    messages: list[Answer] = []
    room = RESPONSE_BYTES
    for row in rows:
        message = message_of(row)
        room -= message.ByteSize()
        if room < 0 and messages:
            break
        messages.append(message)
    return messages


def page_of(
    rows: Sequence[Row], size: int, message_of: Callable[[Row], Answer], token_of: Callable[[Row], str]
) -> tuple[list[Answer], str]:
    """The messages of a page, at most `size` and as many as fit into an answer, and the token of the next page, which
    begins behind the last of them; empty where none follows. `rows` hold more than `size` if more rows follow."""
    messages = fitting(rows[:size], message_of)
    return messages, token_of(rows[len(messages) - 1]) if len(messages) < len(rows) else ""


def add_fitting(
    messages: Answers[Answer],
    rows: Iterable[Row],
    fill: Callable[[Answer, Row], None],
) -> int:
    """Adds what `fitting` would return to the answer itself, which spares copies; returns the number of messages."""
    room = RESPONSE_BYTES
    for row in rows:
        message = messages.add()
        fill(message, row)
        room -= message.ByteSize()
        if room < 0 and len(messages) > 1:
            del messages[-1]
            break
    return len(messages)


# Microseconds since 1970, and the digest of the list.
PLAN = re.compile(r"(-?[0-9]{1,18}) ((?:[0-9a-f]{2}){16,64})")


def check_plan(request: Any, path: str, checks: Checks) -> None:
    """A dry run makes a plan, and carries none out."""
    if request.dry_run and request.plan_token:
        checks.fail("plan_token", "must be empty with dry_run, which makes a new one")


def plan_binding(request: Any, scope: Scope) -> bytes:
    """The query that a plan belongs to: the method, the scope, and which records."""
    query = type(request)()
    query.CopyFrom(request)
    # The scope holds the agent, whether or not the request names it.
    for field in ("agent_id", "request_id", "dry_run", "plan_token"):
        query.ClearField(field)
    # A dry run shows them beside the plan.
    if "excerpts" in query.DESCRIPTOR.fields_by_name:
        query.ClearField("excerpts")
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
