"""Measures the time to find the terms of a scope again: `python -m bench.decisions.reindexing` (docs/adr/0107).

All rows have other terms first, and none afterwards; how long the longest batch keeps other writers of the scope waiting.
"""

import argparse
import asyncio
import time
from collections.abc import Sequence
from datetime import datetime
from statistics import median

from camillo_server.crypto.keyring import Keyring
from camillo_server.kernel.clock import SystemClock
from camillo_server.kernel.scope import Scope
from camillo_server.lifecycle.reindex import Reindex
from camillo_server.lifecycle.store.reindexing import ChangedTerms, ReindexingStore
from camillo_server.storage.change_notifier import ChangeNotifier
from camillo_server.storage.embedded.roles import DATABASE, SUPERUSER
from camillo_server.storage.embedded.server import EmbeddedPostgres
from camillo_server.storage.scope_writes import ScopeWrites

from bench.decisions.scratch import MODEL, SCOPE, opened_database, scratch_postgres, superuser_of
from bench.material.corpus import Corpus
from bench.material.fill import fill_scope

ROUNDS = 3
# An earlier release found nothing in the texts.
AGE = """
update memories set term_count = 0, terms = '', term_codes = '';
update scopes set term_count = 0
"""


class TimedStore(ReindexingStore):
    """Notes how long each change of a batch took."""

    taken: list[float]

    async def change(
        self, scope: Scope, changed: Sequence[ChangedTerms], *, now: datetime
    ) -> tuple[int, int]:
        """Changes terms as its parent class does, and notes the seconds."""
        began = time.perf_counter()
        done = await super().change(scope, changed, now=now)
        self.taken.append(time.perf_counter() - began)
        return done


def main() -> None:
    """Prints rows a second, medians of rounds."""
    parser = argparse.ArgumentParser(prog="python -m bench.decisions.reindexing")
    parser.add_argument("--rows", type=int, default=10_000)
    rows = parser.parse_args().rows
    with scratch_postgres() as postgres:
        fill_scope(postgres.url(SUPERUSER, DATABASE), SCOPE.agent_id, Corpus(rows), MODEL)
        asyncio.run(_measure(postgres, rows))


async def _measure(postgres: EmbeddedPostgres, rows: int) -> None:
    taken: dict[str, list[float]] = {"all changed": [], "none changed": []}
    async with opened_database(postgres.server_url, 2) as database:
        writes = ScopeWrites(database, ChangeNotifier(postgres.server_url))
        store = TimedStore(writes, Keyring.empty())
        store.taken = []
        for _ in range(ROUNDS):
            with superuser_of(postgres) as superuser:
                superuser.execute(AGE)
                superuser.execute("vacuum analyze memories")
            for name, changed in (("all changed", rows), ("none changed", 0)):
                began = time.perf_counter()
                done = await Reindex(store, SystemClock())(SCOPE)
                taken[name].append(time.perf_counter() - began)
                assert (done.rows, done.changed) == (rows, changed)
    for name, seconds in taken.items():
        print(f"{name:13}{median(seconds):6.2f} s {rows / median(seconds):8,.0f} rows/s")
    held = [1_000 * seconds for seconds in store.taken]
    print(f"a batch is changed in {median(held):.0f} ms, at most {max(held):.0f} ms")


if __name__ == "__main__":
    main()
