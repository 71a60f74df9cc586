"""The reranker that is taken, and what is said where none can be had."""

from pathlib import Path

import pytest
from camillo_server.models.embedding.onnx_model import EmbeddingError
from camillo_server.models.embedding.providers import choose_embedder
from camillo_server.models.reranking.cross_encoder import LocalReranker, choose_reranker
from camillo_server.settings.sections import RerankingSettings
from camillo_server.settings.settings import MemorySettings, Settings
from pydantic import ValidationError

from tests.tiny_models import write_embedder, write_reranker

ONNX = RerankingSettings(provider="onnx")


def test_without_a_setting_there_is_none_even_if_a_model_is_there(tmp_path: Path) -> None:
    write_reranker(tmp_path / "rerankers" / "tiny")
    assert choose_reranker(RerankingSettings(), tmp_path) is None
    assert choose_reranker(ONNX, tmp_path) is not None


def test_the_first_that_loads_is_taken(tmp_path: Path) -> None:
    write_embedder(tmp_path / "rerankers" / "a-wrong-one")
    write_reranker(tmp_path / "rerankers" / "b")
    write_reranker(tmp_path / "rerankers" / "c")
    chosen = choose_reranker(ONNX, tmp_path)
    assert isinstance(chosen, LocalReranker)
    assert chosen.model_id.startswith("b-")


@pytest.mark.parametrize("is_path", [False, True])
def test_the_one_that_is_named_is_taken_and_no_other(tmp_path: Path, is_path: bool) -> None:
    there = write_reranker(tmp_path / "rerankers" / "b")
    write_reranker(tmp_path / "rerankers" / "a")
    named = RerankingSettings(provider="onnx", model=str(there) if is_path else "b")
    chosen = choose_reranker(named, tmp_path)
    assert chosen is not None
    assert chosen.model_id.startswith("b-")
    (there / "model.onnx").unlink()
    with pytest.raises(EmbeddingError, match=r"b has no file model\.onnx"):
        choose_reranker(named, tmp_path)


def test_where_there_is_none_the_message_says_what_to_do(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingError, match=r"no reranker in .* camillo models pull"):
        choose_reranker(ONNX, tmp_path)


def test_no_reranker_is_taken_for_an_embedder(tmp_path: Path) -> None:
    write_reranker(tmp_path / "rerankers" / "tiny")
    write_reranker(tmp_path / "models" / "misplaced")
    choice = choose_embedder(MemorySettings(), tmp_path)
    assert "lexical" in choice.reason
    assert "must have 3" in choice.reason


def test_a_remote_one_needs_a_model_and_a_budget(tmp_path: Path) -> None:
    with pytest.raises(ValidationError, match="litellm needs model"):
        RerankingSettings(provider="litellm")
    stated = {"provider": "litellm", "model": "jina_ai/x"}
    with pytest.raises(ValidationError, match=r"needs memory\.embedding_budget_usd"):
        Settings.model_validate({"data_dir": tmp_path, "reranking": stated})
    budget = {"embedding_budget_usd": 1}
    Settings.model_validate({"data_dir": tmp_path, "reranking": stated, "memory": budget})
