"""Profiles: which tools a client sees, chosen by the URL or the configuration of the client. Tools of `standard` and of
agent designs have modules of their own."""

from collections.abc import Mapping
from functools import cache

from camillo_server.doors.gateway.mcp import standard_tools as standard
from camillo_server.doors.gateway.mcp.design_definitions import DESIGNS
from camillo_server.doors.gateway.mcp.tool import ToolDefinition, result, text, yes_or_no

# The two tools that ChatGPT's connectors call; their arguments and the form of their answers are given.
SEARCH = ToolDefinition(
    name="search",
    title="Search",
    description="Search memory; fetch reads a result by its id.",
    arguments={"query": text()},
    required=("query",),
    output=None,
    answered_by="chatgpt_tools:search",
    reads_only=True,
)
FETCH = ToolDefinition(
    name="fetch",
    title="Fetch",
    description="Read a result of search by its id.",
    arguments={"id": text()},
    required=("id",),
    output=None,
    answered_by="chatgpt_tools:fetch",
    reads_only=True,
)
CHATGPT = (SEARCH, FETCH)
# Administrative reads; what a key may see decides the server.
SERVER_INFO = ToolDefinition(
    name="server_info",
    title="Server info",
    description="Who this key is, the server's version and its embedding model.",
    arguments={},
    required=(),
    output=result(text=text()),
    answered_by="admin_tools:server_info",
    reads_only=True,
)
USAGE = ToolDefinition(
    name="usage",
    title="Usage",
    description="Rows, bytes and quotas of this agent, or of every scope of the tenant.",
    arguments={"all_scopes": yes_or_no()},
    required=(),
    output=result(text=text()),
    answered_by="admin_tools:usage",
    reads_only=True,
)
SPOOL_FAILURES = ToolDefinition(
    name="spool_failures",
    title="Spool failures",
    description="Writes that were spooled while Postgres was away and could not be stored since.",
    arguments={},
    required=(),
    output=result(text=text()),
    answered_by="admin_tools:spool_failures",
    reads_only=True,
)
ADMIN = (SERVER_INFO, USAGE, SPOOL_FAILURES)
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
