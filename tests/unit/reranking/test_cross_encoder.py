"""A local cross-encoder: every shape of its output, every signature of its input, pairs of all callers in batches."""

import asyncio
from pathlib import Path

import numpy as np
import pytest
from camillo_server.kernel.ids import TenantId
from camillo_server.models.embedding.embedder import EmbeddingUnavailable
from camillo_server.models.embedding.onnx_model import EmbeddingError
from camillo_server.models.reranking.cross_encoder import SHARING, CrossEncoder, LocalReranker, scores_of
from onnx import TensorProto

from tests.tiny_models import INPUTS, WEIGHTS, write_embedder, write_reranker

# With the logits that the tiny model gives them.
TEXTS = {"tea": 1.0, "milk 茶 🎉": 5.0, "coffee قهوة": -3.0, "nothing known": 0.0, "": 0.0}
QUERY = "what is there to drink?"


def logistic(logit: float) -> float:
    return float(1 / (1 + np.exp(-logit)))


async def scores(model_dir: Path, texts: list[str], query: str = QUERY) -> list[float]:
    reranker = LocalReranker(CrossEncoder(model_dir))
    try:
        found: list[float] = (await reranker.scores(query, texts)).tolist()
        return found
    finally:
        await reranker.close()


@pytest.mark.parametrize("shape", ["n1", "n2", "n"])
async def test_every_shape_of_logits_becomes_scores_from_0_to_1(tmp_path: Path, shape: str) -> None:
    found = await scores(write_reranker(tmp_path / shape, shape), [*TEXTS])
    assert found == pytest.approx([logistic(logit) for logit in TEXTS.values()], abs=1e-6)


@pytest.mark.parametrize("inputs", [("input_ids",), INPUTS[:2], INPUTS[:3], INPUTS])
@pytest.mark.parametrize("kind", [TensorProto.INT64, TensorProto.INT32])
async def test_every_signature_is_fed(tmp_path: Path, inputs: tuple[str, ...], kind: int) -> None:
    found = await scores(write_reranker(tmp_path / "m", inputs=inputs, kind=kind), ["milk"])
    assert found == pytest.approx([logistic(2)], abs=1e-6)


async def test_an_output_of_another_name_is_read_where_it_is_the_only_one(tmp_path: Path) -> None:
    found = await scores(write_reranker(tmp_path / "m", output="score"), ["tea"])
    assert found == pytest.approx([logistic(1)], abs=1e-6)


async def test_the_query_is_read_beside_the_text(tmp_path: Path) -> None:
    model_dir = write_reranker(tmp_path / "m")
    assert await scores(model_dir, ["tea"], "milk") == pytest.approx([logistic(3)], abs=1e-6)


@pytest.mark.parametrize("shape", ["n3", "nn"])
def test_what_is_no_cross_encoder_is_refused(tmp_path: Path, shape: str) -> None:
    with pytest.raises(EmbeddingError, match="no cross-encoder: of 2 pairs it makes \\[2, "):
        CrossEncoder(write_reranker(tmp_path / shape, shape))


def test_an_embedder_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingError, match="no cross-encoder"):
        CrossEncoder(write_embedder(tmp_path / "m"))


def test_scores_that_are_no_numbers_are_refused_and_endless_ones_are_the_bounds() -> None:
    ends = np.array([np.inf, -np.inf, 100, -100], np.float32)
    assert scores_of(ends, 4).tolist() == pytest.approx([1, 0, 1, 0], abs=1e-6)
    with pytest.raises(EmbeddingUnavailable, match="no numbers"):
        scores_of(np.array([0, np.nan], np.float32), 2)


async def test_a_pair_has_the_score_in_a_batch_that_it_has_alone(tmp_path: Path) -> None:
    model_dir = write_reranker(tmp_path / "m")
    texts = ["tea " * (1 + n % 7) + "milk" * (n % 2) for n in range(3 * SHARING.texts)]
    together = await scores(model_dir, texts)
    alone = [score for text in texts for score in await scores(model_dir, [text])]
    assert together == pytest.approx(alone, abs=1e-6)
    assert len({round(score, 4) for score in together}) > 3


async def test_long_and_odd_texts_and_queries_are_read(tmp_path: Path) -> None:
    model_dir = write_reranker(tmp_path / "m")
    odd = ["milk " * 5_000, "\ud800", "e\u0301" * 100, "مرحبا \u202e tea", "👩‍👩‍👧 茶"]
    for query in (QUERY, "", "tea " * 5_000, "\udfff"):
        found = await scores(model_dir, odd, query)
        assert all(0 <= score <= 1 for score in found)
    # The model holds 64 tokens: what lies behind them is not read.
    assert await scores(model_dir, ["nothing " * 100 + "milk"]) == pytest.approx([0.5])


async def test_callers_at_the_same_time_do_not_mix(tmp_path: Path) -> None:
    reranker = LocalReranker(CrossEncoder(write_reranker(tmp_path / "m")))
    words = [*WEIGHTS] * 4
    answers = await asyncio.gather(
        *(reranker.scores("?", [word] * 30, TenantId(f"t{n}")) for n, word in enumerate(words))
    )
    for word, found in zip(words, answers, strict=True):
        assert found.tolist() == pytest.approx([logistic(WEIGHTS[word])] * 30, abs=1e-6)
    await reranker.close()


async def test_a_closed_reranker_is_unavailable(tmp_path: Path) -> None:
    reranker = LocalReranker(CrossEncoder(write_reranker(tmp_path / "m")))
    assert (await reranker.scores("?", ["tea"])).size == 1
    await reranker.close()
    with pytest.raises(EmbeddingUnavailable, match="closed"):
        await reranker.scores("?", ["tea"])
