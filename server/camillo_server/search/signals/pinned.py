"""Pinned: a memory that somebody has pinned comes before another that answers about equally well."""

from operator import attrgetter

from camillo_server.search.signals.order import OrderSignal

PINNED = OrderSignal("pinned", attrgetter("pool.pinned"), boost=0.05, explain=None)
