"""The two tools that ChatGPT's connectors call; their arguments and the form of their answers are given."""

from camillo_server.gateway.mcp.tool import ToolDefinition, text

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
