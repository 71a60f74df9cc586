"""Measures the processor time of telling other servers of many writes: `python -m bench.decisions.notify_pause`
(docs/adr/0077).

The server's own notifier sends the changes of some scopes, with its pause between two NOTIFYs and without one.
"""

import asyncio
import time

from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.scope import Scope
from camillo_server.storage import change_notifier
from camillo_server.storage.bounded_connection import BoundedConnection
from camillo_server.storage.change_notifier import ChangeNotifier

from bench.decisions.scratch import SCOPE, scratch_postgres
from bench.measure.timing import Rounds, taking_turns

SCOPES = [Scope(SCOPE.tenant_id, AgentId(f"agent-{number}")) for number in range(16)]
CHANGES = 1_000
SECONDS_BETWEEN = 0.002
ROUNDS = 4
PAUSES = {"no pause": 0.0, "with its pause": change_notifier.PAUSE_SECONDS}


class CountingNotifier(ChangeNotifier):
    """The server's, which counts what it sends."""

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.sent = 0
        self.first_sent = asyncio.Event()

    async def _send_next(self, connection: BoundedConnection) -> None:
        await super()._send_next(connection)
        self.sent += 1
        self.first_sent.set()


def main() -> None:
    """Prints NOTIFYs, and microseconds of this process's processor; what the changes take unsent is subtracted."""
    with scratch_postgres() as postgres:
        figures = asyncio.run(_rounds(postgres.server_url)).figures()
    print(f"{CHANGES} changes, one in {SECONDS_BETWEEN * 1000:g} ms, {ROUNDS} rounds; medians")
    for name in PAUSES:
        sent = figures[f"{name}, sent"].median
        spent = (figures[name].median - figures["unsent"].median) * 1e6
        each, change = spent / sent, spent / CHANGES
        print(f"{name:16}{sent:5.0f} NOTIFYs, {each:4.0f} us each, {change:4.0f} us for a change")


async def _rounds(url: str) -> Rounds:
    rounds = Rounds()
    for name in taking_turns(["unsent", *PAUSES], ROUNDS):
        notifier = CountingNotifier(url)
        if name == "unsent":
            rounds.add({name: await _spent(notifier)})
            continue
        change_notifier.PAUSE_SECONDS = PAUSES[name]
        publishing = asyncio.create_task(notifier.publish())
        # Until it is connected.
        notifier.notify(SCOPES[0])
        await notifier.first_sent.wait()
        before = notifier.sent
        rounds.add({name: await _spent(notifier), f"{name}, sent": notifier.sent - before})
        publishing.cancel()
        await asyncio.wait([publishing])
    change_notifier.PAUSE_SECONDS = PAUSES["with its pause"]
    return rounds


async def _spent(notifier: ChangeNotifier) -> float:
    """Seconds of the processor of this process."""
    began = time.process_time()
    for number in range(CHANGES):
        notifier.notify(SCOPES[number % len(SCOPES)])
        await asyncio.sleep(SECONDS_BETWEEN)
    return time.process_time() - began


if __name__ == "__main__":
    main()
