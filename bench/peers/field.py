"""All contenders that are still in the race; one that fails is left out from then on, with the cause."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from bench.peers.contenders import CONTENDERS
from bench.peers.process import ContenderFailed, ContenderProcess, running
from bench.peers.store import Circumstances

Answer = dict[str, Any]


class Field:
    """The contenders by name, in the order given."""

    def __init__(self) -> None:
        self.versions: dict[str, str] = {}
        self.unavailable: dict[str, str] = {}
        self._processes: dict[str, ContenderProcess] = {}

    @property
    def names(self) -> list[str]:
        """Those that can still be asked."""
        return list(self._processes)

    def add(self, name: str, process: ContenderProcess) -> None:
        self._processes[name] = process

    def leave_out(self, name: str, cause: ContenderFailed) -> None:
        self.unavailable[name] = str(cause)
        if process := self._processes.pop(name, None):
            process.kill()  # one that does not answer may still be busy, and slow the others

    def ask(self, name: str, **command: Any) -> Answer | None:
        """None if it fails, or has failed before."""
        if name not in self._processes:
            return None
        try:
            self._processes[name].tell(command)
            return self._processes[name].hear()
        except ContenderFailed as cause:
            self.leave_out(name, cause)
            return None

    def ask_all_at_once(self, **command: Any) -> None:
        """For what is not measured."""
        for name in self.names:
            try:
                self._processes[name].tell(command)
            except ContenderFailed as cause:
                self.leave_out(name, cause)
        self.hear_all()

    def hear_all(self) -> dict[str, Answer]:
        """What each has to say."""
        heard = {}
        for name in self.names:
            try:
                heard[name] = self._processes[name].hear()
            except ContenderFailed as cause:
                self.leave_out(name, cause)
        return heard


@contextmanager
def open_field(given: dict[str, Circumstances]) -> Iterator[Field]:
    """Contenders with their stores open, for as long as the caller wants."""
    field = Field()
    with ExitStack() as processes:
        for name, circumstances in given.items():
            try:
                process = processes.enter_context(running(CONTENDERS[name], circumstances))
            except ContenderFailed as cause:
                field.leave_out(name, cause)
            else:
                field.add(name, process)
        for opened in field.hear_all().values():
            field.versions |= opened["versions"]
        yield field
