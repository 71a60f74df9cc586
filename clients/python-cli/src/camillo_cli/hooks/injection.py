"""Additional context for the model: a bundle for a prompt, what is recent for the start of a session."""

import os
import sys
import time
from collections.abc import Mapping

from camillo_cli.hooks.clients import SESSION_START, context_output
from camillo_cli.hooks.endpoint import Endpoint, HookError
from camillo_cli.hooks.http_call import post
from camillo_cli.hooks.payload import HookPayload
from camillo_formats.fences import fenced, strip_fences
from camillo_formats.space_routing import SHARED

# Clients show 10,000 characters of a hook's output at most; longer ones become files that nobody reads.
DEFAULT_MAX_TOKENS = 2000
# From when this was imported. A person notices a second; a busy machine needs some of it where an idle one takes 30 ms.
DEFAULT_DEADLINE_MS = 1000
STARTED_SECONDS = time.monotonic()
# A longer prompt is pasted material: its beginning or its end says what is wanted, and both are sent.
QUERY_CHARACTERS = 20_000
AFTER_COMPACTION = "compact"
# Below it a recall says that nothing matches (`no_match`).
MATCH_SCORE = 0.1


def injected(
    client: str, event: str, payload: HookPayload, endpoint: Endpoint, environ: Mapping[str, str]
) -> dict[str, object] | None:
    """The output for the client; None if nothing is recalled. Raises ServerAway, HttpRefused and HookError."""
    path, request = _call(client, event, payload, environ)
    if endpoint.person not in ("", SHARED):
        # Every bundle has what all agents share.
        request["spaces"] = [{"space": endpoint.person, "freshness": {"minimizeLatency": True}}]
    request["maxTokens"] = _number(environ, "CAMILLO_HOOK_MAX_TOKENS", DEFAULT_MAX_TOKENS)
    # Nobody waits for a write of another replica at a prompt.
    request["freshness"] = {"minimizeLatency": True}
    used_seconds = time.monotonic() - STARTED_SECONDS
    answer = post(endpoint, path, request, deadline_seconds(environ) - used_seconds)
    bundle = answer.get("bundle")
    prompt = bundle.get("prompt") if isinstance(bundle, dict) else None
    parts = [prompt.strip()] if isinstance(prompt, str) else []
    # The session began with what is in every bundle; a recipe of the person's own says itself what it wants.
    if request.get("queryText") and not request["recipe"] and not _has_match(bundle):
        return None
    if event == SESSION_START and payload.text("source") != AFTER_COMPACTION:
        parts.append(_last_session(payload, endpoint, environ))
    text = "\n\n".join(filter(None, parts))
    return context_output(client, event, fenced(text)) if text else None


def _last_session(payload: HookPayload, endpoint: Endpoint, environ: Mapping[str, str]) -> str:
    """Text about the session before; empty where there is no time left to ask."""
    from camillo_cli.hooks.last_session import last_session

    used_seconds = time.monotonic() - STARTED_SECONDS
    try:
        return last_session(endpoint, payload.session_id, deadline_seconds(environ) - used_seconds)
    except HookError as error:
        sys.stderr.write(f"camillo hook: the last session is not shown: {error}\n")
        return ""


def _call(client: str, event: str, payload: HookPayload, environ: Mapping[str, str]) -> tuple[str, dict[str, object]]:
    if event == SESSION_START:
        if payload.text("source") == AFTER_COMPACTION:
            # The model has just lost its conversation: its recent turns come back.
            return "/v1/context:bundle", {"sessionId": payload.session_id, "intent": "hook"}
        project = os.path.basename(payload.directory.rstrip("/\\"))
        trigger = f"A session of {client} starts in the project {project}".rstrip()
        return "/v1/context:snapshot", {"triggerEvent": trigger}
    # Without the session: its turns are before the model already.
    query = _both_ends(strip_fences(payload.text("prompt")).strip())
    recipe = environ.get("CAMILLO_HOOK_RECIPE", "").strip()
    return "/v1/context:bundle", {"queryText": query, "intent": "hook", "recipe": recipe}


def _both_ends(prompt: str) -> str:
    half = QUERY_CHARACTERS // 2
    return prompt if len(prompt) <= QUERY_CHARACTERS else f"{prompt[:half]}\n\n{prompt[-half:]}"


def deadline_seconds(environ: Mapping[str, str]) -> float:
    """How long a prompt waits for its context."""
    return _number(environ, "CAMILLO_HOOK_DEADLINE_MS", DEFAULT_DEADLINE_MS) / 1000


def _has_match(bundle: object) -> bool:
    """Whether the query found anything: what stands in a bundle whatever is asked has no score."""
    sections = bundle.get("sections") if isinstance(bundle, dict) else None
    items = [item for section in sections or () for item in section.get("items", ())]
    return any(float(item.get("score", 0)) >= MATCH_SCORE for item in items)


def _number(environ: Mapping[str, str], name: str, default: int) -> int:
    stated = environ.get(name, "").strip()
    return int(stated) if stated.isdecimal() and int(stated) > 0 else default
