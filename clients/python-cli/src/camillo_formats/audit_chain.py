"""Chains of the audit trail: how entries are hashed, and how a chain of them is checked, by the server or from a
file."""

import enum
import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING
from uuid import UUID

if TYPE_CHECKING:
    from camillo.v1.audit_service_pb2 import VerifyAuditResponse

MAX_PROBLEMS = 100
SEPARATOR = "\x1f"
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class ChainEntry:
    """One change, as it was entered. `facts` is JSON, byte for byte as it was hashed. An entry of an action has its id
    and a digest of it; `present_digest` is that of the action as it is now, None where it was forgotten, or there is
    none."""

    agent_id: str
    position: int
    at: datetime
    revision: int
    method: str
    credential: str
    facts: str
    action_id: UUID | None
    action_digest: bytes | None
    hash: bytes
    present_digest: bytes | None = None

    def hash_behind(self, previous: bytes, tenant_id: str) -> bytes:
        """The hash of this entry behind a previous one; `audit_hash` of the schema is the same for Postgres."""
        parts = (
            tenant_id,
            self.agent_id,
            self.position,
            (self.at - EPOCH) // timedelta(microseconds=1),
            self.revision,
            self.method,
            self.credential,
            self.facts,
            self.action_id or "",
            (self.action_digest or b"").hex(),
        )
        return hashlib.sha256(previous + SEPARATOR.join(map(str, parts)).encode()).digest()


@dataclass(frozen=True, slots=True)
class AuditHead:
    """The end of a chain."""

    agent_id: str
    position: int
    hash: bytes


@dataclass(frozen=True, slots=True)
class AuditChain:
    """The head of a chain as it is kept beside the entries, and the last of the entries that were pruned."""

    head: AuditHead
    pruned_position: int
    pruned_hash: bytes


class ProblemKind(enum.IntEnum):
    """The numbers are those of the contract."""

    CHANGED = 1
    MISSING = 2
    ADDED = 3


@dataclass(frozen=True, slots=True)
class Problem:
    """A place where a chain is not what it was."""

    position: int
    kind: ProblemKind


@dataclass(slots=True)
class ChainCheck:
    """Checks the entries of one chain in the order of their positions, given in parts; then its head. `known` are
    hashes that an earlier check has told, by position."""

    tenant_id: str
    chain: AuditChain
    known: dict[int, bytes]
    problems: list[Problem] = field(default_factory=list)
    entries: int = 0
    _position: int = 0
    _hash: bytes = b""

    def __post_init__(self) -> None:
        self._position, self._hash = self.chain.pruned_position, self.chain.pruned_hash

    @property
    def last(self) -> AuditHead:
        """The entry up to which it was checked."""
        return AuditHead(self.chain.head.agent_id, self._position, self._hash)

    def add(self, entries: Sequence[ChainEntry]) -> None:
        """Milliseconds for a thousand."""
        for entry in entries:
            self.entries += 1
            self._add(entry)

    def finish(self) -> None:
        """All entries were given."""
        head = self.chain.head
        self._missing_until(head.position)
        if self._position == head.position and self._hash != head.hash:
            self._note(head.position, ProblemKind.CHANGED)
        if self.known.get(self.chain.pruned_position, self.chain.pruned_hash) != self.chain.pruned_hash:
            self._note(self.chain.pruned_position, ProblemKind.CHANGED)
        for position in self.known:
            if position > max(self._position, head.position):
                self._note(position, ProblemKind.MISSING)
        self.problems.sort(key=lambda each: each.position)

    def _add(self, entry: ChainEntry) -> None:
        if entry.position <= self._position:
            self._note(entry.position, ProblemKind.ADDED)
            return
        if entry.position > self.chain.head.position:
            self._note(entry.position, ProblemKind.ADDED)
        gap = self._missing_until(entry.position - 1)
        # Behind a gap the hash before is not known: whether the entry is what it was shows at the next one.
        is_other = not gap and entry.hash != entry.hash_behind(self._hash, self.tenant_id)
        has_other_action = entry.present_digest not in (None, entry.action_digest)
        was_other = self.known.get(entry.position, entry.hash) != entry.hash
        if is_other or has_other_action or was_other:
            self._note(entry.position, ProblemKind.CHANGED)
        self._position, self._hash = entry.position, entry.hash

    def _missing_until(self, position: int) -> bool:
        missing = range(self._position + 1, position + 1)
        for each in missing[:MAX_PROBLEMS]:
            self._note(each, ProblemKind.MISSING)
        return bool(missing)

    def _note(self, position: int, kind: ProblemKind) -> None:
        if len(self.problems) < MAX_PROBLEMS:
            self.problems.append(Problem(position, kind))


def findings_message(check: ChainCheck) -> "VerifyAuditResponse":
    """The findings of a check as the contract says them."""
    from camillo.v1 import audit_pb2 as pb
    from camillo.v1.audit_service_pb2 import VerifyAuditResponse

    head = check.chain.head
    return VerifyAuditResponse(
        head=pb.AuditHead(agent_id=head.agent_id, position=head.position, hash=head.hash),
        entries=check.entries,
        pruned_position=check.chain.pruned_position,
        problems=[
            pb.AuditProblem(position=each.position, kind=int(each.kind))  # type: ignore[arg-type]
            for each in check.problems
        ],
    )
