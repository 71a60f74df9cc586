"""The memories and questions that all contenders get, and how their answers are judged."""

from pathlib import Path
from uuid import UUID

import numpy as np
import pytest

from bench.peers.material import DIMENSIONS, Material, item_id


def made() -> Material:
    return Material.generate(memories=300, queries=20, more=10)


def exact(material: Material, hits: int) -> list[list[str]]:
    stored = list(material.stored())
    vectors = np.array([item.vector for item in stored])
    return [
        [stored[place].item_id for place in np.argsort(-(vectors @ np.array(query.vector)))[:hits]]
        for query in material.asked
    ]


def test_all_texts_differ_so_that_each_has_its_own_vector() -> None:
    material = made()
    assert len(material.texts) == len(set(material.texts)) == 330
    for item in (*material.stored(), *material.asked, *material.more()):
        assert material.vector_of(item.text) == item.vector


def test_a_text_of_somebody_else_has_no_vector() -> None:
    material = made()
    with pytest.raises(KeyError):
        material.vector_of("妈妈记得 🙂 ذاكرة")
    assert material.vector_of(material.texts[0])


def test_vectors_have_unit_length() -> None:
    vectors = made().vectors
    assert vectors.shape == (330, DIMENSIONS)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)


def test_the_same_seed_makes_the_same_material() -> None:
    one, same, other = made(), made(), Material.generate(300, 20, 10, seed=2)
    assert one.texts == same.texts != other.texts
    assert np.array_equal(one.vectors, same.vectors)
    assert not np.array_equal(one.vectors, other.vectors)


def test_a_saved_material_is_read_by_another_process(tmp_path: Path) -> None:
    material = made()
    material.save(tmp_path / "material")
    loaded = Material.load(tmp_path / "material")
    assert list(loaded.stored()) == list(material.stored())
    assert loaded.asked == material.asked
    assert list(loaded.more()) == list(material.more())


def test_the_nearest_memory_stands_out_from_the_others() -> None:
    material = Material.generate(memories=2_000, queries=50, more=0)
    asked = material.vectors[2_000:]
    scores = np.sort(asked @ material.vectors[:2_000].T, axis=1)
    assert scores[:, -1].mean() > 0.55
    assert abs(np.median(scores)) < 0.05


def test_exact_answers_have_a_recall_of_one_and_others_less() -> None:
    material = made()
    answers = exact(material, 10)
    assert material.recall(answers, 10) == 1.0
    assert material.recall([answer[::-1] for answer in answers], 10) == 1.0
    assert material.recall([answer[:5] for answer in answers], 10) == 0.5
    assert material.recall([[] for _ in answers], 10) == 0.0
    assert material.recall(answers[1:] + answers[:1], 10) < 0.5


def test_ids_are_uuids_and_differ() -> None:
    ids = [item_id(number) for number in range(100)]
    assert len({UUID(each) for each in ids}) == 100
