"""A small code of each vector that finds the rows worth an exact look."""

from dataclasses import dataclass
from typing import Any

import faiss
import numpy as np
from numpy.typing import NDArray

# Six numbers of a vector become four bits: 32 bytes a row at 384 dimensions.
_NUMBERS_PER_CODE = 6
_BITS = 4
_TRAINING_ROWS = 4_096
_TRAINING_ROUNDS = 10
# Rows that are in single precision at a time while codes are made.
_BATCH_ROWS = 8_192


@dataclass(frozen=True, slots=True)
class Sketch:
    """Codes of all rows of one segment, with a codebook of their own."""

    index: Any
    dimensions: int

    @property
    def nbytes(self) -> int:
        return int(self.index.codes.nbytes()) + 4 * int(self.index.pq.centroids.size())

    def candidates(self, query: NDArray[np.float32], limit: int) -> NDArray[np.int64]:
        """The `limit` rows that look nearest, in the order of rows."""
        _, found = self.index.search(_padded(query[None], self.index.d), limit)
        rows: NDArray[np.int64] = found[0][found[0] >= 0]
        rows.sort()
        return rows


def sketched(rows: NDArray[np.float16], present: NDArray[np.bool_] | None) -> Sketch:
    """Takes about a second for 100,000 rows, mostly without the interpreter's lock."""
    dimensions = rows.shape[1]
    codes = -(-dimensions // _NUMBERS_PER_CODE)
    # The fast kernel takes two codes at a time.
    codes += codes % 2
    width = codes * _NUMBERS_PER_CODE
    index = faiss.IndexPQFastScan(width, codes, _BITS, faiss.METRIC_INNER_PRODUCT)
    index.pq.cp.niter, index.pq.cp.min_points_per_centroid = _TRAINING_ROUNDS, 1
    every = max(1, len(rows) // _TRAINING_ROWS)
    index.train(_single(rows[::every], None if present is None else present[::every], width))
    for start in range(0, len(rows), _BATCH_ROWS):
        batch = slice(start, start + _BATCH_ROWS)
        index.add(_single(rows[batch], None if present is None else present[batch], width))
    return Sketch(index, dimensions)


def _single(
    rows: NDArray[np.float16], present: NDArray[np.bool_] | None, width: int
) -> NDArray[np.float32]:
    single = rows.astype(np.float32)
    if present is not None:
        # What stands in a row without a vector is unknown and could be NaN.
        single[~present] = 0
    return _padded(single, width)


def _padded(vectors: NDArray[np.float32], width: int) -> NDArray[np.float32]:
    missing = width - vectors.shape[1]
    return vectors if missing == 0 else np.pad(vectors, ((0, 0), (0, missing)))
