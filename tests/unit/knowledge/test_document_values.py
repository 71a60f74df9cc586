"""Names of documents, parts of their texts, and ids of their passages."""

from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID

import pytest
from camillo_server.features.knowledge.document import Document, DocumentDraft, DocumentFilter, DocumentId
from camillo_server.features.knowledge.documents import MAX_CHARACTER_BYTES, text_range
from camillo_server.features.knowledge.messages import name_problem
from camillo_server.features.knowledge.passage_rows import passage_rows
from camillo_server.features.knowledge.passages.passages import DocumentPassage
from camillo_server.features.knowledge.store.rows import filter_parameters
from camillo_server.kernel.kinds import Sensitivity

from tests.cases import each_case

NOW = datetime(2030, 1, 1, tzinfo=UTC)
DOCUMENT = Document(
    document_id=DocumentId(UUID("01890a5d-ac96-774b-bcce-b302099a8057")),
    stated=DocumentDraft(name="a.md", categories=("policy",), tags=("hr",)),
    version=1,
    text_version=1,
    sha256=b"",
    text_bytes=9,
    passages=3,
    archived=False,
    revision=1,
    created_at=NOW,
    updated_at=NOW,
    credential="k",
)
PASSAGES = [DocumentPassage("", text, 0, 3) for text in ("茶", "tea", "茶")]


@each_case("name", ["a", "handbook/travel.md", "手册/差旅.md", "🧳", ".hidden", "a b"])
def test_a_name_is_like_a_path(name: str) -> None:
    assert name_problem(name) is None


@each_case("name", ["/a", "a/", "a//b", ".", "a/..", "a\0", "a\u2028b", "e\u0301"])
def test_another_name_is_refused(name: str) -> None:
    assert name_problem(name)


@pytest.mark.parametrize(
    ("prefix", "until"), [("", None), ("a", "b"), ("茶", "\u8337"), ("\ud7ff", "\ue000"), ("a\U0010ffff", "b")]
)
def test_a_prefix_ends_before_the_next_text(prefix: str, until: str | None) -> None:
    assert filter_parameters(DocumentFilter(name_prefix=prefix))["name_until"] == until


def test_a_part_of_a_text_has_whole_characters() -> None:
    text = "éa🧳"
    encoded = text.encode()
    size = len(encoded)
    for begin in range(size + 1):
        for end in range(begin, size + 1):
            part = text_range(encoded[begin : end + MAX_CHARACTER_BYTES], begin, end)
            assert part.text.encode() == encoded[part.byte_from : part.byte_until]
            assert part.byte_from >= begin


def test_a_passage_has_the_same_id_in_every_version() -> None:
    first = [row.memory for row in passage_rows(DOCUMENT, PASSAGES)]
    assert len({each.memory_id for each in first}) == 3
    assert first[0].tags == ("hr", "category:policy")
    later = passage_rows(replace(DOCUMENT, version=2), [PASSAGES[1], PASSAGES[0]])
    assert [row.memory.memory_id for row in later] == [first[1].memory_id, first[0].memory_id]
    sealed = replace(DOCUMENT.stated, sensitivity=Sensitivity.CONFIDENTIAL)
    encrypted = passage_rows(replace(DOCUMENT, stated=sealed), PASSAGES)
    assert not {row.memory.memory_id for row in encrypted} & {each.memory_id for each in first}
