"""LangGraph's store and checkpointer on Camillo."""

from camillo_langgraph.checkpoint import CamilloSaver
from camillo_langgraph.store import CamilloStore

__all__ = ["CamilloSaver", "CamilloStore"]
