"""A memory store of Strands Agents over Camillo."""

from camillo_strands.store import CamilloMemoryStore as CamilloMemoryStore

__all__ = ["CamilloMemoryStore"]
