"""Answers to the requests of MCP without its SDK, whose import takes longer than all of them: who this is, what it
offers, and calls. Whatever else the protocol has is left to the SDK. A test holds these answers against the SDK's
own."""

import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING, Any

from camillo_server.doors.gateway.mcp import offers
from camillo_server.doors.gateway.mcp.json_rpc import (
    INTERNAL,
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    Refused,
)

if TYPE_CHECKING:
    from camillo_server.doors.gateway.mcp.service import McpService

LOG = logging.getLogger(__name__)
MODERN_VERSIONS = ("2026-07-28",)
# With a handshake. A client of another version is offered the newest, which it may leave.
HANDSHAKE_VERSIONS = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
_META = "io.modelcontextprotocol/"
_LIST_MILLISECONDS = 3_600_000
_CACHED = frozenset({"tools/list", "prompts/list", "resources/templates/list"})
_UNCACHED = frozenset({"resources/list", "resources/read"})

Message = Mapping[str, Any]


class DirectAnswers:
    """Answers of one connection. `service` is asked for with the first call that needs a server of memories."""

    def __init__(self, profile: str, service: Callable[[], Awaitable["McpService"]]) -> None:
        self._profile = profile
        self._service = service
        self._lists: Mapping[str, Callable[[], dict[str, Any]]] = {
            "tools/list": lambda: offers.tools_listed(profile),
            "prompts/list": offers.prompts_listed,
            "resources/templates/list": offers.templates_listed,
        }

    def is_for_sdk(self, message: Message) -> bool:
        """Whether only the SDK knows the answer: streams, and revisions of the protocol that are unknown here."""
        if message.get("method") == "subscriptions/listen":
            return True
        params = message.get("params")
        meta = params.get("_meta") if isinstance(params, dict) else None
        return isinstance(meta, dict) and f"{_META}protocolVersion" in meta and not _is_modern(params)

    async def result(self, message: Message) -> dict[str, Any]:
        """The result of a request. Raises Refused."""
        method, params = message.get("method"), message.get("params")
        if message.get("jsonrpc") != "2.0" or not isinstance(method, str):
            raise Refused(INVALID_REQUEST, 'a request has "jsonrpc": "2.0" and a method')
        if params is not None and not isinstance(params, dict):
            raise Refused(INVALID_PARAMS, "params must be an object")
        params = params or {}
        if not _is_modern(params):
            return await self._of_handshake(method, params)
        answer = await self._of_modern(method, params)
        meta = {f"{_META}serverInfo": _server_info()}
        return {**answer, "resultType": "complete", "_meta": meta}

    async def _of_handshake(self, method: str, params: Message) -> dict[str, Any]:
        if method == "initialize":
            version = params.get("protocolVersion")
            return {
                "protocolVersion": version if version in HANDSHAKE_VERSIONS else HANDSHAKE_VERSIONS[0],
                "capabilities": _capabilities(follows_changes=False),
                "serverInfo": _server_info(),
                "instructions": offers.instructions(self._profile),
            }
        if method == "ping":
            return {}
        return await self._common(method, params)

    async def _of_modern(self, method: str, params: Message) -> dict[str, Any]:
        if method == "server/discover":
            return {
                "supportedVersions": list(MODERN_VERSIONS),
                "capabilities": _capabilities(follows_changes=True),
                "instructions": offers.instructions(self._profile),
                "ttlMs": 0,
                "cacheScope": "private",
            }
        answer = await self._common(method, params)
        if method in _CACHED:
            return {**answer, "ttlMs": _LIST_MILLISECONDS, "cacheScope": "private"}
        return {**answer, "ttlMs": 0, "cacheScope": "private"} if method in _UNCACHED else answer

    async def _common(self, method: str, params: Message) -> dict[str, Any]:
        if method in self._lists:
            return self._lists[method]()
        if method not in ("tools/call", "resources/list", "resources/read", "prompts/get"):
            raise Refused(METHOD_NOT_FOUND, f"there is no method {method[:80]!r}")
        try:
            return await self._asked(await self._service(), method, params)
        except Refused:
            raise
        except Exception:
            LOG.exception("a request of MCP failed")
            raise Refused(INTERNAL_ERROR, INTERNAL) from None

    async def _asked(self, service: "McpService", method: str, params: Message) -> dict[str, Any]:
        match method:
            case "tools/call":
                return await service.call_tool(_text(params, "name"), params.get("arguments"))
            case "resources/read":
                return await service.read_resource(_text(params, "uri"))
            case "prompts/get":
                return await service.get_prompt(_text(params, "name"), params.get("arguments"))
        return await service.list_resources()


def _text(params: Message, name: str) -> str:
    value = params.get(name)
    if not isinstance(value, str):
        raise Refused(INVALID_PARAMS, f"params.{name} must be a text")
    return value


def _is_modern(params: Any) -> bool:
    meta = params.get("_meta") if isinstance(params, dict) else None
    if not isinstance(meta, dict):
        return False
    is_known = meta.get(f"{_META}protocolVersion") in MODERN_VERSIONS
    return is_known and isinstance(meta.get(f"{_META}clientCapabilities"), dict)


def _capabilities(*, follows_changes: bool) -> dict[str, Any]:
    return {
        "prompts": {"listChanged": follows_changes},
        "resources": {"subscribe": follows_changes, "listChanged": follows_changes},
        "tools": {"listChanged": follows_changes},
    }


def _server_info() -> dict[str, Any]:
    return {"name": offers.NAME, "version": offers.server_version(), "title": offers.TITLE}
