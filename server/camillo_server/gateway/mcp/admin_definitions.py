"""Administrative reads, for the profile `admin`; what a key may see decides the server."""

from camillo_server.gateway.mcp.tool import ToolDefinition, result, text, yes_or_no

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
