"""Providers of the Microsoft Agent Framework over Camillo: the history of sessions, and memory."""

from camillo_agent_framework.history import CamilloHistoryProvider as CamilloHistoryProvider
from camillo_agent_framework.memory import CamilloContextProvider as CamilloContextProvider

__all__ = ["CamilloContextProvider", "CamilloHistoryProvider"]
