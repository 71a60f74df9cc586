"""Fleet of servers behind Envoy, as a test sees it."""

import asyncio
from dataclasses import dataclass

from tests.mesh.envoy_process import Envoy
from tests.mesh.replicas import Replica
from tests.tenant_keys import Keys

# So many that none of two replicas is without: ports and keys, by which Envoy shares them out, are random.
AGENTS = tuple(f"agent-{number}" for number in range(24))


@dataclass(frozen=True, slots=True)
class Fleet:
    """Envoy, and the servers behind it."""

    envoy: Envoy
    replicas: list[Replica]
    keys: Keys
    # The key of each agent, which is its alone.
    agents: dict[str, str]

    async def restore(self) -> None:
        """Makes all servers serve, as far as Envoy knows, too."""
        await asyncio.gather(*(replica.restore() for replica in self.replicas))
        await self.envoy.until_well(len(self.replicas))
