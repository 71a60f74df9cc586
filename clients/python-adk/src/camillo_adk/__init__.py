"""Services of the Agent Development Kit (ADK) over Camillo: sessions with their state, and memory."""

from camillo_adk.memory import CamilloMemoryService as CamilloMemoryService
from camillo_adk.sessions import CamilloSessionService as CamilloSessionService

__all__ = ["CamilloMemoryService", "CamilloSessionService"]
