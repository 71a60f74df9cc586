"""The best rows of the lexical arm against a plain sort."""

import numpy as np
from camillo_server.search.index.lexical import best_rows

from tests.cases import each_case


@each_case("matching", [0.0, 0.01, 0.5, 1.0])
@each_case("different", [3, 10_000])
@each_case("count", [0, 40, 399, 400, 3_001])
def test_the_best_rows_are_those_that_sorting_all_gives(count: int, different: int, matching: float) -> None:
    random = np.random.default_rng(count + different)
    values = (1 + random.integers(different, size=count)) / np.float32(different)
    scores = np.where(random.random(count) < matching, values, 0).astype(np.float32)
    high = random.integers(5, size=count).astype(np.uint64)
    low = random.permutation(count).astype(np.uint64)
    order = [row for row in np.lexsort((low, high, -scores)).tolist() if scores[row]]
    assert best_rows(scores, 50, (high, low)).tolist() == sorted(order[:50])


def test_the_smallest_score_matches() -> None:
    scores = np.zeros(1_000, np.float32)
    scores[7] = np.finfo(np.float32).smallest_subnormal
    ids = np.arange(1_000, dtype=np.uint64)
    assert best_rows(scores, 50, (ids, ids)).tolist() == [7]
