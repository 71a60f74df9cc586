"""The spool of a process: writes on its disk that wait for Postgres."""

from collections.abc import AsyncIterator, Iterable, Sequence
from datetime import datetime
from pathlib import Path

from camillo_server.crypto.keyring import Keyring
from camillo_server.kernel.scope import Scope
from camillo_server.spool.spooled_write import DamagedFrame, SpooledWrite

BATCH_BYTES = 1 << 20

Waiting = SpooledWrite | DamagedFrame


class Spool:
    """Appends writes, hands out those that wait in the order of their acceptance, and remembers which are done. Belongs to
    one event loop; its files are read and written in a thread of its own. Nothing is created before the first append."""

    def __init__(self, directory: Path, max_bytes: int, keyring: Keyring) -> None:
        """`directory` is made when it is needed."""
        raise NotImplementedError

    async def open(self) -> None:
        """Takes over what dead processes left (`adopt`)."""
        raise NotImplementedError

    async def append(self, write: SpooledWrite) -> None:
        """The write is on disk when this returns, behind those whose append was called before. Raises SpoolUnavailable: the write
        is not acknowledged then, and not stored later but for a crash at that moment."""
        raise NotImplementedError

    async def adopt(self) -> int:
        """Takes over files of dead processes, while this one has room: how many writes came with them."""
        raise NotImplementedError

    def batches(self, max_bytes: int = BATCH_BYTES) -> AsyncIterator[Sequence[Waiting]]:
        """One pass over what waits, from the oldest to the newest of now, each batch of at least one item and otherwise at most
        these bytes. The writes of a file keep their order; files are merged by `accepted_at`. What is done meanwhile is left out."""
        raise NotImplementedError

    async def done(self, items: Iterable[Waiting]) -> None:
        """These need not be stored any more. On disk within a second or 64 items, so that a process that is killed leaves few that
        are replayed again. Items that are done already are passed over."""
        raise NotImplementedError

    def waiting(self, scope: Scope) -> int:
        """How many writes of the scope wait."""
        raise NotImplementedError

    @property
    def waiting_count(self) -> int:
        """How many writes and damaged frames wait, without `unopened_count`."""
        raise NotImplementedError

    @property
    def unopened_count(self) -> int:
        """How many writes cannot be decrypted with the keys of this process: they stay in their files."""
        raise NotImplementedError

    @property
    def byte_count(self) -> int:
        """How large the files are."""
        raise NotImplementedError

    @property
    def oldest_accepted_at(self) -> datetime | None:
        """When the oldest of those that wait was accepted."""
        raise NotImplementedError

    async def close(self) -> None:
        """Waits for the appends under way, and leaves the files to whoever adopts them."""
        raise NotImplementedError
