"""Which bundle is asked for."""

from typing import Any

from camillo.v1 import context_pb2 as pb
from camillo.v1 import snapshot_service_pb2 as service

from camillo_server.domain.context.build_bundle import BundleAsked, Turn
from camillo_server.rpc import context_fields as fields
from camillo_server.rpc import convert, limits
from camillo_server.rpc.artifact_requests import channel_of
from camillo_server.rpc.caller import scope_of
from camillo_server.rpc.recall_convert import demanded_freshness
from camillo_server.rpc.tokens import RevisionTokens
from camillo_server.rpc.validate import Checks

SNAPSHOT_RECIPE = "run_snapshot"
BUNDLE_RECIPE = "active_context"
WORKING_MEMORY_RECIPE = "working_memory"


class BundleRequests:
    """Reads requests for bundles. Every method raises InvalidField, ScopeForbidden, RevisionUnknown."""

    def __init__(self, revisions: RevisionTokens) -> None:
        self._revisions = revisions

    def snapshot(self, request: service.BuildSnapshotRequest) -> BundleAsked:
        """Looks for what started the run, and for what it should look at."""
        checks = Checks()
        trigger = checks.text("trigger_event", request.trigger_event, 1, limits.QUERY_CHARACTERS)
        focus = checks.text("focus", request.focus, 0, limits.FOCUS_CHARACTERS)
        shared = self._shared(request, checks)
        session_id = convert.session_id(request.session_id, checks, "session_id")
        checks.done()
        return BundleAsked(
            recipe=SNAPSHOT_RECIPE,
            query=f"{trigger}\n{focus}" if focus else trigger,
            session_id=session_id,
            **shared,
        )

    def bundle(self, request: service.BuildBundleRequest) -> BundleAsked:
        checks = Checks()
        asked = BundleAsked(
            recipe=fields.short_name(request.recipe or BUNDLE_RECIPE, checks, "recipe"),
            session_id=convert.session_id(request.session_id, checks, "session_id"),
            intent=checks.text("intent", request.intent, 0, limits.INTENT_CHARACTERS),
            query=_query(request, checks),
            **self._shared(request, checks),
        )
        checks.done()
        return asked

    def working_memory(self, request: service.BuildWorkingMemoryRequest) -> BundleAsked:
        checks = Checks()
        turns = _turns(request, checks)
        asked = BundleAsked(
            recipe=WORKING_MEMORY_RECIPE,
            query=_query(request, checks),
            given_text=checks.text(
                "system_prompt", request.system_prompt, 0, limits.SYSTEM_PROMPT_CHARACTERS
            ),
            given_turns=turns,
            **self._shared(request, checks),
        )
        checks.done()
        return asked

    def _shared(self, request: Any, checks: Checks) -> dict[str, Any]:
        """What every request for a bundle has."""
        scope = scope_of(request, checks)
        return {
            "scope": scope,
            "channel": channel_of(request.channel, checks, "channel"),
            "max_tokens": _max_tokens(request, checks),
            "freshness": demanded_freshness(request.freshness, scope, self._revisions),
            "as_of": checks.moment("as_of", request.as_of) if request.HasField("as_of") else None,
            "explain": request.explain,
        }


def _max_tokens(request: Any, checks: Checks) -> int | None:
    """None where the recipe says it; 0 is no budget at all."""
    if not request.HasField("max_tokens"):
        return None
    return checks.whole("max_tokens", request.max_tokens, 1, limits.BUNDLE_TOKENS)


def _query(request: Any, checks: Checks) -> str:
    return checks.text("query_text", request.query_text, 0, limits.QUERY_CHARACTERS)


def _turns(request: service.BuildWorkingMemoryRequest, checks: Checks) -> tuple[Turn, ...]:
    if len(request.turns) > limits.TURNS:
        checks.fail("turns", f"must have at most {limits.TURNS} values, has {len(request.turns)}")
        return ()
    return tuple(_turn(turn, checks, f"turns[{i}]") for i, turn in enumerate(request.turns))


def _turn(message: pb.Turn, checks: Checks, path: str) -> Turn:
    return Turn(
        speaker=checks.text(f"{path}.speaker", message.speaker, 1, limits.SPEAKER_CHARACTERS),
        text=checks.text(f"{path}.text", message.text, 1, limits.TURN_CHARACTERS),
        refs=fields.refs(message.refs, checks, f"{path}.refs"),
    )
