"""Files that somebody drops into `inbox/` to have them set: `inbox/user/preference/style.json` becomes
`/user/preference/style`.

A file is to come complete: written beside under a name that begins with a dot, and renamed. It goes to `inbox/.done/`
once the server has it, and to `inbox/.refused/`, with the reason beside it, where the server never will."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from camillo_client.mirror.paths import SUFFIX
from camillo_client.mirror.tree import Path, Tree

INBOX, DONE, REFUSED = "inbox", ".done", ".refused"
# One byte more than the server takes, so that what is too long is refused by it and not cut.
MAX_BYTES = 65_537


@dataclass(frozen=True, slots=True)
class Dropped:
    """A file of the inbox. `content` is its text; `path` is where it lies below the mirror."""

    path: Path
    key: str
    content: bytes


class Inbox:
    """The inbox of a mirror's directory, which it makes. Raises OSError."""

    def __init__(self, directory: str | os.PathLike[str]) -> None:
        self._tree = Tree(directory)
        self._tree.make_directory((INBOX,))

    def close(self) -> None:
        self._tree.close()

    def dropped(self) -> Iterator[Dropped]:
        """Files dropped in the inbox, in the order of names; links and hidden files are passed over."""
        for path in sorted(self._tree.walk((INBOX,))):
            names = path[1:]
            if not names or any(name.startswith(".") for name in names):
                continue
            content = self._tree.read(path, 0, MAX_BYTES)
            if content is not None:
                key = "/" + "/".join(map(unquote, names))
                yield Dropped(path, key.removesuffix(SUFFIX), content)

    def done(self, file: Dropped) -> None:
        """Moves a file away that was set."""
        self._move(file, DONE)

    def refused(self, file: Dropped, reason: str) -> None:
        """Moves a file away that was not, and says why beside it."""
        place = self._move(file, REFUSED)
        self._tree.write((*place[:-1], place[-1] + ".reason"), f"{reason}\n".encode())

    def _move(self, file: Dropped, where: str) -> Path:
        place = (INBOX, where, *file.path[1:])
        # The dropped file may have been replaced meanwhile: then the newer one stays, and is set next.
        self._tree.write(place, file.content)
        if self._tree.read(file.path, 0, MAX_BYTES) == file.content:
            self._tree.remove(file.path)
        return place
