"""Made-up memories that can be made again."""

import numpy as np

from bench.material.corpus import RARE_SHARE, RARE_TAG, Corpus, memory_id, new_rows, row_of


def test_the_same_memories_are_made_again() -> None:
    first, again = (list(Corpus(30, block_rows=20).blocks()) for _ in range(2))
    assert [block.texts for block in first] == [block.texts for block in again]
    assert all(np.array_equal(one.vectors, other.vectors) for one, other in zip(first, again, strict=True))


def test_another_seed_makes_others() -> None:
    one, other = (next(Corpus(20, seed=seed, block_rows=20).blocks()) for seed in (1, 2))
    assert one.texts != other.texts
    assert not np.allclose(one.vectors, other.vectors)


def test_a_larger_corpus_begins_with_the_smaller_one() -> None:
    small = list(Corpus(25, block_rows=20).blocks())
    large = list(Corpus(60, block_rows=20).blocks())
    assert [len(block.texts) for block in small] == [20, 5]
    assert large[1].texts[:5] == small[1].texts
    assert np.array_equal(large[1].vectors[:5], small[1].vectors)


def test_vectors_and_queries_have_unit_length() -> None:
    corpus = Corpus(100, block_rows=100)
    for vectors in (next(corpus.blocks()).vectors, corpus.queries(10)):
        assert vectors.shape[1] == 384
        assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


def test_a_query_has_near_memories_and_most_are_far() -> None:
    corpus = Corpus(2_000, block_rows=2_000)
    scores = corpus.queries(50) @ next(corpus.blocks()).vectors.T
    assert np.median(scores.max(axis=1)) > 0.6
    assert abs(np.median(scores)) < 0.1


def test_no_query_is_a_memory() -> None:
    corpus = Corpus(500, block_rows=500)
    vectors = next(corpus.blocks()).vectors
    assert (corpus.queries(50) @ vectors.T).max() < 0.999
    assert (vectors[:1] @ vectors.T).max() > 0.999


def test_one_memory_in_a_hundred_has_the_rare_tag() -> None:
    block = next(Corpus(10_000).blocks())
    assert 0.5 * RARE_SHARE < block.is_rare.mean() < 1.5 * RARE_SHARE
    rows = list(new_rows(block, "agent", "model"))
    assert [RARE_TAG in row.memory.tags for row in rows] == block.is_rare.tolist()


def test_memories_have_texts_of_varied_lengths_within_the_contract() -> None:
    lengths = [len(text) for text in next(Corpus(10_000).blocks()).texts]
    assert max(lengths) <= 2_000
    assert max(lengths) > 5 * sorted(lengths)[len(lengths) // 2]


def test_the_row_is_found_by_its_id() -> None:
    assert row_of(str(memory_id(123_456))) == 123_456
    assert memory_id(1).version == 7
    assert memory_id(1) < memory_id(2)
