"""Resources by their addresses, and prompts: texts from memory, in the same fences as those of tools."""

from collections.abc import Mapping
from typing import Any

from camillo.v1.snapshot_service_pb2 import BuildBundleRequest, ListRecipesRequest
from camillo_formats.fences import fenced
from camillo_formats.rendering import printable

from camillo_server.doors.gateway.mcp.calls import MemoryCalls
from camillo_server.doors.gateway.mcp.context_tools import (
    CONTEXT_TOKENS,
    DEFAULT_SESSION,
    bundle_answer,
    context,
)
from camillo_server.doors.gateway.mcp.memory_tools import read_beside
from camillo_server.doors.gateway.mcp.read_tools import artifact_page, first_page, whole_text
from camillo_server.doors.gateway.mcp.rendering import shortened
from camillo_server.doors.gateway.mcp.tool import ARTIFACT, BUNDLE, parse, uri
from camillo_server.lib.text.memory_ref import artifact_id_of

RESOURCE_TOKENS = 8_000
SAVE_SESSION = (
    "Go through this conversation and keep what later sessions need. Call remember once for each preference, "
    "correction, decision with its "
    "reason, outcome and lesson that is not remembered yet: one statement each, clear without this conversation, with "
    "names and dates in "
    "place of 'he', 'it' or 'today'. Leave out what is obvious, what is only true for now, and every secret. Then say "
    "in one line what you kept."
)


async def recipes_listed(calls: MemoryCalls) -> dict[str, Any]:
    """The bundles that can be built, as resources."""
    recipes = (await calls.call(ListRecipesRequest())).recipes
    return {
        "resources": [
            {
                "uri": uri(BUNDLE, each.name),
                "name": each.name,
                "description": each.description,
                "mimeType": "text/plain",
            }
            for each in recipes
        ]
    }


async def read_resource(calls: MemoryCalls, address: str) -> dict[str, Any]:
    """Reads a resource as text. Raises ValueError for an address of no known form, MemoryCallFailed, ToolRefused."""
    kind, name, options = parse(address)
    if kind == BUNDLE:
        request = BuildBundleRequest(
            recipe=name,
            query_text=options.get("query", ""),
            session_id=options.get("session", DEFAULT_SESSION),
            max_tokens=RESOURCE_TOKENS,
        )
        read_beside(calls, request)
        text = bundle_answer((await calls.call(request)).bundle).text
    elif kind == ARTIFACT:
        page = first_page(RESOURCE_TOKENS)
        text = (await artifact_page(calls, artifact_id_of(name), page)).text
    else:
        text = fenced(await shortened(printable(await whole_text(calls, name)), RESOURCE_TOKENS))
    return {"contents": [{"uri": address, "mimeType": "text/plain", "text": text}]}


async def prompt(calls: MemoryCalls, name: str, arguments: Mapping[str, str]) -> dict[str, Any]:
    """The messages of a prompt. Raises ValueError for an unknown one, or without its argument; MemoryCallFailed."""
    if name == "save_session":
        return _message(SAVE_SESSION)
    if name != "recall_context":
        raise ValueError(f"there is no prompt {name[:80]!r}")
    task = arguments.get("task", "").strip()
    if not task:
        raise ValueError("the prompt recall_context needs the argument task")
    answer = await context(calls, {"query": task, "max_tokens": CONTEXT_TOKENS})
    return _message(f"{task}\n\nWhat memory holds for this:\n{answer.text}")


def _message(text: str) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": {"type": "text", "text": text}}]}
