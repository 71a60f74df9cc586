"""Vectors of new passages that can be had at once, so that they are stored with them."""

from collections.abc import Sequence

from camillo_server.models.embedding.text_embedding import TextEmbedding
from camillo_server.rows.row import NewRow
from camillo_server.rows.store.chunks import CHUNKS_IN_A_STATEMENT, rows_with_terms
from camillo_server.storage.encrypted_json import MIN_ENCRYPTED


async def with_vectors(embedding: TextEmbedding | None, rows: Sequence[NewRow]) -> Sequence[NewRow]:
    """The rows with their terms and vectors where they are few, and none is encrypted, whose vector would be, too. Without an
    `embedding`, vectors follow."""
    if embedding is None or len(rows) > CHUNKS_IN_A_STATEMENT:
        return rows
    if any(row.memory.sensitivity >= MIN_ENCRYPTED for row in rows):
        return rows
    rows = await rows_with_terms(rows)
    vectors = await embedding.vectors_of_terms([row.terms().counts for row in rows])
    if vectors is None:
        return rows
    return [
        NewRow(row.memory.with_vector_of(vector), vector, row.terms())
        for row, vector in zip(rows, vectors, strict=True)
    ]
