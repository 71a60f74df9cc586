"""Hooks of the Claude Agent SDK that recall and record."""

from camillo_claude_agent.hooks import camillo_hooks as camillo_hooks

__all__ = ["camillo_hooks"]
