"""Importance: as it is stored with each row, 0 to 1."""

from operator import attrgetter

from camillo_server.search.signals.order import OrderSignal

IMPORTANCE = OrderSignal("importance", attrgetter("pool.importance"), boost=0.03, boosts_from_middle=True)
