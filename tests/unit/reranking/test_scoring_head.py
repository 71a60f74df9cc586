"""A cross-encoder in parts, and what a model states beside its files: its head, its midpoint, its weight."""

import json
import math
from pathlib import Path
from typing import cast

import numpy as np
import pytest
from camillo_server.models.embedding.model_spec import SPEC_FILE
from camillo_server.models.embedding.onnx_model import HEAD_FILES, EmbeddingError, ScoringHead
from camillo_server.models.embedding.spend import EmbeddingBudget
from camillo_server.models.reranking.cross_encoder import CrossEncoder, LocalReranker, open_reranking
from camillo_server.settings.sections import RerankingSettings

from tests.tiny_models import IDS, WORDS, Head, some_head, write_headed_reranker, write_reranker, write_tensors

WIDTH = len(WORDS)
DENSE, NORM, SCORE = HEAD_FILES


def expected(weights: Head, word: str) -> float:
    """The formula, number by number."""
    row = weights[DENSE]["linear.weight"][:, IDS[word]].astype(float)
    row = np.array([0.5 * each * (1 + math.erf(each / math.sqrt(2))) for each in row])
    row = (row - row.mean()) / math.sqrt(row.var() + 1e-5)
    row = row * weights[NORM]["norm.weight"] + weights[NORM]["norm.bias"]
    return float(row @ weights[SCORE]["linear.weight"][0] + weights[SCORE]["linear.bias"][0])


async def scores(model_dir: Path, *texts: str) -> list[float]:
    reranker = LocalReranker(CrossEncoder(model_dir))
    try:
        found: list[float] = (await reranker.scores("what", list(texts))).tolist()
        return found
    finally:
        await reranker.close()


async def test_a_head_beside_the_encoder_makes_the_scores(tmp_path: Path) -> None:
    weights = some_head()
    found = await scores(write_headed_reranker(tmp_path / "m", weights), "tea", "茶 now", "🎉")
    logits = [expected(weights, word) for word in ("tea", "茶", "🎉")]
    assert found == pytest.approx([1 / (1 + math.exp(-each)) for each in logits], abs=1e-5)
    assert len(set(found)) == 3


async def test_a_midpoint_is_a_score_of_one_half(tmp_path: Path) -> None:
    model_dir = write_reranker(tmp_path / "m")
    # The logits of the tiny model are 2 and 3.
    (model_dir / SPEC_FILE).write_text(json.dumps({"rerank_midpoint": 2.0}))
    assert await scores(model_dir, "milk", "茶") == pytest.approx([0.5, 1 / (1 + math.exp(-1))])
    other = write_reranker(tmp_path / "classes", "n2")
    (other / SPEC_FILE).write_text(json.dumps({"rerank_midpoint": 2.0}))
    assert await scores(other, "milk") == pytest.approx([0.5])


@pytest.mark.parametrize("gone", HEAD_FILES)
def test_a_part_of_a_head_is_refused(tmp_path: Path, gone: str) -> None:
    model_dir = write_headed_reranker(tmp_path / "m", some_head())
    assert ScoringHead.read(model_dir) is not None
    (model_dir / gone).unlink()
    with pytest.raises(EmbeddingError, match=gone):
        CrossEncoder(model_dir)


def test_an_encoder_without_its_head_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingError, match="no cross-encoder"):
        CrossEncoder(write_headed_reranker(tmp_path / "m", {}))


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff" * 40,
        (2**63).to_bytes(8, "little") + b"{}",
        (4).to_bytes(8, "little") + b"null",
        (20_000).to_bytes(8, "little") + b"[" * 20_000,
        (18).to_bytes(8, "little") + b'{"linear.bias": 1}',
    ],
)
def test_a_damaged_file_of_weights_is_told_by_its_name(tmp_path: Path, content: bytes) -> None:
    model_dir = write_headed_reranker(tmp_path / "m", some_head())
    (model_dir / SCORE).write_bytes(content)
    with pytest.raises(EmbeddingError, match=SCORE):
        CrossEncoder(model_dir)


def test_weights_of_another_shape_or_type_are_refused(tmp_path: Path) -> None:
    model_dir, weights = write_headed_reranker(tmp_path / "m", some_head()), some_head()
    write_tensors(model_dir / SCORE, weights[SCORE], kind="BF16")
    with pytest.raises(EmbeddingError, match="BF16"):
        CrossEncoder(model_dir)
    write_tensors(model_dir / SCORE, {**weights[SCORE], "linear.bias": np.zeros(2)})
    with pytest.raises(EmbeddingError, match=r"no tensor linear\.bias of the shape \[1\]"):
        CrossEncoder(model_dir)
    for name, tensors in narrowed(weights).items():
        write_tensors(model_dir / name, tensors)
    with pytest.raises(EmbeddingError, match="no encoder for its head"):
        CrossEncoder(model_dir)


def narrowed(weights: Head) -> Head:
    """A head for vectors of half the length."""
    half = WIDTH // 2
    return {
        DENSE: {"linear.weight": weights[DENSE]["linear.weight"][:half, :half]},
        NORM: {name: values[:half] for name, values in weights[NORM].items()},
        SCORE: {
            "linear.weight": weights[SCORE]["linear.weight"][:, :half],
            "linear.bias": weights[SCORE]["linear.bias"],
        },
    }


@pytest.mark.parametrize(
    ("stated", "setting", "weight"),
    [(None, None, 0.7), (0.4, None, 0.4), (0.4, 0.9, 0.9), (None, 0.0, 0.0), (0.0, None, 0.0)],
)
async def test_the_setting_has_the_last_word_on_the_weight(
    tmp_path: Path, stated: float | None, setting: float | None, weight: float
) -> None:
    model_dir = write_reranker(tmp_path / "rerankers" / "m")
    if stated is not None:
        (model_dir / SPEC_FILE).write_text(json.dumps({"rerank_weight": stated}))
    settings = RerankingSettings(provider="onnx", weight=setting)
    # A local model costs nothing.
    opened = open_reranking(settings, tmp_path, cast(EmbeddingBudget, None), lambda _: None)
    assert opened is not None
    assert opened.defaults.weight == weight
    await opened.close()
