"""The next version of a document, prepared: its passages, and the chunks in which they are found."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from camillo_formats.markdown import TRAIL_SEPARATOR

from camillo_server.features.knowledge.document import MAX_TITLE, Document, DocumentDraft, DocumentId
from camillo_server.features.knowledge.passage_rows import passage_rows
from camillo_server.features.knowledge.passages.splitting import split_document
from camillo_server.features.knowledge.store.put_statement import NewVersion
from camillo_server.kernel.errors import DocumentUnreadable, VersionConflict
from camillo_server.kernel.ids import MemoryId, time_ordered_uuid
from camillo_server.kernel.off_loop import ROW, off_loop
from camillo_server.storage.encrypted_json import MIN_ENCRYPTED

MAX_PASSAGES = 20_000


@dataclass(frozen=True, slots=True)
class StatedVersion:
    """The next version of a document, with every default filled in. `sha256` is None where the text is that of the
    version before."""

    draft: DocumentDraft
    text: str
    sha256: bytes | None
    texts: Mapping[str, str]
    credential: str


async def prepared_version(
    stated: StatedVersion,
    base: Document | None,
    stored_ids: Collection[MemoryId],
    now: datetime,
) -> NewVersion:
    """The version behind `base`. Raises DocumentUnreadable where it has too many passages."""
    number = base.version + 1 if base else 1
    has_new_text = base is None or stated.sha256 is not None or _crosses_encryption(stated, base)
    document = Document(
        document_id=base.document_id if base else DocumentId(time_ordered_uuid(now)),
        stated=stated.draft,
        version=number,
        text_version=number if base is None or has_new_text else base.text_version,
        sha256=stated.sha256 or (base.sha256 if base else b""),
        text_bytes=len(stated.text.encode()),
        passages=0,
        archived=base is not None and base.archived,
        revision=0,
        created_at=base.created_at if base else now,
        updated_at=now,
        credential=stated.credential,
    )

    passages = await split_document(stated.text, stated.draft.media_type)

    def with_rows() -> NewVersion:
        if len(passages) > MAX_PASSAGES:
            message = f"the document has more than {MAX_PASSAGES} passages"
            raise DocumentUnreadable("too_many_passages", MAX_PASSAGES, message)
        rows, stored = passage_rows(document, passages), set(stored_ids)
        kept = [row for row in rows if row.memory.memory_id in stored]
        return NewVersion(
            document=replace(document, passages=len(rows)),
            base=base,
            text=stated.text if has_new_text else None,
            new=[row for row in rows if row.memory.memory_id not in stored],
            kept=kept,
            gone=sorted(stored - {row.memory.memory_id for row in kept}),
            texts=stated.texts,
        )

    return await off_loop(len(passages) * ROW, with_rows)


async def default_title(text: str, draft: DocumentDraft) -> str:
    """The outermost heading above its first passage that has one, else the last part of its name."""
    passages = await split_document(text, draft.media_type)
    heading = next((each.heading for each in passages if each.heading), "")
    return title_or_name(heading.partition(TRAIL_SEPARATOR)[0].strip(), draft.name)


def title_or_name(title: str, name: str) -> str:
    """The title, cut at its limit, or else the last part of the name."""
    return (title or name.rpartition("/")[2])[:MAX_TITLE]


def require_version(base: Document | None, expected: int | None, name: str) -> None:
    """Raises VersionConflict where the document has another version than this; None: any."""
    actual = base.version if base else 0
    if expected is not None and expected != actual:
        raise VersionConflict("document", expected, actual, name=name)


def _crosses_encryption(stated: StatedVersion, base: Document) -> bool:
    """Whether one of the two is encrypted, and the other is not."""
    levels = stated.draft.sensitivity, base.stated.sensitivity
    return len({level >= MIN_ENCRYPTED for level in levels}) > 1
