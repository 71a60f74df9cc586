"""The memory tool of Anthropic's SDK over Camillo: files under `/memories` are slots of a space."""

from camillo_anthropic.memory_tool import AsyncCamilloMemoryTool as AsyncCamilloMemoryTool
from camillo_anthropic.memory_tool import CamilloMemoryTool as CamilloMemoryTool

__all__ = ["AsyncCamilloMemoryTool", "CamilloMemoryTool"]
