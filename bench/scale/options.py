"""How long and how large a run of `bench.scale` is."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class ScaleOptions:
    """A full run, with lexical vectors; `quick()` is one that only shows that everything works.

    `resident` scopes of `scope_rows` memories each are in use at a time; the last number is how many there are.
    Budgets are shares of what all of them would take.
    """

    sizes: tuple[int, ...] = (1_000, 3_000, 10_000, 30_000, 100_000)
    rounds: int = 5
    calls: int = 400
    call_seconds: float = 4.0
    rate_seconds: float = 2.0
    callers: int = 16
    scope_rows: int = 50
    resident: tuple[int, ...] = (10, 100, 1_000, 10_000)
    exponents: tuple[float, ...] = (0.8, 1.1)
    budget_shares: tuple[float, ...] = (0.05, 0.2)
    zipf_warm_up_calls: int = 6_000
    zipf_calls: int = 6_000
    workers: tuple[int, ...] = (1, 2)
    connections: int = 8

    @classmethod
    def quick(cls) -> "ScaleOptions":
        return cls(
            sizes=(200, 500, 1_000),
            rounds=1,
            calls=30,
            call_seconds=1.0,
            rate_seconds=0.5,
            scope_rows=20,
            resident=(5, 50),
            exponents=(1.0,),
            budget_shares=(0.2,),
            zipf_warm_up_calls=100,
            zipf_calls=100,
        )

    @property
    def scopes(self) -> int:
        return self.resident[-1]
