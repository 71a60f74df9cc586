"""The methods of MCP for one caller: each takes and answers plain values, whatever carries them."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from google.protobuf.message import DecodeError

from camillo_server.gateway.mcp import failures, resources
from camillo_server.gateway.mcp.arguments import checked
from camillo_server.gateway.mcp.calls import MemoryCallFailed, MemoryCalls
from camillo_server.gateway.mcp.profiles import tools_of
from camillo_server.gateway.mcp.tool import ToolAnswer, ToolDefinition, ToolFunction, ToolRefused

# JSON-RPC's invalid params; also the code of MCP for a resource that is not there, since 2026-07-28.
INVALID_PARAMS = -32602
UNAVAILABLE = -32000


class ProtocolRefused(Exception):
    """A request that is answered with an error of JSON-RPC."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


class McpService:
    """One caller's tools, resources and prompts."""

    def __init__(self, calls: MemoryCalls, profile: str) -> None:
        self.profile = profile
        self.calls = calls

    async def call_tool(self, name: str, arguments: Mapping[str, Any] | None) -> dict[str, Any]:
        """The answer of a tool; a failure that the model can act on is one too. Raises ProtocolRefused."""
        tool = tools_of(self.profile).get(name)
        if tool is None:
            known = ", ".join(tools_of(self.profile))
            raise ProtocolRefused(
                INVALID_PARAMS, f"there is no tool {name[:80]!r}; there are {known}"
            )
        try:
            answer = await _function(tool)(self.calls, checked(tool, arguments))
        except ToolRefused as error:
            return _failed(str(error))
        except MemoryCallFailed as error:
            return _failed(failures.failure_line(error))
        except (ValueError, OverflowError, RecursionError, DecodeError):
            # Of the messages that are made of the arguments: a number out of range, half of a character, JSON too deep.
            return _failed("INVALID_ARGUMENTS: a value is out of range, no valid text, or too deep")
        return _answered(tool, answer)

    async def list_resources(self) -> dict[str, Any]:
        """The bundles that can be read; templates name the rest. Raises ProtocolRefused."""
        try:
            return await resources.recipes_listed(self.calls)
        except MemoryCallFailed as error:
            raise ProtocolRefused(UNAVAILABLE, failures.failure_line(error)) from None

    async def read_resource(self, uri: str) -> dict[str, Any]:
        """The contents at an address. Raises ProtocolRefused."""
        try:
            return await resources.read_resource(self.calls, uri)
        except ValueError:
            raise ProtocolRefused(INVALID_PARAMS, f"there is no resource {uri[:200]!r}") from None
        except ToolRefused as error:
            raise ProtocolRefused(INVALID_PARAMS, str(error)) from None
        except MemoryCallFailed as error:
            code = (
                INVALID_PARAMS if error.code in ("NOT_FOUND", "INVALID_ARGUMENT") else UNAVAILABLE
            )
            raise ProtocolRefused(code, failures.failure_line(error)) from None

    async def get_prompt(self, name: str, arguments: Mapping[str, str] | None) -> dict[str, Any]:
        """The messages of a prompt. Raises ProtocolRefused."""
        try:
            return await resources.prompt(self.calls, name, arguments or {})
        except ValueError as error:
            raise ProtocolRefused(INVALID_PARAMS, str(error)) from None
        except MemoryCallFailed as error:
            raise ProtocolRefused(UNAVAILABLE, failures.failure_line(error)) from None


def _function(tool: ToolDefinition) -> ToolFunction:
    module, _, name = tool.answered_by.partition(":")
    function: ToolFunction = getattr(import_module(f"{__package__}.{module}"), name)
    return function


def _answered(tool: ToolDefinition, answer: ToolAnswer) -> dict[str, Any]:
    result: dict[str, Any] = {"content": [{"type": "text", "text": answer.text}], "isError": False}
    if tool.output is not None:
        result["structuredContent"] = dict(answer.structured)
    return result


def _failed(message: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": message}], "isError": True}
