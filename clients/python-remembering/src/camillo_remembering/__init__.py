"""Memory for a client of OpenAI or Anthropic: recalls before each call, and records after it."""

from camillo_remembering.memory import flush as flush
from camillo_remembering.wrapping import remembering as remembering

__all__ = ["flush", "remembering"]
