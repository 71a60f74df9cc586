"""Additional context for the model: a bundle for a prompt, what is recent for the start of a session."""

import os
import time
from collections.abc import Mapping

from camillo_server.gateway.mcp.fences import fenced, strip_fences
from camillo_server.hooks.clients import SESSION_START, context_output
from camillo_server.hooks.endpoint import Endpoint
from camillo_server.hooks.http_call import post
from camillo_server.hooks.payload import HookPayload

# Clients show 10,000 characters of a hook's output at most; longer ones become files that nobody reads.
DEFAULT_MAX_TOKENS = 2000
# From when this was imported. The whole process has 150 ms, of which Python's start takes a third.
DEFAULT_DEADLINE_MS = 100
STARTED_SECONDS = time.monotonic()
# A longer prompt is pasted material: its beginning says what is wanted.
QUERY_CHARACTERS = 4000
AFTER_COMPACTION = "compact"


def injected(
    client: str, event: str, payload: HookPayload, endpoint: Endpoint, environ: Mapping[str, str]
) -> dict[str, object] | None:
    """What to print for the client; None where nothing is recalled. Raises ServerAway, CallRefused and HookError."""
    path, request = _call(client, event, payload, environ)
    request["maxTokens"] = _number(environ, "CAMILLO_HOOK_MAX_TOKENS", DEFAULT_MAX_TOKENS)
    # Nobody waits for a write of another replica at a prompt.
    request["freshness"] = {"minimizeLatency": True}
    milliseconds = _number(environ, "CAMILLO_HOOK_DEADLINE_MS", DEFAULT_DEADLINE_MS)
    used_seconds = time.monotonic() - STARTED_SECONDS
    answer = post(endpoint, path, request, milliseconds / 1000 - used_seconds)
    bundle = answer.get("bundle")
    prompt = bundle.get("prompt") if isinstance(bundle, dict) else None
    if not isinstance(prompt, str) or not prompt.strip():
        return None
    return context_output(client, event, fenced(prompt))


def _call(
    client: str, event: str, payload: HookPayload, environ: Mapping[str, str]
) -> tuple[str, dict[str, object]]:
    if event == SESSION_START:
        if payload.text("source") == AFTER_COMPACTION:
            # The model has just lost its conversation: its recent turns come back.
            return "/v1/context:bundle", {"sessionId": payload.session_id, "intent": "hook"}
        project = os.path.basename(payload.directory.rstrip("/\\"))
        trigger = f"A session of {client} starts in the project {project}".rstrip()
        return "/v1/context:snapshot", {"triggerEvent": trigger}
    # Without the session: its turns are before the model already.
    query = strip_fences(payload.text("prompt")).strip()[:QUERY_CHARACTERS]
    recipe = environ.get("CAMILLO_HOOK_RECIPE", "").strip()
    return "/v1/context:bundle", {"queryText": query, "intent": "hook", "recipe": recipe}


def _number(environ: Mapping[str, str], name: str, default: int) -> int:
    stated = environ.get(name, "").strip()
    return int(stated) if stated.isdecimal() and int(stated) > 0 else default
