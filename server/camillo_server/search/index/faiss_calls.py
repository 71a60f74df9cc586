"""All calls of FAISS: its errors, its threads, and its view of memory that numpy owns."""

import threading
from typing import Any

import faiss as typed_faiss
import numpy as np
from numpy.typing import NDArray

# Its stubs leave out members that its classes have.
faiss: Any = typed_faiss
# Whatever FAISS and numpy raise for what they cannot compute.
FAILURES = (
    *(ArithmeticError, AssertionError, AttributeError, LookupError),
    *(MemoryError, RuntimeError, SystemError, TypeError, ValueError),
)
_ROUNDING = 1e-4
# More than one gains nothing for a single query, and threads that wait for each other spin.
_threads = 1


class IndexFailed(Exception):
    """The index cannot be trusted or cannot answer: drop it and ask Postgres."""


def limit_threads(count: int) -> None:
    """How many threads one call of FAISS may use from now on, in this process."""
    global _threads
    _threads = max(1, count)
    faiss.omp_set_num_threads(_threads)


class calling_faiss:  # noqa: N801 - used as a function: `with calling_faiss():`
    """Limits the threads of the calls within. Raises IndexFailed for whatever FAISS and numpy raise."""

    __slots__ = ()

    def __enter__(self) -> None:
        # OpenMP keeps the limit for each calling thread: one set at the start would not hold in a pool.
        faiss.omp_set_num_threads(_threads)

    def __exit__(self, kind: object, error: BaseException | None, traceback: object) -> None:
        if isinstance(error, FAILURES):
            first_line = str(error).partition("\n")[0]
            raise IndexFailed(f"{type(error).__name__}: {first_line}") from error


def view_of(rows: NDArray[np.float16]) -> Any:
    """An exact index over these rows (n, d) that holds no copy of them; it keeps their array alive."""
    index = faiss.IndexScalarQuantizer(rows.shape[1], faiss.ScalarQuantizer.QT_fp16, faiss.METRIC_INNER_PRODUCT)
    held = index.codes
    held.is_owned = False
    _show(rows, index, held)
    return index


def _show(rows: NDArray[np.float16], index: Any, held: Any) -> None:
    """Makes the rows those of a view, whose codes are `held`."""
    codes = rows.reshape(-1).view(np.uint8)
    held.view_data = held.c_ptr = faiss.swig_ptr(codes)
    held.view_size = held.c_size = codes.size
    index.ntotal = len(rows)
    index.referenced_objects = [codes]


def nearest(
    index: Any, query: NDArray[np.float32], limit: int, options: Any = None
) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
    """At most `limit` rows and their scores, best first; ties in any order.

    `limit` is 1 to as many as there are rows; the query is contiguous. The wrapper of FAISS, which this stands for,
    takes as long as the search of a hundred rows. Raises IndexFailed for a query of another length than the index's
    vectors."""
    if query.shape != (index.d,):
        raise IndexFailed(f"a query of shape {query.shape} for vectors of {index.d} numbers")
    rows, scores = np.empty(limit, np.int64), np.empty(limit, np.float32)
    pointer = faiss.swig_ptr
    index.search_c(1, pointer(query), limit, pointer(scores), pointer(rows), options)
    if rows.item(-1) < 0:
        # Fewer are allowed; what is missing comes last.
        found = rows >= 0
        return rows[found], scores[found]
    return rows, scores


def products(rows: NDArray[np.float16], query: NDArray[np.float32]) -> NDArray[np.float32]:
    """The inner product of the query with each row, to the bit as a search of the same rows has it."""
    values = np.empty(len(rows), np.float32)
    if len(rows):
        view = _view.index
        if view is None or view.d != rows.shape[1]:
            view = _view.index = view_of(rows)
            _view.held = view.codes
        else:
            _show(rows, view, _view.held)
        # Five times as fast as numpy, which has to turn every number into single precision first.
        found, scores = nearest(view, query, len(rows))
        values[found] = scores
    return values


class _View(threading.local):
    """A view for rows that are looked at once: to make one takes longer than to compare a hundred of them. It keeps the
    last ones until others follow."""

    index: Any = None
    held: Any = None


_view = _View()


def refining(factor: float) -> Any:
    """Search parameters of an `IndexRefine`: for each hit it compares so many candidates exactly."""
    # Rounded up: FAISS cuts the product off.
    return faiss.IndexRefineSearchParameters(k_factor=factor + _ROUNDING)


def selection(allowed: NDArray[np.bool_]) -> Any:
    """Search parameters that let only these rows be found; they keep the bitmap alive."""
    bitmap = np.packbits(allowed, bitorder="little")
    return faiss.SearchParameters(sel=faiss.IDSelectorBitmap(bitmap))
