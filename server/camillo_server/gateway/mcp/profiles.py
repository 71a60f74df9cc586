"""Which tools a client sees: a profile, chosen by the URL or the configuration of the client."""

from collections.abc import Mapping
from functools import cache

from camillo_server.gateway.mcp import standard_tools as standard
from camillo_server.gateway.mcp.admin_definitions import ADMIN
from camillo_server.gateway.mcp.chatgpt_definitions import CHATGPT
from camillo_server.gateway.mcp.design_definitions import DESIGNS
from camillo_server.gateway.mcp.tool import ToolDefinition

DEFAULT_PROFILE = "standard"
PROFILES: Mapping[str, tuple[ToolDefinition, ...]] = {
    "minimal": standard.MINIMAL,
    "standard": standard.STANDARD,
    "chatgpt": (*standard.STANDARD, *CHATGPT),
    "designs": DESIGNS,
    "admin": (*standard.STANDARD, *ADMIN),
}


@cache
def tools_of(profile: str) -> Mapping[str, ToolDefinition]:
    """The tools of a profile by name. KeyError for an unknown profile."""
    return {tool.name: tool for tool in PROFILES[profile]}
