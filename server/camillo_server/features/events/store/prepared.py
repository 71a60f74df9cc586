"""Events prepared to be stored, alone or with those of other calls: everything that takes time is done."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, LiteralString

from camillo_server.features.events.event import EventsReplay
from camillo_server.kernel.scope import Scope
from camillo_server.rows.row import NewRow
from camillo_server.rows.store.inserts import term_count
from camillo_server.storage.audit import audits_json
from camillo_server.storage.statements import json_text, scope_parameters, statements

SQL = statements("features/events/store/events")


@dataclass(frozen=True, slots=True)
class PreparedEvents:
    """The events of a call and their few chunks as JSON, these as rows, the steps of workflows among the events, and
    what is kept of its request. `marks`: of its texts, None where no blocked values are known."""

    events: str
    chunks: str
    rows: Sequence[NewRow]
    request: Mapping[str, Any] | None
    replay: EventsReplay
    steps: Sequence[Mapping[str, Any]]
    marks: Sequence[bytes] | None
    audit: Mapping[str, Any]
    now: datetime

    @property
    def byte_count(self) -> int:
        """About how large it is."""
        vectors = sum(row.vector.values.nbytes for row in self.rows if row.vector is not None)
        return len(self.events) + len(self.chunks) + vectors


def record_statement(scope: Scope, writes: Sequence[PreparedEvents]) -> tuple[LiteralString, dict[str, Any]]:
    """The statement that stores these writes in their order, and its parameters."""
    parameters = _record_parameters(scope, writes)
    steps = [{**step, "write": number} for number, each in enumerate(writes, 1) for step in each.steps]
    if steps:
        parameters["steps"] = json_text(steps)
    return _record(bool(steps), bool(parameters["embedded_ids"])), parameters


@cache
def _record(has_steps: bool, has_vectors: bool) -> LiteralString:
    """The statement that records, with or without steps of workflows, and vectors."""
    steps = SQL["insert_steps"] if has_steps else ""
    vectors = SQL["insert_vectors"] if has_vectors else ""
    return SQL["record"].replace("{steps}", steps).replace("{vectors}", vectors)


def _record_parameters(scope: Scope, writes: Sequence[PreparedEvents]) -> dict[str, Any]:
    requests = [{**each.request, "write": number} for number, each in enumerate(writes, 1) if each.request is not None]
    marks: set[bytes] | None = set()
    for each in writes:
        # Without those of one, the statement has to be refused wherever any value is blocked.
        marks = None if marks is None or each.marks is None else marks.union(each.marks)
    embedded = [row for each in writes for row in each.rows if row.vector is not None]
    return {
        **scope_parameters(scope),
        "embedded_ids": [row.memory.memory_id for row in embedded],
        "embedded_models": [row.memory.vector_model_id for row in embedded],
        "embeddings": [row.vector.values for row in embedded if row.vector is not None],
        "now": writes[0].now,
        "writes": len(writes),
        "requests": json_text(requests),
        "audits": audits_json(each.audit for each in writes),
        "events": f"[{','.join(each.events for each in writes)}]",
        "chunks": f"[{','.join(each.chunks for each in writes)}]",
        "added_chunks": sum(len(each.rows) for each in writes),
        "added_terms": sum(term_count(each.rows) for each in writes),
        "fingerprints": None if marks is None else list(marks),
    }
