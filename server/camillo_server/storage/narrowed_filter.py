"""Filters that a channel has narrowed."""

from camillo_server.domain.memory import MemoryFilter


def is_narrowed(wanted: MemoryFilter) -> bool:
    """A channel hides rows from it (domain/channel.py), so that no count and no score may tell of what does not pass."""
    # A channel that may load nothing leaves no source.
    return bool(wanted.sensitivities or wanted.hidden_kinds or not wanted.sources)
