"""A version of a document to be stored, and the statements that store one with few passages in one round trip."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from camillo_server.features.knowledge.document import Document, DocumentReplay
from camillo_server.features.knowledge.store.rows import DocumentRows, kept_json
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.scope import Scope
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.rows.row import NewRow
from camillo_server.rows.store.chunks import CHUNKS_IN_A_STATEMENT, chunks_json
from camillo_server.storage.audit import audit_of, audits_json
from camillo_server.storage.encrypted_json import MIN_ENCRYPTED
from camillo_server.storage.round_trips import Statement
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("features/knowledge/store/documents")


@dataclass(frozen=True, slots=True)
class NewVersion:
    """A version to be stored behind `base`, None where there is no document of its name. `text` is None where it is that of the
    version before; of its passages `kept` are stored already, and `gone` are stored and in no version any more; `texts` are all that its
    publisher stated, by field."""

    document: Document
    base: Document | None
    text: str | None
    new: Sequence[NewRow]
    kept: Sequence[NewRow]
    gone: Sequence[MemoryId]
    texts: Mapping[str, str]

    @property
    def replay(self) -> DocumentReplay:
        """The record from which a repeated request is answered."""
        document = self.document
        return DocumentReplay(document.document_id, document.version, len(self.kept))


def fits_in_a_statement(version: NewVersion) -> bool:
    """Whether it has few passages, of which none is encrypted or was."""
    levels = [each.stated.sensitivity for each in (version.document, version.base) if each]
    counts = len(version.new), len(version.kept), len(version.gone)
    return max(counts) <= CHUNKS_IN_A_STATEMENT and max(levels) < MIN_ENCRYPTED


async def put_statements(
    shared: Scope, version: NewVersion, keyring: Keyring, now: datetime
) -> tuple[Statement, Statement]:
    """The statements that lock the scope and store the version, without the parameters of its request."""
    key = {**scope_parameters(shared), "now": now}
    # Without marks, Postgres refuses it where any value is blocked: those of a text are many.
    lock = {**key, "writes": 1, "added_memories": 0, "added_terms": 0, "marks": None}
    embedded = [row for row in version.new if row.vector is not None]
    put = {
        **DocumentRows(keyring).parameters(shared, version.document),
        **key,
        "text": version.text,
        "rows": kept_json(shared, version.kept, keyring),
        "gone": list(version.gone),
        "chunks": f"[{await chunks_json(shared, version.new, keyring)}]",
        "embedded_ids": [row.memory.memory_id for row in embedded],
        "embedded_models": [row.memory.vector_model_id for row in embedded],
        "embeddings": [row.vector.values for row in embedded if row.vector is not None],
        "audits": audits_json([audit_of(version.replay, now)]),
    }
    return (SQL["lock_scope"], lock), (SQL["put_version"], put)
