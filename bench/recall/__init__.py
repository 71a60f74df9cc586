"""Recalls from memory: warm, cold, exact, fresh."""
