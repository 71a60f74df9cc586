"""Files below one directory that no link leads out of: every step is opened by its parent, and links are not
followed."""

import errno
import os
import stat
from collections import OrderedDict
from collections.abc import Iterator
from contextlib import suppress

# A name that no slot's file has, since `@` stands in those only before the hash.
TEMPORARY = "@new"
MAX_OPEN_DIRECTORIES = 256
_DIRECTORY = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_READ = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_APPEND = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC
_CREATE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
# Nothing, a file in place of a directory, or a link in place of either.
_NOT_A_FILE = frozenset((errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.EMLINK))

Path = tuple[str, ...]


class Tree:
    """A directory, by its descriptor. All methods raise OSError as the system does."""

    def __init__(self, directory: str | os.PathLike[str]) -> None:
        """`directory` may itself be a link: it is the caller's; what is below it is not."""
        self._root = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        self._open: OrderedDict[Path, int] = OrderedDict()

    def close(self) -> None:
        self._close_below(())
        os.close(self._root)

    def read(self, path: Path, offset: int = 0, length: int = -1) -> bytes | None:
        """A part of a file; None where there is no regular file."""
        try:
            descriptor = os.open(path[-1], _READ, dir_fd=self._directory(path[:-1]))
        except OSError as error:
            if error.errno in _NOT_A_FILE:
                return None
            raise
        with open(descriptor, "rb", buffering=0) as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                return None
            file.seek(offset)
            return file.read(length)

    def open_log(self, path: Path) -> int:
        """A descriptor to append with; the file is made where it does not exist."""
        return os.open(path[-1], _APPEND, 0o600, dir_fd=self._directory(path[:-1]))

    def names(self, path: Path) -> list[str]:
        """Names in a directory; empty if there is no such directory."""
        try:
            return os.listdir(self._directory(path))
        except OSError as error:
            if error.errno in _NOT_A_FILE:
                return []
            raise

    def make_directory(self, path: Path) -> None:
        """Makes a directory and those above it, in place of anything else that has its name."""
        self._made_directory(path)

    def rename(self, old: Path, new: Path) -> bool:
        """Within one directory; whether there was such a file."""
        parent = self._directory(old[:-1])
        try:
            os.rename(old[-1], new[-1], src_dir_fd=parent, dst_dir_fd=parent)
        except FileNotFoundError:
            return False
        return True

    def link(self, old: Path, new: Path) -> None:
        """Gives a file a second name."""
        parent = self._made_directory(new[:-1])
        os.link(
            old[-1],
            new[-1],
            src_dir_fd=self._directory(old[:-1]),
            dst_dir_fd=parent,
            follow_symlinks=False,
        )

    def is_same(self, one: Path, other: Path) -> bool:
        """Whether both are names of one file."""
        stats = [os.stat(path[-1], dir_fd=self._directory(path[:-1]), follow_symlinks=False) for path in (one, other)]
        return os.path.samestat(*stats)

    def write(self, path: Path, content: bytes, *, flush: bool = False) -> None:
        """Puts a file there at once, whole, making its directories; whatever else stands in its way is removed.

        With `flush` it is on disk when this returns.
        """
        parent = self._made_directory(path[:-1])
        try:
            descriptor = os.open(TEMPORARY, _CREATE, 0o600, dir_fd=parent)
        except FileExistsError:
            # Left by a process that was killed here.
            os.unlink(TEMPORARY, dir_fd=parent)
            descriptor = os.open(TEMPORARY, _CREATE, 0o600, dir_fd=parent)
        try:
            write_all(descriptor, content)
            if flush:
                os.fsync(descriptor)
        finally:
            os.close(descriptor)
        try:
            os.rename(TEMPORARY, path[-1], src_dir_fd=parent, dst_dir_fd=parent)
        except IsADirectoryError:
            self.remove_all(path)
            os.rename(TEMPORARY, path[-1], src_dir_fd=parent, dst_dir_fd=parent)
        if flush:
            os.fsync(parent)

    def remove(self, path: Path) -> None:
        """Removes a file, if it is there, and the directories that are empty then, but for those of the first level."""
        try:
            os.unlink(path[-1], dir_fd=self._directory(path[:-1]))
        except OSError as error:
            if error.errno in _NOT_A_FILE:
                return
            raise
        for depth in range(len(path) - 1, 1, -1):
            directory = path[:depth]
            try:
                os.rmdir(directory[-1], dir_fd=self._directory(directory[:-1]))
            except OSError:
                return  # It has other files.
            self._close_below(directory)

    def remove_all(self, path: Path) -> int:
        """Removes a file, a link, or a directory with all that is in it, and nothing that a link leads to; how many
        that are no directories."""
        parent = self._directory(path[:-1])
        try:
            is_directory = stat.S_ISDIR(os.stat(path[-1], dir_fd=parent, follow_symlinks=False).st_mode)
        except FileNotFoundError:
            return 0
        if not is_directory:
            os.unlink(path[-1], dir_fd=parent)
            return 1
        removed = sum(self.remove_all((*path, name)) for name in self.names(path))
        self._close_below(path)
        os.rmdir(path[-1], dir_fd=self._directory(path[:-1]))
        return removed

    def walk(self, path: Path = ()) -> Iterator[Path]:
        """Everything that is no directory, links among it, in no order; directories without anything, too."""
        with os.scandir(self._directory(path)) as entries:
            listed = [(entry.name, entry.is_dir(follow_symlinks=False)) for entry in entries]
        if path and not listed:
            yield path
        for name, is_directory in listed:
            if is_directory:
                yield from self.walk((*path, name))
            else:
                yield (*path, name)

    def _directory(self, path: Path) -> int:
        """Raises FileNotFoundError, and NotADirectoryError or a loop's error where a link stands in between."""
        if not path:
            return self._root
        descriptor = self._open.get(path)
        if descriptor is not None:
            self._open.move_to_end(path)
            return descriptor
        descriptor = os.open(path[-1], _DIRECTORY, dir_fd=self._directory(path[:-1]))
        self._open[path] = descriptor
        if len(self._open) > MAX_OPEN_DIRECTORIES:
            os.close(self._open.popitem(last=False)[1])
        return descriptor

    def _made_directory(self, path: Path) -> int:
        try:
            return self._directory(path)
        except FileNotFoundError:
            parent = self._made_directory(path[:-1])
        except OSError as error:
            if error.errno not in _NOT_A_FILE:
                raise
            # A file or a link stands where a directory belongs, here or further up.
            parent = self._made_directory(path[:-1])
            with suppress(FileNotFoundError):
                os.unlink(path[-1], dir_fd=parent)
        os.mkdir(path[-1], 0o700, dir_fd=parent)
        return self._directory(path)

    def _close_below(self, path: Path) -> None:
        """Closes what is open of a directory and below it."""
        for each in [each for each in self._open if each[: len(path)] == path]:
            os.close(self._open.pop(each))


def write_all(descriptor: int, content: bytes) -> None:
    """Writes all of it, in one call where the system takes it at once."""
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
