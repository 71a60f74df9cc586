"""Messages of MCP by HTTP, and what a list of tools costs a context."""

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from camillo_server.lib.text.exact_tokens import VOCABULARIES, ExactCounter

MCP_HEADERS = "content-type: application/json\r\naccept: application/json, text/event-stream\r\n"
# A file of the vocabulary o200k_base, under its name in the package litellm.
VOCABULARY = "fb374d419588a4632f3f557e76b4b70aebbca790"


def message(method: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """A request of the protocol without a handshake."""
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": dict(params)}


def tool_call(name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """A call of a tool."""
    return message("tools/call", {"name": name, "arguments": dict(arguments)})


def o200k_counter() -> ExactCounter:
    """Counts by the vocabulary o200k_base, which the development dependency litellm brings."""
    spec = find_spec("litellm")
    assert spec is not None
    assert spec.origin is not None
    folder = Path(spec.origin).parent / "litellm_core_utils" / "tokenizers"
    return ExactCounter(VOCABULARIES["o200k_base"], folder / VOCABULARY)
