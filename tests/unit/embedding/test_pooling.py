"""Needs of models beside their files: how tokens become a vector, what precedes texts, how short vectors may be."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from camillo_server.models.embedding.model_spec import ModelSpec, Pooling
from camillo_server.models.embedding.onnx import OnnxEmbedder
from camillo_server.models.embedding.onnx_model import EmbeddingError
from camillo_server.models.embedding.prefixes import Prefixes
from camillo_server.models.embedding.providers import choose_embedder
from camillo_server.models.embedding.text_embedding import TextEmbedding
from camillo_server.settings.settings import MemorySettings
from onnx import TensorProto

from tests.tiny_models import IDS, INPUTS, WORDS, write_embedder
from tests.unit.embedding.remote import SPACE

TEXTS = ["tea", "tea milk 茶 coffee", "قهوة 🎉"]


def direction(*words: str) -> Any:
    """The unit vector that points where these words do."""
    row = np.zeros(len(WORDS), np.float32)
    for word in words:
        row[IDS[word]] += 1
    return row / np.linalg.norm(row)


async def rows(model_dir: Path, **options: Any) -> Any:
    embedder = OnnxEmbedder(model_dir, **options)
    try:
        return await embedder.embed(TEXTS)
    finally:
        await embedder.close()


@pytest.mark.parametrize(
    ("pooling", "expected"),
    [
        ("mean", [("[CLS]", "tea", "[SEP]"), ("[CLS]", "tea", "milk", "茶", "coffee", "[SEP]")]),
        ("cls", [("[CLS]",), ("[CLS]",)]),
        ("last", [("[SEP]",), ("[SEP]",)]),
    ],
)
async def test_tokens_become_a_vector_as_the_model_wants_it(
    tmp_path: Path, pooling: str, expected: list[tuple[str, ...]]
) -> None:
    found = await rows(write_embedder(tmp_path / "m", spec={"pooling": pooling}))
    for row, words in zip(found, expected, strict=False):
        np.testing.assert_allclose(row, direction(*words), atol=1e-6)


async def test_the_last_token_of_a_shorter_text_is_not_padding(tmp_path: Path) -> None:
    for row in await rows(write_embedder(tmp_path / "m", spec={"pooling": "last"})):
        np.testing.assert_allclose(row, direction("[SEP]"), atol=1e-6)


@pytest.mark.parametrize("outputs", [("sentence_embedding",), ("last_hidden_state", "sentence_embedding")])
async def test_a_model_with_a_head_pools_by_itself(tmp_path: Path, outputs: tuple[str, ...]) -> None:
    found = await rows(write_embedder(tmp_path / "m", outputs, spec={"pooling": "model"}))
    for row, word in zip(found, ("tea", "tea", "قهوة"), strict=True):
        np.testing.assert_allclose(row, direction(word), atol=1e-6)


async def test_a_head_is_used_unasked_where_there_is_nothing_else(tmp_path: Path) -> None:
    found = await rows(write_embedder(tmp_path / "one", ("sentence_embedding",)))
    np.testing.assert_allclose(found[0], direction("tea"), atol=1e-6)
    both = ("last_hidden_state", "sentence_embedding")
    found = await rows(write_embedder(tmp_path / "both", both))
    np.testing.assert_allclose(found[0], direction("[CLS]", "tea", "[SEP]"), atol=1e-6)


@pytest.mark.parametrize("inputs", [("input_ids",), INPUTS[:2], INPUTS[:3], INPUTS])
@pytest.mark.parametrize("kind", [TensorProto.INT64, TensorProto.INT32])
async def test_every_signature_is_fed(tmp_path: Path, inputs: tuple[str, ...], kind: int) -> None:
    found = await rows(write_embedder(tmp_path / "m", inputs=inputs, kind=kind))
    np.testing.assert_allclose(found[0], direction("[CLS]", "tea", "[SEP]"), atol=1e-6)


def test_inputs_that_are_no_integers_are_refused(tmp_path: Path) -> None:
    model_dir = write_embedder(tmp_path / "m", inputs=INPUTS[:2])
    content = (model_dir / "model.onnx").read_bytes()
    OnnxEmbedder(model_dir)
    import onnx

    model = onnx.load_model_from_string(content)
    model.graph.input[1].type.tensor_type.elem_type = TensorProto.FLOAT
    (model_dir / "model.onnx").write_bytes(model.SerializeToString())
    with pytest.raises(EmbeddingError, match="no integers: \\['attention_mask'\\]"):
        OnnxEmbedder(model_dir)


async def test_vectors_are_cut_where_the_model_allows_it(tmp_path: Path) -> None:
    model_dir = write_embedder(tmp_path / "m", spec={"pooling": "mean", "dimensions": [11, 4]})
    whole, cut = OnnxEmbedder(model_dir), OnnxEmbedder(model_dir, dimensions=4)
    not_allowed = OnnxEmbedder(model_dir, dimensions=6)
    assert (whole.dimensions, cut.dimensions, not_allowed.dimensions) == (len(WORDS), 4, len(WORDS))
    (row,) = await cut.embed(["tea"])
    np.testing.assert_allclose(row, direction("[CLS]", "[SEP]")[:4], atol=1e-6)
    assert len({whole.model_id, cut.model_id}) == 2
    assert whole.model_id == not_allowed.model_id


async def test_queries_and_stored_texts_get_their_prefixes(tmp_path: Path) -> None:
    spec = {"query_prefix": "query: ", "document_prefix": "milk "}
    model_dir = write_embedder(tmp_path / "models" / "m", spec=spec)
    choice = choose_embedder(MemorySettings(model_dir=model_dir))
    assert choice.prefixes == Prefixes("query: ", "milk ")
    embedding = TextEmbedding(choice.embedder, 10, print, prefixes=choice.prefixes)
    query = await embedding.query_vector("tea", SPACE)
    stored = await embedding.vector("tea", SPACE)
    assert query is not None
    assert stored is not None
    np.testing.assert_allclose(query.values, direction("[CLS]", "query:", "tea", "[SEP]"), atol=1e-6)
    np.testing.assert_allclose(stored.values, direction("[CLS]", "milk", "tea", "[SEP]"), atol=1e-6)
    await embedding.close()


async def test_the_model_id_follows_how_vectors_are_made(tmp_path: Path) -> None:
    def model_id(name: str, spec: dict[str, Any] | None) -> str:
        return OnnxEmbedder(write_embedder(tmp_path / name / "m", spec=spec)).model_id

    plain = model_id("plain", None)
    assert plain == model_id("default", {"pooling": "mean"})
    ids = {plain, model_id("cls", {"pooling": "cls"}), model_id("p", {"query_prefix": "query: "})}
    assert len(ids) == 3
    # Which lengths are allowed changes no vector.
    assert plain == model_id("cuts", {"dimensions": [5]})
    assert plain == model_id("of a reranker", {"rerank_weight": 0.5, "rerank_midpoint": 6})


def test_fields_of_rerankers_left_the_names_of_vectors_as_they_were() -> None:
    spec = ModelSpec(Pooling.CLS, "問い: ", "", (256,), 512, rerank_weight=0.5, rerank_midpoint=6)
    before = "2234a2fe53bf8f1501b08b628ebf0ec992ddd3fae6fe5848b8c98d69ea7fcd37"
    assert spec.digest("ab") == before


def test_a_spec_is_read_as_it_was_written(tmp_path: Path) -> None:
    spec = ModelSpec(Pooling.CLS, "問い: ", "نص: ", (256, 128), 512, 0.25, -1.5)
    spec.write(tmp_path)
    assert ModelSpec.read(tmp_path) == spec
    ModelSpec().write(tmp_path)
    assert not (tmp_path / "camillo.json").exists()
    assert ModelSpec.read(tmp_path) == ModelSpec()


@pytest.mark.parametrize(
    ("stated", "told"),
    [
        ({"pooling": "sum"}, "pooling: Input should be 'mean', 'cls', 'last' or 'model'"),
        ({"pooling": ["cls"]}, "pooling: Input should be"),
        ({"query_prefix": 1}, "query_prefix: Input should be a valid string"),
        ({"document_prefix": "x" * 501}, "document_prefix: String should have at most 500"),
        ({"dimensions": [8, 0]}, "dimensions.1: Input should be greater than or equal to 1"),
        ({"dimensions": 256}, "dimensions: Input should be a valid"),
        ({"max_tokens": True}, "max_tokens: Input should be a valid integer"),
        ({"max_tokens": 9000}, "max_tokens: Input should be less than or equal to 8192"),
        ({"rerank_weight": 1.5}, "rerank_weight: Input should be less than or equal to 1"),
        ({"rerank_weight": "0.5"}, "rerank_weight: Input should be a valid number"),
        ({"rerank_midpoint": float("nan")}, "rerank_midpoint: Input should be a finite number"),
        ({"prefix": "x"}, "prefix: Unexpected"),
        (["mean"], "Input should be an object"),
    ],
)
def test_a_spec_of_no_use_is_refused_with_its_field(tmp_path: Path, stated: Any, told: str) -> None:
    model_dir = write_embedder(tmp_path / "m", spec=stated)
    with pytest.raises(EmbeddingError, match=f"camillo.json: {told}"):
        OnnxEmbedder(model_dir)
    (model_dir / "camillo.json").write_text(json.dumps({}))
    OnnxEmbedder(model_dir)
