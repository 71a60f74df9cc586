"""SHA-256 of what comes and of what is kept of it, computed once for as long as the two are the same."""

from hashlib import sha256
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from hashlib import _Hash


class RunningHashes:
    """Of the bytes sent in this call, of all that were sent for the upload, and of those that are kept.

    What was sent before this call is known only as far as it was kept as it was.
    """

    def __init__(self, call: "_Hash", sent: "_Hash | None", kept: "_Hash") -> None:
        self._call = call
        self._sent = sent
        self._kept = kept

    @classmethod
    def of_nothing(cls) -> Self:
        """At the beginning of an upload all three are one."""
        same = sha256()
        return cls(same, same, same)

    @classmethod
    def after(cls, kept: "_Hash", *, was_kept_as_sent: bool) -> Self:
        """Where an upload is gone on with, behind the bytes that `kept` is the hash of."""
        return cls(sha256(), kept if was_kept_as_sent else None, kept)

    def update(self, sent: bytes, kept: bytes) -> None:
        """The next bytes, as they were sent and as they are kept."""
        if sent != kept and (self._kept is self._sent or self._kept is self._call):
            self._kept = self._kept.copy()
        raw = {id(each): each for each in (self._call, self._sent) if each is not None}
        for each in raw.values():
            each.update(sent)
        if id(self._kept) not in raw:
            self._kept.update(kept)

    @property
    def of_call(self) -> bytes:
        return self._call.digest()

    @property
    def of_sent(self) -> bytes | None:
        """None where it is not known."""
        return None if self._sent is None else self._sent.digest()

    @property
    def of_kept(self) -> bytes:
        return self._kept.digest()
