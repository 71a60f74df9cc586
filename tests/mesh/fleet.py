"""What a test sees of a fleet."""

from dataclasses import dataclass

from tests.mesh.envoy_process import Envoy
from tests.mesh.replicas import Replica
from tests.server_fixtures import Keys

AGENTS = tuple(f"agent-{number}" for number in range(8))


@dataclass(frozen=True, slots=True)
class Fleet:
    """Envoy, and the servers behind it."""

    envoy: Envoy
    pair: list[Replica]
    third: Replica
    keys: Keys
    # The key of each agent, which is its alone.
    agents: dict[str, str]

    async def restore(self) -> None:
        """The pair serves and the third does not, as far as Envoy knows, too."""
        await self.third.kill()
        for replica in self.pair:
            if not replica.serves:
                await replica.kill()
                await replica.start()
        await self.envoy.until_well(len(self.pair))
