"""A memory prepared to be stored, and several of a scope stored by one statement, each at a revision of its own."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from camillo_server.kernel.scope import Scope
from camillo_server.rows.row import NewRow
from camillo_server.rows.write_records import MemoriesReplay
from camillo_server.storage.audit import audits_json
from camillo_server.storage.row_fields import GROUPED
from camillo_server.storage.statements import array_text, scope_parameters

# The list parameters of the statement `remember_group`, which are parameters of a row's own statement as well.
COLUMNS = [*(field.name for field in GROUPED), "request_id", "content_digest", "facts"]
ARRAYS = [field.name for field in GROUPED if field.is_array]
# A row with its request, but for its texts and its vector.
ROW_BYTES = 1_000


@dataclass(frozen=True, slots=True)
class PreparedMemory:
    """A row with its terms, the record of its request, and the parameters of the statement that stores it alone."""

    row: NewRow
    replay: MemoriesReplay
    parameters: dict[str, Any]
    audit: Mapping[str, Any]

    @property
    def byte_count(self) -> int:
        """About how large it is."""
        vector = self.row.vector
        texts = self.row.memory.content, self.parameters["terms"]
        return ROW_BYTES + sum(map(len, texts)) + (vector.values.nbytes if vector else 0)


def group_parameters(scope: Scope, group: Sequence[PreparedMemory]) -> dict[str, Any]:
    """The parameters of the statement `remember_group`."""
    rows = [each.parameters for each in group]
    columns: dict[str, Any] = {name: [row[name] for row in rows] for name in COLUMNS}
    for name in ARRAYS:
        columns[name] = [None if values is None else array_text(values) for values in columns[name]]
    marks = [row["marks"] for row in rows]
    return columns | {
        **scope_parameters(scope),
        "writes": len(rows),
        "added_memories": len(rows),
        "added_terms": sum(row["term_count"] for row in rows),
        # Without the marks of one row, the statement refuses if any value at all is blocked.
        "marks": None if None in marks else list({each for of_row in marks for each in of_row}),
        "requested_at": [row["now"] for row in rows],
        "audits": audits_json(each.audit for each in group),
        "now": rows[0]["now"],
    }
