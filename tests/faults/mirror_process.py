"""A mirror in a process of its own, to be killed: follows an agent's slots at an address until it is."""

import asyncio
import sys

from camillo_client import AsyncCamillo


async def follow(address: str, key: str, agent_id: str, directory: str) -> None:
    async with (
        AsyncCamillo.connect(address, key=key, agent_id=agent_id) as camillo,
        camillo.mirror(directory) as mirror,
    ):
        async for _ in mirror.follow():
            pass


if __name__ == "__main__":
    asyncio.run(follow(*sys.argv[1:]))
