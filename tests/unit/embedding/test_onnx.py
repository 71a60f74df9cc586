"""The ONNX provider, with a model written by hand and, where it is present, with a real one."""

import asyncio
import json
import os
from collections.abc import AsyncIterator
from pathlib import Path

import numpy as np
import pytest
from camillo_server.kernel.ids import TenantId
from camillo_server.models.embedding.batching import Batching
from camillo_server.models.embedding.embedder import EmbeddingUnavailable
from camillo_server.models.embedding.onnx import SHARING, OnnxEmbedder
from camillo_server.models.embedding.onnx_model import EmbeddingError

from tests.unit.embedding.conftest import write_tiny_model

REPOSITORY = Path(__file__).parents[3]


@pytest.fixture
async def tiny(tiny_model_dir: Path) -> AsyncIterator[OnnxEmbedder]:
    embedder = OnnxEmbedder(tiny_model_dir)
    yield embedder
    await embedder.close()


async def test_a_vector_is_the_mean_of_the_tokens_at_unit_length(tiny: OnnxEmbedder) -> None:
    rows = await tiny.embed(["tea", "tea coffee", "milk"])
    half = np.sqrt(0.5)
    expected = np.array([[1, 0, 0], [half, half, 0], [0.6, 0.8, 0]])
    np.testing.assert_allclose(rows, expected, atol=1e-6)
    assert rows.dtype == np.float32
    assert tiny.dimensions == 3


async def test_a_text_in_a_batch_gets_the_vector_it_gets_alone(tiny: OnnxEmbedder) -> None:
    texts = ["tea " * (1 + index % 4) + "milk" * (index % 2) for index in range(75)]
    together = await tiny.embed(texts)
    alone = np.vstack([await tiny.embed([text]) for text in texts])
    np.testing.assert_allclose(together, alone, atol=1e-6)
    assert len({row.tobytes() for row in together.round(4)}) > 1


async def test_a_text_is_cut_at_what_the_model_holds(tiny: OnnxEmbedder) -> None:
    cut, whole = await tiny.embed(["tea tea tea tea milk", "tea tea tea milk"])
    np.testing.assert_allclose(cut, [1, 0, 0], atol=1e-6)
    assert whole[1] > 0


async def test_the_length_that_the_configuration_states_goes_first(tiny_model_dir: Path) -> None:
    config = {"max_seq_length": 1, "max_position_embeddings": 4}
    (tiny_model_dir / "config.json").write_text(json.dumps(config))
    embedder = OnnxEmbedder(tiny_model_dir)
    np.testing.assert_allclose(await embedder.embed(["tea milk"]), [[1, 0, 0]], atol=1e-6)
    await embedder.close()


async def test_a_text_without_a_token_gives_a_zero_row(tiny: OnnxEmbedder) -> None:
    rows = await tiny.embed(["", "tea", " \n"])
    np.testing.assert_array_equal(np.linalg.norm(rows, axis=1) > 0, [False, True, False])
    assert (await tiny.embed(["", ""])).tolist() == [[0, 0, 0], [0, 0, 0]]


async def test_no_texts_give_no_rows(tiny: OnnxEmbedder) -> None:
    assert (await tiny.embed([])).shape == (0, 3)


async def test_a_lone_surrogate_does_no_harm(tiny: OnnxEmbedder) -> None:
    assert np.linalg.norm(await tiny.embed(["\ud800"])) == pytest.approx(1)


async def test_only_the_inputs_that_the_model_declares_are_fed(tmp_path: Path) -> None:
    for inputs in (("input_ids",), ("input_ids", "attention_mask", "token_type_ids")):
        embedder = OnnxEmbedder(write_tiny_model(tmp_path / str(len(inputs)), inputs))
        np.testing.assert_allclose(await embedder.embed(["coffee"]), [[0, 1, 0]], atol=1e-6)
        await embedder.close()


async def test_calls_at_the_same_time_do_not_mix(tiny: OnnxEmbedder) -> None:
    answers = await asyncio.gather(*(tiny.embed([word] * 40) for word in ("tea", "coffee") * 5))
    for position, rows in enumerate(answers):
        assert (rows[:, position % 2] == 1).all()


