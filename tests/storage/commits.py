"""A subscriber that keeps what it is told of commits."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from camillo_server.kernel.scope import Scope


@dataclass(slots=True)
class Commits:
    """Every commit with the rows that it added, and how often anything else was told."""

    told: list[tuple[Scope, int, Sequence[Any] | None]] = field(default_factory=list)
    takes_in: bool = True

    def on_commit(self, scope: Scope, revision: int, rows: Sequence[Any] | None) -> bool:
        self.told.append((scope, revision, rows))
        return self.takes_in

    def on_change(self, name: str | None) -> None: ...

    def on_removal(self, name: str | None) -> None: ...

    def on_spooled(self, scope: Scope, rows: Sequence[Any]) -> None: ...

    def on_drained(self, scope: Scope) -> None: ...

    def on_new_history(self) -> None: ...
