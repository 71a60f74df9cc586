"""How often what is measured is repeated."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Repeats:
    """Rounds of one caller's calls, and rounds of many callers at once, in which calls a second are counted."""

    rounds: int = 9
    calls_a_round: int = 400
    rate_rounds: int = 5
    rate_seconds: float = 3.0
    callers: int = 16


FULL = Repeats()
# Of two versions, each with its own server, started several times.
COMPARED = Repeats(rounds=15, calls_a_round=150, rate_rounds=8, rate_seconds=1.0)
# Enough to show that everything works.
QUICK = Repeats(rounds=2, calls_a_round=30, rate_rounds=1, rate_seconds=0.3)
