"""Collection: artifacts that have expired, uploads that nobody finished, bytes that nobody can reach."""

from dataclasses import fields
from datetime import timedelta

from camillo_server.domain.artifact_ports import Collected, Collector
from camillo_server.domain.clock import Clock


class CollectArtifacts:
    """Goes through every tenant. Harmless to run twice, or in several processes at once."""

    def __init__(
        self, collector: Collector, clock: Clock, retention: timedelta | None = None
    ) -> None:
        """With `retention`, artifacts that are older and not pinned have expired."""
        self._collector = collector
        self._clock = clock
        self._retention = retention

    async def __call__(self) -> Collected:
        """What it came to in all tenants. Raises StorageUnavailable, BytesUnavailable."""
        total = Collected()
        now = self._clock.now()
        for tenant_id in await self._collector.tenants():
            retention_from = None if self._retention is None else now - self._retention
            collected = await self._collector.collect(
                tenant_id, retention_from=retention_from, now=now
            )
            total = _sum(total, collected)
        return total


def _sum(one: Collected, other: Collected) -> Collected:
    names = [field.name for field in fields(Collected)]
    return Collected(**{name: getattr(one, name) + getattr(other, name) for name in names})
