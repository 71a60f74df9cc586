"""How long a run of bench.clients is."""

from dataclasses import dataclass

# What compiles while it runs takes thousands of calls until it has settled.
COMPILED_LATE = ("typescript", "java")


@dataclass(frozen=True, slots=True)
class ClientOptions:
    """A full run; `quick()` is one that only shows that everything works."""

    # How often each program is started: a process may be lucky or unlucky from its start.
    rounds: int = 3
    # Of either contender in a round.
    calls: int = 2_000
    warm_up_calls: int = 500
    late_warm_up_calls: int = 5_000
    memories: int = 500
    # A block: contenders take turns after so many calls.
    queries: int = 10
    limit: int = 5

    @classmethod
    def quick(cls) -> "ClientOptions":
        return cls(rounds=1, calls=50, warm_up_calls=50, late_warm_up_calls=50, memories=50)

    @property
    def blocks(self) -> int:
        """Of either contender; at least one."""
        return max(1, self.calls // self.queries)

    def warm_up_blocks(self, language: str) -> int:
        """Those that do not count; at least one."""
        late = language in COMPILED_LATE
        calls = self.late_warm_up_calls if late else self.warm_up_calls
        return max(1, calls // self.queries)
