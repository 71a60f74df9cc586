"""Which bundle is asked for."""

from typing import Any

from camillo.v1 import context_pb2 as pb
from camillo.v1 import snapshot_service_pb2 as service

from camillo_server.domain.context.build_bundle import BundleAsked, Turn
from camillo_server.rpc.call import Call
from camillo_server.rpc.field_values import channel_of, distinct, time_of
from camillo_server.rpc.recall_convert import demanded_freshness

SNAPSHOT_RECIPE = "run_snapshot"
BUNDLE_RECIPE = "active_context"
WORKING_MEMORY_RECIPE = "working_memory"


def snapshot_asked(request: service.BuildSnapshotRequest, call: Call) -> BundleAsked:
    """Looks for what started the run, and for what it should look at. Raises InvalidField, RevisionUnknown."""
    trigger, focus = request.trigger_event, request.focus
    return BundleAsked(
        recipe=SNAPSHOT_RECIPE,
        query=f"{trigger}\n{focus}" if focus else trigger,
        session_id=request.session_id,
        **_shared(request, call),
    )


def bundle_asked(request: service.BuildBundleRequest, call: Call) -> BundleAsked:
    """Raises InvalidField, RevisionUnknown."""
    return BundleAsked(
        recipe=request.recipe or BUNDLE_RECIPE,
        session_id=request.session_id,
        intent=request.intent,
        query=request.query_text,
        **_shared(request, call),
    )


def working_memory_asked(request: service.BuildWorkingMemoryRequest, call: Call) -> BundleAsked:
    """Raises InvalidField, RevisionUnknown."""
    return BundleAsked(
        recipe=WORKING_MEMORY_RECIPE,
        query=request.query_text,
        given_text=request.system_prompt,
        given_turns=tuple(map(_turn, request.turns)),
        **_shared(request, call),
    )


def _shared(request: Any, call: Call) -> dict[str, Any]:
    """What every request for a bundle has."""
    return {
        "scope": call.scope,
        "channel": channel_of(request.channel),
        # None where the recipe says it; 0 is no budget at all.
        "max_tokens": request.max_tokens if request.HasField("max_tokens") else None,
        "freshness": demanded_freshness(request.freshness, call),
        "as_of": time_of(request, "as_of"),
        "explain": request.explain,
    }


def _turn(message: pb.Turn) -> Turn:
    return Turn(speaker=message.speaker, text=message.text, refs=distinct(message.refs))