async def test_a_tenant_with_many_texts_leaves_the_model_to_others(tiny: OnnxEmbedder) -> None:
    batching, answered = Batching(tiny, SHARING), list[str]()

    async def embed(text: str, tenant_id: str) -> None:
        await batching.embed([text], TenantId(tenant_id))
        answered.append(tenant_id)

    noisy = [asyncio.create_task(embed("tea milk", "noisy")) for _ in range(200)]
    quiet = [asyncio.create_task(embed("milk", "quiet"))]
    imports = [asyncio.create_task(batching.embed(["tea"] * 200, TenantId("noisy")))]
    quiet.append(asyncio.create_task(embed("コーヒー", "third")))
    await asyncio.gather(*noisy, *quiet, *imports)
    # In the first batch after the one that was under way.
    assert {"quiet", "third"} <= set(answered[: 1 + SHARING.texts])
    assert len(answered) == 202


async def test_the_model_id_follows_the_content_of_the_model(tmp_path: Path) -> None:
    one = OnnxEmbedder(write_tiny_model(tmp_path / "a" / "tiny"))
    same = OnnxEmbedder(write_tiny_model(tmp_path / "b" / "tiny"))
    other_inputs = ("input_ids", "attention_mask")
    other = OnnxEmbedder(write_tiny_model(tmp_path / "c" / "tiny", other_inputs))
    assert one.model_id == same.model_id != other.model_id
    assert one.model_id.startswith("tiny-")
    for embedder in (one, same, other):
        await embedder.close()


async def test_a_closed_embedder_is_unavailable(tiny_model_dir: Path) -> None:
    embedder = OnnxEmbedder(tiny_model_dir)
    assert (await embedder.embed(["tea"])).any()
    await embedder.close()
    with pytest.raises(EmbeddingUnavailable, match="closed"):
        await embedder.embed(["tea"])


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "config.json"])
def test_a_missing_file_is_named(tiny_model_dir: Path, name: str) -> None:
    (tiny_model_dir / name).unlink()
    with pytest.raises(EmbeddingError, match=name):
        OnnxEmbedder(tiny_model_dir)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "config.json"])
@pytest.mark.parametrize("content", [b"", b"\x00broken\xff", b"[]"])
def test_a_broken_file_is_named(tiny_model_dir: Path, name: str, content: bytes) -> None:
    (tiny_model_dir / name).write_bytes(content)
    with pytest.raises(EmbeddingError, match=name):
        OnnxEmbedder(tiny_model_dir)


@pytest.mark.parametrize("name", ["max_seq_length", "max_position_embeddings"])
async def test_a_length_of_no_use_is_refused(tiny_model_dir: Path, name: str) -> None:
    for length in ("0", '"long"', "-1"):
        (tiny_model_dir / "config.json").write_text(f'{{"{name}": {length}}}')
        with pytest.raises(EmbeddingError, match="length"):
            OnnxEmbedder(tiny_model_dir)
    # One that is not stated is the default.
    (tiny_model_dir / "config.json").write_text(f'{{"{name}": null}}')
    await OnnxEmbedder(tiny_model_dir).close()


def test_a_model_with_an_unknown_input_is_refused(tmp_path: Path) -> None:
    model_dir = write_tiny_model(tmp_path / "odd", ("input_ids", "pixel_values"))
    with pytest.raises(EmbeddingError, match="pixel_values"):
        OnnxEmbedder(model_dir)


@pytest.fixture
async def real() -> AsyncIterator[OnnxEmbedder]:
    default = REPOSITORY.parent / "shared" / "models" / "all-minilm-l6-v2"
    model_dir = Path(os.environ.get("CAMILLO_TEST_MODEL_DIR") or default)
    if not (model_dir / "model.onnx").is_file():
        pytest.skip("no real model: set CAMILLO_TEST_MODEL_DIR to a model directory")
    embedder = OnnxEmbedder(model_dir)
    yield embedder
    await embedder.close()


async def test_a_real_model_finds_what_is_meant_without_a_shared_word(real: OnnxEmbedder) -> None:
    query, meant, other = await real.embed(
        ["Which pets does she own?", "She has two cats and a dog", "The train leaves at noon"]
    )
    assert query @ meant > query @ other + 0.2


async def test_a_real_model_takes_long_and_odd_texts(real: OnnxEmbedder) -> None:
    texts = ["word " * 5000, "猫が好き", "مرحبا", "🎉", "\ud800", "", "e\u0301" * 100]
    lengths = np.linalg.norm(await real.embed(texts), axis=1)
    np.testing.assert_allclose(lengths, [1, 1, 1, 1, 1, 0, 1], atol=1e-5)
