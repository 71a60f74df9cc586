"""The provider that is taken, and what is said of it."""

import subprocess
import sys
from pathlib import Path
from typing import Literal

import pytest
from camillo_server.models.embedding.batching import Batching
from camillo_server.models.embedding.lexical import LexicalEmbedder, RandomEmbedder
from camillo_server.models.embedding.litellm import LiteLLMEmbedder
from camillo_server.models.embedding.onnx import OnnxEmbedder
from camillo_server.models.embedding.onnx_model import EmbeddingError
from camillo_server.models.embedding.providers import choose_embedder
from camillo_server.settings.settings import MemorySettings

from tests.unit.embedding.conftest import write_tiny_model


async def test_auto_takes_the_model_that_is_given(tiny_model_dir: Path) -> None:
    choice = choose_embedder(MemorySettings(model_dir=tiny_model_dir))
    assert isinstance(choice.embedder, OnnxEmbedder)
    assert "tiny" in choice.reason
    await choice.embedder.close()


async def test_auto_takes_the_model_that_is_found(tiny_model_dir: Path) -> None:
    choice = choose_embedder(MemorySettings(), tiny_model_dir.parents[1])
    assert isinstance(choice.embedder, OnnxEmbedder)
    await choice.embedder.close()


async def test_auto_passes_over_a_found_model_that_is_broken(tiny_model_dir: Path) -> None:
    broken = write_tiny_model(tiny_model_dir.parent / "a-broken-one")
    (broken / "model.onnx").write_bytes(b"broken")
    choice = choose_embedder(MemorySettings(), tiny_model_dir.parents[1])
    assert choice.embedder.model_id.startswith("tiny-")
    await choice.embedder.close()


def test_auto_without_a_model_is_lexical(tmp_path: Path) -> None:
    for data_dir in (None, tmp_path, tmp_path / "absent"):
        choice = choose_embedder(MemorySettings(), data_dir)
        assert isinstance(choice.embedder, LexicalEmbedder)
        assert "no model" in choice.reason


def test_auto_with_a_broken_model_is_lexical_and_says_what_is_wrong(tiny_model_dir: Path) -> None:
    (tiny_model_dir / "tokenizer.json").write_text("{}")
    choice = choose_embedder(MemorySettings(model_dir=tiny_model_dir))
    assert isinstance(choice.embedder, LexicalEmbedder)
    assert "tokenizer.json" in choice.reason
    assert "\n" not in choice.reason


def test_a_model_that_is_given_is_not_replaced_by_one_that_is_found(tiny_model_dir: Path) -> None:
    data_dir = tiny_model_dir.parents[1]
    settings = MemorySettings(model_dir=data_dir / "absent")
    assert isinstance(choose_embedder(settings, data_dir).embedder, LexicalEmbedder)


def test_onnx_without_a_model_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(EmbeddingError, match="no model"):
        choose_embedder(MemorySettings(embedding_model="onnx"))
    with pytest.raises(EmbeddingError, match=r"model\.onnx"):
        choose_embedder(MemorySettings(embedding_model="onnx", model_dir=tmp_path))


@pytest.mark.parametrize(("provider", "kind"), [("lexical", LexicalEmbedder), ("random", RandomEmbedder)])
def test_a_named_provider_has_the_dimensions_asked_for(
    provider: Literal["lexical", "random"], kind: type[object], tiny_model_dir: Path
) -> None:
    settings = MemorySettings(embedding_model=provider, model_dir=tiny_model_dir)
    choice = choose_embedder(settings.model_copy(update={"embedding_dimensions": 96}))
    assert isinstance(choice.embedder, kind)
    assert choice.embedder.dimensions == 96
    assert choose_embedder(settings).embedder.dimensions > 8


def test_litellm_is_taken_when_it_is_named() -> None:
    settings = MemorySettings(embedding_model="litellm", litellm_model="openai/test", embedding_dimensions=8)
    choice = choose_embedder(settings)
    assert isinstance(choice.embedder, LiteLLMEmbedder)
    assert choice.embedder.dimensions == 8
    with pytest.raises(EmbeddingError, match="name of a model"):
        choose_embedder(settings.model_copy(update={"litellm_model": None}))


def test_callers_share_what_gains_by_it(tiny_model_dir: Path) -> None:
    shared = choose_embedder(MemorySettings(model_dir=tiny_model_dir))
    assert isinstance(shared.for_all_callers(), Batching)
    alone = choose_embedder(MemorySettings(embedding_model="lexical"))
    assert alone.for_all_callers() is alone.embedder


def test_an_unknown_provider_is_an_error() -> None:
    with pytest.raises(ValueError, match="embedding_model"):
        MemorySettings.model_validate({"embedding_model": "onyx"})


@pytest.mark.parametrize("field", ["embedding_dimensions", "embedding_threads"])
def test_settings_must_be_positive(field: str) -> None:
    with pytest.raises(ValueError, match=field):
        MemorySettings.model_validate({field: 0})


def test_no_heavy_library_is_imported_before_a_provider_needs_it() -> None:
    code = (
        "import sys, camillo_server.models.embedding.providers; "
        "heavy = {'onnxruntime', 'tokenizers', 'sklearn', 'litellm', 'openai', 'numpy'};"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "['numpy']"
