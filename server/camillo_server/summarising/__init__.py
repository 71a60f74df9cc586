"""Summaries by models: the adapters behind the port `Summariser`."""
