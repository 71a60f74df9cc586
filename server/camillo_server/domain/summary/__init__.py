"""Deterministic summaries of large tool outputs."""

from camillo_server.domain.summary.notable_lines import (
    FAILURE_WORDS,
    FailurePlaces,
    NotableLines,
    one_by_one,
)
from camillo_server.domain.summary.preview import (
    PREVIEW_HEAD_LINES,
    PREVIEW_TAIL_LINES,
    Preview,
    preview,
)
from camillo_server.domain.summary.sample import NotableLine, Sample
from camillo_server.domain.summary.summarize import Summary, content_kind, summarize

__all__ = [
    "FAILURE_WORDS",
    "PREVIEW_HEAD_LINES",
    "PREVIEW_TAIL_LINES",
    "FailurePlaces",
    "NotableLine",
    "NotableLines",
    "Preview",
    "Sample",
    "Summary",
    "content_kind",
    "one_by_one",
    "preview",
    "summarize",
]
