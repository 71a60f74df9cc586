"""When calls come, so that a server that stops knows when they have ceased to."""

import asyncio

# Nobody comes any more when so many looks in a row have seen nobody. Callers that come back at once are not waited for longer
# than all looks take.
LOOK_SECONDS = 0.02
QUIET_LOOKS = 5
LONGEST_LOOKS = 50


class Arrivals:
    """How many calls have come."""

    def __init__(self) -> None:
        self.count = 0

    async def ceased(self) -> None:
        """Returns when callers have heard that they are refused.

        gRPC holds calls that it has not handed over yet, and answers them CANCELLED at its stop, without a reason. It has no way
        to say "no more, and those to me": so each is refused by us, until none is left.
        """
        quiet = 0
        for _ in range(LONGEST_LOOKS):
            seen = self.count
            await asyncio.sleep(LOOK_SECONDS)
            quiet = quiet + 1 if seen == self.count else 0
            if quiet == QUIET_LOOKS:
                return
