"""How the segments of a dense index are split, appended to, merged, and given a sketch."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from camillo_server.search.index.dense_segments import Buffer, Segment

Vectors = NDArray[np.float16]
Present = NDArray[np.bool_]
Segments = tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class SegmentSizes:
    """In rows."""

    largest: int = 131_072
    # From here on in all, segments that are large enough get a sketch; up to it every row is compared.
    max_scanned: int = 65_536
    min_sketched: int = 32_768
    # Rows that an append copies at most, so that the event loop never waits for more than about a millisecond.
    max_joined: int = 2_048
    # Room of a new segment: a 32nd of the rows there are, so that little memory is held in advance.
    min_room: int = 32
    growth_divisor: int = 32
    # A search looks into each segment, which costs some microseconds even where it is small.
    max_small: int = 8


SIZES = SegmentSizes()


def split(vectors: Vectors, present: Present, sizes: SegmentSizes) -> Segments:
    """Segments of nearly equal size over these arrays; the vectors are kept, not copied."""
    parts = -(-len(vectors) // sizes.largest)
    bounds = [part * len(vectors) // parts for part in range(parts + 1)] if parts else []
    return tuple(
        Segment.full(vectors[start:end], present[start:end].copy())
        for start, end in pairwise(bounds)
    )


def append_rows(
    segments: Segments, vectors: Vectors, present: Present, sizes: SegmentSizes
) -> Segments:
    """Writes the rows behind the last one, or into new segments where there is no room."""
    grown = list(segments)
    start = 0
    while start < len(vectors):
        if not (grown and grown[-1].is_open):
            _join_small(grown, sizes)
            grown.append(_open(grown, vectors[start:], sizes))
        last = grown[-1].buffer
        end = min(len(vectors), start + last.capacity - last.filled)
        grown[-1] = _write(last, vectors[start:end], present[start:end])
        start = end
    return tuple(grown)


def needs_merge(segments: Segments, sizes: SegmentSizes) -> bool:
    """Whether a merge pays; never true of what was just merged, so that merging while it is true comes to an end."""
    saved = len(segments) - sum(1 for _ in _groups(segments, sizes))
    return saved >= sizes.max_small or any(
        _needs_sketch(each, segments, sizes) for each in segments
    )


def merge_segments(segments: Segments, sizes: SegmentSizes) -> Segments:
    """The same rows in as few segments as possible, the large ones with a sketch."""
    joined = tuple(_concatenate(group) for group in _groups(segments, sizes))
    return tuple(
        each.with_sketch() if _needs_sketch(each, joined, sizes) else each for each in joined
    )


def rows_from(segments: Segments, start: int) -> Segments:
    """The segments of the rows from `start` on; a segment that begins before is copied in part."""
    kept = []
    for each in segments:
        if start <= 0:
            kept.append(each)
        elif start < each.count:
            kept.append(_copy(each, start))
        start -= each.count
    return tuple(kept)


def _open(grown: Sequence[Segment], rows: Vectors, sizes: SegmentSizes) -> Segment:
    held = sum(each.count for each in grown)
    room = max(sizes.min_room, min(sizes.max_joined, held // sizes.growth_divisor))
    capacity = min(max(room, len(rows)), sizes.largest)
    return Segment.of(Buffer(np.empty((capacity, rows.shape[1]), np.float16), None, 0), 0)


def _write(buffer: Buffer, vectors: Vectors, present: Present) -> Segment:
    start, end = buffer.filled, buffer.filled + len(vectors)
    buffer.vectors[start:end] = vectors
    if buffer.present is None and not present.all():
        # Earlier segments go on with None, which stays true of their own rows.
        buffer.present = np.ones(buffer.capacity, np.bool_)
    if buffer.present is not None:
        buffer.present[start:end] = present
    buffer.filled = end
    return Segment.of(buffer, end)


def _join_small(grown: list[Segment], sizes: SegmentSizes) -> None:
    """Joins the last ones while they are of like size, so that a row is copied a few times in all."""
    while len(grown) > 1:
        earlier, later = grown[-2:]
        alike = earlier.count <= 2 * later.count
        if not alike or earlier.count + later.count > sizes.max_joined:
            return
        grown[-2:] = [_concatenate([earlier, later])]


def _groups(segments: Segments, sizes: SegmentSizes) -> Iterator[list[Segment]]:
    """Neighbouring segments to be merged into one: those far below the largest size, up to that size."""
    group: list[Segment] = []
    for each in segments:
        rows = sum(member.count for member in group) + each.count
        undersized = all(2 * member.count < sizes.largest for member in (*group, each))
        if group and not (undersized and rows <= sizes.largest):
            yield group
            group = []
        group.append(each)
    if group:
        yield group


def _concatenate(group: Sequence[Segment]) -> Segment:
    if len(group) == 1:
        return group[0]
    vectors = np.concatenate([each.vectors for each in group])
    if all(each.present is None for each in group):
        return Segment.full(vectors, None)
    return Segment.full(vectors, np.concatenate([_mask(each) for each in group]))


def _mask(segment: Segment) -> Present:
    return np.ones(segment.count, np.bool_) if segment.present is None else segment.present


def _copy(segment: Segment, start: int) -> Segment:
    present = None if segment.present is None else segment.present[start:].copy()
    return Segment.full(segment.vectors[start:].copy(), present)


def _needs_sketch(segment: Segment, segments: Segments, sizes: SegmentSizes) -> bool:
    return (
        segment.sketch is None
        and segment.count >= sizes.min_sketched
        and sum(each.count for each in segments) > sizes.max_scanned
    )
