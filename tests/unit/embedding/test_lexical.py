"""The lexical provider: words in common make texts alike, in any script."""

import asyncio

import numpy as np
import pytest
from camillo_server.lib.text.counted_terms import counted_terms
from camillo_server.models.embedding.lexical import MAX_CHARACTERS, LexicalEmbedder, RandomEmbedder
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case

LEXICAL = LexicalEmbedder()


async def similarities(query: str, *texts: str) -> list[float]:
    rows = await LEXICAL.embed([query, *texts])
    return [float(similarity) for similarity in rows[1:] @ rows[0]]


@each_case(
    ("query", "alike", "other"),
    [
        ("support group", "I went to the support groups", "I went to the painting class"),
        ("educaton", "her education matters", "her vacation matters"),
        ("What did she paint?", "She painted a lake", "What did she do? What was it?"),
        ("user store", "see getUserStore()", "see getOrderQueue()"),
        ("app.py", "fixed server/app.py", "fixed server/main.go"),
        ("咖啡馆", "我们在咖啡馆见面", "我们在火车站见面"),
        ("カフェ", "東京のカフェで会いました", "東京の駅で会いました"),
        ("고양이", "고양이가 두 마리 있다", "강아지가 두 마리 있다"),
        ("أحمد", "قال احمد نعم", "قال محمد نعم"),
        ("שלום", "אמר שלום לכולם", "אמר תודה לכולם"),
        ("อากาศ", "วันนี้อากาศดีมาก", "วันนี้ฝนตกหนัก"),
        ("кошки", "у нее две кошки", "у нее две собаки"),
        ("🎉", "we won 🎉", "we won 🏆"),
        ("CAFE", "un café noir", "un thé noir"),
    ],
)
async def test_the_text_with_the_words_of_the_query_is_nearer(query: str, alike: str, other: str) -> None:
    near, far = await similarities(query, alike, other)
    assert near > far


async def test_words_of_content_tell_more_than_function_words() -> None:
    near, far = await similarities("what is the name of the dog", "dog", "what is the of the")
    assert near > far


async def test_a_repeated_word_gains_less_each_time() -> None:
    once, twice, often = await similarities("tea", "tea shop", "tea tea shop", "tea " * 9 + "shop")
    assert once < twice < often < 1
    assert often - twice < 7 * (twice - once)


@pytest.mark.parametrize("dimensions", [1, 8, 384, 1024])
async def test_rows_have_unit_length_and_the_dimensions_asked_for(dimensions: int) -> None:
    embedder = LexicalEmbedder(dimensions)
    rows = await embedder.embed(["tea with milk", "猫", "x"])
    assert rows.shape == (3, dimensions) == (3, embedder.dimensions)
    assert rows.dtype == np.float32
    if dimensions > 8:  # in very few, features may cancel each other out
        np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)


async def test_a_text_without_words_gives_a_zero_row() -> None:
    rows = await LEXICAL.embed(["", "?!", "tea"])
    assert [bool(row.any()) for row in rows] == [False, False, True]
    assert (await LEXICAL.embed([])).shape == (0, LEXICAL.dimensions)


async def test_a_vector_depends_on_its_text_alone() -> None:
    fresh = LexicalEmbedder()
    before = await fresh.embed(["tea with milk"])
    await fresh.embed(["coffee " * 3000, "tea"])
    np.testing.assert_array_equal(before, await fresh.embed(["tea with milk"]))
    np.testing.assert_array_equal(before, await LEXICAL.embed(["tea with milk"]))


async def test_a_long_import_lets_other_tasks_run() -> None:
    turns = 0

    async def count_turns() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    other = asyncio.create_task(count_turns())
    await LEXICAL.embed(["some words of a text " * 50] * 100)
    other.cancel()
    assert turns >= 10


async def test_a_very_long_text_counts_to_a_bound_and_lets_other_tasks_run() -> None:
    passes = 0

    async def others() -> None:
        nonlocal passes
        while True:
            passes += 1
            await asyncio.sleep(0)

    waiting = asyncio.create_task(others())
    text = "".join(f"Laterne{number:x} " for number in range(10_000))
    embedder = LexicalEmbedder()
    (cut,), (whole,) = await embedder.embed([text[:MAX_CHARACTERS]]), await embedder.embed([text])
    np.testing.assert_array_equal(cut, whole)
    (shorter,) = await embedder.embed([text[: MAX_CHARACTERS - 100]])
    assert not np.array_equal(shorter, whole)
    assert passes >= 10
    waiting.cancel()


def test_the_model_id_tells_dimensions_apart() -> None:
    assert LexicalEmbedder(512).model_id != LexicalEmbedder(1024).model_id
    assert LexicalEmbedder(512).model_id == LexicalEmbedder(512).model_id


@pytest.mark.parametrize("embedder", [LexicalEmbedder, RandomEmbedder])
def test_dimensions_must_be_positive(embedder: type[LexicalEmbedder | RandomEmbedder]) -> None:
    with pytest.raises(ValueError, match="dimensions"):
        embedder(0)


@given(st.text(st.characters(exclude_categories=()), max_size=100))
def test_any_text_gives_a_finite_row(text: str) -> None:
    length = float(np.linalg.norm(asyncio.run(LEXICAL.embed([text]))))
    assert length == pytest.approx(1, abs=1e-5) or length == 0


async def test_random_vectors_are_alike_for_equal_texts_only() -> None:
    one, same, other = await RandomEmbedder(256).embed(["tea", "tea", "tea "])
    assert one @ same == pytest.approx(1, abs=1e-6)
    assert abs(one @ other) < 0.4


async def test_random_vectors_are_the_same_in_every_process() -> None:
    row = (await RandomEmbedder(4).embed(["tea"]))[0]
    again = (await RandomEmbedder(4).embed(["x", "tea"]))[1]
    np.testing.assert_array_equal(row, again)
    assert not (await RandomEmbedder(4).embed([""])).any()
    assert np.linalg.norm(await RandomEmbedder(4).embed(["\ud800"])) == pytest.approx(1)


async def test_counted_terms_give_the_vector_of_their_text() -> None:
    texts = [
        "The kettle boils, the kettle whistles.",
        "水壶在星期二响了 🚀",
        "Où est la gare? It's at app/userStore.py:12",
        "e\u0301te\u0301",
    ]
    counts = [counted_terms(text, ["?", "ann:"]) for text in texts]
    assert all("?" in each.counts and "?" not in each.of_words for each in counts)
    by_terms = await LEXICAL.embed_terms([each.of_words for each in counts])
    assert np.array_equal(by_terms, await LEXICAL.embed(texts))
    assert by_terms.any(axis=1).all()


async def test_texts_added_up_at_once_have_the_rows_of_each_alone() -> None:
    # More terms than are added up at once; among them a text without any, and words that share their n-grams.
    texts = [f"the kettle{number} boils, the kettles whistle {number} times" for number in range(300)]
    texts[7:7], texts[150:150] = ["", "..."], ["word " * 2_000]
    rows = await LexicalEmbedder().embed(texts)
    for row, text in zip(rows, texts, strict=True):
        (alone,) = await LexicalEmbedder().embed([text])
        assert row.tobytes() == alone.tobytes()
    assert rows[0].any()
    assert not rows[7].any()
