"""The cost of calls by HTTP and MCP, and of hooks."""
