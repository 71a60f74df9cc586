"""The methods of MCP for one caller: each takes and answers plain values, whatever carries them."""

from functools import partial
from importlib import import_module
from typing import Any

from google.protobuf.message import DecodeError

from camillo_server.doors.gateway.mcp import resources
from camillo_server.doors.gateway.mcp.arguments import read_arguments
from camillo_server.doors.gateway.mcp.calls import MemoryCallFailed, MemoryCalls, failure_line
from camillo_server.doors.gateway.mcp.json_rpc import INVALID_PARAMS, Refused
from camillo_server.doors.gateway.mcp.offers import tools_of
from camillo_server.doors.gateway.mcp.tool import ToolAnswer, ToolDefinition, ToolFunction, ToolRefused
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop

# The protocol's INVALID_PARAMS is also the code for a resource that is not there, since 2026-07-28.
UNAVAILABLE = -32000


class McpService:
    """One caller's tools, resources and prompts."""

    def __init__(self, calls: MemoryCalls, profile: str, arguments: Any = None) -> None:
        """`arguments`: large ones of the one tool that is called, in place of those that come with the call."""
        self.profile = profile
        self.calls = calls
        self._arguments = arguments

    async def call_tool(self, name: str, arguments: Any) -> dict[str, Any]:
        """The answer of a tool; a failure that the model can act on is one too. Raises Refused."""
        tool = tools_of(self.profile).get(name)
        if tool is None:
            known = ", ".join(tools_of(self.profile))
            raise Refused(INVALID_PARAMS, f"there is no tool {name[:80]!r}; there are {known}")
        try:
            if self._arguments is None:
                given = read_arguments(tool, arguments)
            else:
                given = await off_loop(UNBOUNDED, partial(read_arguments, tool, self._arguments))
            answer = await _function(tool)(self.calls, given.values)
        except ToolRefused as error:
            return _failed(str(error))
        except MemoryCallFailed as error:
            return _failed(failure_line(error))
        except (ValueError, OverflowError, RecursionError, DecodeError):
            # Raised where messages are made of the arguments: a number out of range, a lone surrogate, JSON too deep.
            return _failed("INVALID_ARGUMENTS: a value is out of range, no valid text, or too deep")
        return _answered(tool, answer, given.note(tool))

    async def list_resources(self) -> dict[str, Any]:
        """The bundles that can be read; templates name the rest. Raises Refused."""
        try:
            return await resources.recipes_listed(self.calls)
        except MemoryCallFailed as error:
            raise Refused(UNAVAILABLE, failure_line(error)) from None

    async def read_resource(self, uri: str) -> dict[str, Any]:
        """The contents at an address. Raises Refused."""
        try:
            return await resources.read_resource(self.calls, uri)
        except ValueError:
            raise Refused(INVALID_PARAMS, f"there is no resource {uri[:200]!r}") from None
        except ToolRefused as error:
            raise Refused(INVALID_PARAMS, str(error)) from None
        except MemoryCallFailed as error:
            code = INVALID_PARAMS if error.code in ("NOT_FOUND", "INVALID_ARGUMENT") else UNAVAILABLE
            raise Refused(code, failure_line(error)) from None

    async def get_prompt(self, name: str, arguments: Any) -> dict[str, Any]:
        """The messages of a prompt. Raises Refused."""
        given = arguments if isinstance(arguments, dict) else {}
        texts = {key: value for key, value in given.items() if isinstance(value, str)}
        try:
            return await resources.prompt(self.calls, name, texts)
        except ValueError as error:
            raise Refused(INVALID_PARAMS, str(error)) from None
        except MemoryCallFailed as error:
            raise Refused(UNAVAILABLE, failure_line(error)) from None


def _function(tool: ToolDefinition) -> ToolFunction:
    module, _, name = tool.answered_by.partition(":")
    function: ToolFunction = getattr(import_module(f"{__package__}.{module}"), name)
    return function


def _answered(tool: ToolDefinition, answer: ToolAnswer, note: str) -> dict[str, Any]:
    items = [{"type": "text", "text": text} for text in (answer.text, note) if text]
    result: dict[str, Any] = {"content": items, "isError": False}
    if tool.output is not None:
        result["structuredContent"] = dict(answer.structured)
    return result


def _failed(message: str) -> dict[str, Any]:
    return {"content": [{"type": "text", "text": message}], "isError": True}
