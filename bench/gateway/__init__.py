"""What calls by HTTP and MCP cost, and hooks."""
