"""The Python client as the conformance suite drives it: a command in JSON on each line of the input, its answer on each
of the output, in order, until the input ends."""

from __future__ import annotations

import asyncio
import json
import sys
import warnings

from clients.python.conformance.commands import Commands


async def main() -> None:
    # They would tell of secrets on the standard error; answers tell of them, too.
    warnings.simplefilter("ignore")
    commands = Commands()
    # Lines may hold a text of some MiB: too long for a stream reader's default, and read in a thread anyway.
    while line := await asyncio.to_thread(sys.stdin.readline):
        answer = await commands.answer(json.loads(line))
        print(json.dumps(answer), flush=True)
    await commands.close()


if __name__ == "__main__":
    asyncio.run(main())
