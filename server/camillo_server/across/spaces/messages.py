"""Messages of SpaceService."""

import re
from collections.abc import Sequence
from dataclasses import replace

from camillo.v1 import space_pb2 as pb
from camillo.v1 import space_service_pb2 as service
from camillo.v1.forgetting_pb2 import Remainder
from camillo.v1.memory_pb2 import ForgetReceipt

from camillo_server.across.forgetting.messages import forget_receipt, receipt_message, records_of, shown_excerpts
from camillo_server.across.lifecycle.messages import agent_token, usage_message
from camillo_server.across.spaces.forget_space import ForgottenSpace, SpaceToForget
from camillo_server.across.spaces.spaces import Retention, Space, SpaceView
from camillo_server.doors.rpc.call import Call
from camillo_server.doors.rpc.field_limits import rule
from camillo_server.doors.rpc.page_tokens import check_plan, plan_binding, plan_token, read_plan_token
from camillo_server.doors.rpc.validate import Checks
from camillo_server.kernel.channel import ChannelPolicy
from camillo_server.kernel.kinds import MemoryKind
from camillo_server.kernel.scope import SHARED, Scope
from camillo_server.kernel.writes import PlanConsent, PlanRef

PREFIX = re.compile(r"@shared|[A-Za-z0-9._@|+=~-]+(?:/[A-Za-z0-9._@|+=~-]+)*/?")


@rule(service.ListSpacesRequest)
def check_prefix(request: service.ListSpacesRequest, path: str, checks: Checks) -> None:
    """A prefix that no path begins with is a mistake, and no empty list."""
    if request.prefix and not PREFIX.fullmatch(request.prefix):
        checks.fail("prefix", "must be the beginning of a path such as users/ or teams/eu, up to a slash")


@rule(service.ForgetSpaceRequest)
def check_forgetting(request: service.ForgetSpaceRequest, path: str, checks: Checks) -> None:
    """A deletion cannot be undone: the request names its object twice, and what goes elsewhere was shown."""
    if not request.dry_run and request.confirm_agent_id != request.agent_id:
        checks.fail("confirm_agent_id", "must repeat agent_id")
    if not request.also_named:
        for name in ("other_spaces", "plan_token", "excerpts"):
            if getattr(request, name) if name != "excerpts" else request.HasField(name):
                checks.fail(name, "must be absent without also_named")
    if request.HasField("excerpts") and not request.dry_run:
        checks.fail("excerpts", "must be absent without dry_run")
    if request.HasField("keep") and not removes(request):
        checks.fail("keep", "must be absent unless other records go")


rule(service.ForgetSpaceRequest)(check_plan)


def removes(request: service.ForgetSpaceRequest) -> bool:
    """Whether records of other spaces go."""
    return request.other_spaces in (service.OTHER_SPACES_REDACT_SPANS, service.OTHER_SPACES_DELETE_RECORDS)


def space_to_forget(
    request: service.ForgetSpaceRequest, call: Call, policy: ChannelPolicy, token: bytes
) -> SpaceToForget:
    """Raises InvalidField."""
    return SpaceToForget(
        names=request.also_named,
        removes=removes(request),
        redact=request.other_spaces == service.OTHER_SPACES_REDACT_SPANS,
        keep=records_of(request.keep),
        excerpts=shown_excerpts(request.excerpts, request.also_named, call, policy),
        block_values=request.block_values,
        consent=PlanConsent(read_plan_token(token, request.plan_token), 0),
    )


def names_binding(request: service.ForgetSpaceRequest, scope: Scope) -> bytes:
    """The query that a plan belongs to: the space and the names. Their treatment is chosen with the plan."""
    return plan_binding(service.ForgetSpaceRequest(also_named=request.also_named), scope)


def forgotten_response(done: ForgottenSpace, binding: bytes) -> service.ForgetSpaceResponse:
    digest = done.elsewhere.plan_digest if done.elsewhere else b""
    return service.ForgetSpaceResponse(
        receipt=receipt_message(done.receipt),
        other_spaces=_elsewhere_message(done),
        plan_token=plan_token(binding, PlanRef(done.receipt.at, digest)) if digest else "",
    )


def _elsewhere_message(done: ForgottenSpace) -> ForgetReceipt:
    if done.elsewhere is not None:
        return forget_receipt(done.elsewhere, replace(done.selection, all_scopes=True), "")
    left = Remainder(place="other_scopes", until="ForgetSpace with also_named")
    return ForgetReceipt(forgotten_at=done.receipt.at, found_nothing=True, remains=[left])


def spaces_response(found: Sequence[Space], size: int, binding: bytes) -> service.ListSpacesResponse:
    """A page of what was found, which is one more where another page follows."""
    token = agent_token(binding, found[size - 1].agent_id) if len(found) > size else ""
    return service.ListSpacesResponse(spaces=map(space_message, found[:size]), next_page_token=token)


def space_message(space: Space) -> pb.Space:
    return pb.Space(
        space=space.agent_id or SHARED,
        display_name=space.display_name,
        created_at=space.created_at,
        usage=usage_message(space.usage),
        bytes=space.nbytes,
        last_written_at=space.last_written_at,
        last_read_at=space.last_read_at,
    )


def view_response(view: SpaceView) -> service.GetSpaceResponse:
    contents = view.contents
    return service.GetSpaceResponse(
        space=space_message(view.space),
        kinds=[_kind_message(kind, contents.kinds.get(kind, 0), view.retention) for kind in MemoryKind],
        sessions=contents.sessions,
        oldest_at=contents.oldest_at,
        newest_at=contents.newest_at,
        hidden_memories_stay=view.retention.hidden_memories,
        artifacts_stay=view.retention.artifacts,
        readers=[
            pb.SpaceReader(
                key_id=each.key_id,
                description=each.description,
                role=int(each.role),  # type: ignore[arg-type]
                grant=each.grant,
            )
            for each in view.readers
        ],
        more_readers=view.more_readers,
    )


def _kind_message(kind: MemoryKind, memories: int, retention: Retention) -> pb.KindUsage:
    return pb.KindUsage(
        kind=int(kind),  # type: ignore[arg-type]
        memories=memories,
        lifetime=retention.memories.get(kind),
    )
