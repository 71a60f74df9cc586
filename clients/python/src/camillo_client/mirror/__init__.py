"""Slots as files that an agent can list, search and read with the tools it has."""
