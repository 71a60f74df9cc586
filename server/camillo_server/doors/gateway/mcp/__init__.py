"""The Model Context Protocol: what agents' clients call as tools."""
