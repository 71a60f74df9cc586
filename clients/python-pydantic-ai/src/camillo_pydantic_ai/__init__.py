"""Pydantic AI over Camillo: a store of conversations, and a capability that remembers and recalls."""

from camillo_pydantic_ai.conversations import CamilloConversationStore as CamilloConversationStore
from camillo_pydantic_ai.memory import CamilloMemory as CamilloMemory

__all__ = ["CamilloConversationStore", "CamilloMemory"]
