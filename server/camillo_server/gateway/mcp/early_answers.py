"""What a client asks first, answered before the SDK and the server are there: who this is, and what it offers. The SDK would answer the
same, over a second later; a test compares them."""

from collections.abc import Callable, Mapping
from typing import Any

from camillo_server.gateway.mcp import offers

MODERN_VERSIONS = ("2026-07-28",)
# Of the handshake; those before leave fields out of tools, which the SDK knows.
HANDSHAKE_VERSIONS = ("2025-11-25", "2025-06-18")
_META = "io.modelcontextprotocol/"
_LIST_MILLISECONDS = 3_600_000

Message = Mapping[str, Any]


class EarlyAnswers:
    """Answers of one connection over standard input."""

    def __init__(self, profile: str) -> None:
        self._profile = profile
        # Of the handshake, once it is agreed upon.
        self._version = ""
        self._lists: Mapping[str, Callable[[], dict[str, Any]]] = {
            "tools/list": lambda: offers.tools_listed(profile),
            "prompts/list": offers.prompts_listed,
            "resources/templates/list": offers.templates_listed,
        }

    def answer(self, message: Any) -> dict[str, Any] | None:
        """The result of a request; None where the SDK has to answer."""
        if not isinstance(message, dict) or not isinstance(message.get("id"), str | int):
            return None
        method, params = message.get("method"), message.get("params") or {}
        if not isinstance(method, str) or not isinstance(params, dict):
            return None
        if method == "initialize":
            return self._initialize(params)
        if _is_modern(params):
            return self._modern(method)
        if self._version and method in self._lists:
            return self._lists[method]()
        return None

    def _initialize(self, params: Message) -> dict[str, Any] | None:
        version = params.get("protocolVersion")
        is_whole = "clientInfo" in params and isinstance(params.get("capabilities"), dict)
        if version not in HANDSHAKE_VERSIONS or not is_whole:
            return None
        self._version = version
        return {
            "protocolVersion": version,
            "capabilities": _capabilities(follows_changes=False),
            "serverInfo": _server_info(),
            "instructions": offers.instructions(self._profile),
        }

    def _modern(self, method: str) -> dict[str, Any] | None:
        if method == "server/discover":
            result = {
                "supportedVersions": list(MODERN_VERSIONS),
                "capabilities": _capabilities(follows_changes=True),
                "instructions": offers.instructions(self._profile),
                "ttlMs": 0,
                "cacheScope": "private",
            }
        elif method in self._lists:
            hints = {"ttlMs": _LIST_MILLISECONDS, "cacheScope": "private"}
            result = {**self._lists[method](), **hints}
        else:
            return None
        meta = {f"{_META}serverInfo": _server_info()}
        return {**result, "resultType": "complete", "_meta": meta}


def _is_modern(params: Message) -> bool:
    meta = params.get("_meta")
    if not isinstance(meta, dict) or "cursor" in params:
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
