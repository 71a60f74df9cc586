"""The models that can be had by name, with the SHA-256 of each file."""

from collections.abc import Mapping
from dataclasses import dataclass

from camillo_server.embedding.onnx import CONFIG_FILE, MODEL_FILE, TOKENIZER_FILE

DEFAULT_MODEL = "all-minilm-l6-v2"


@dataclass(frozen=True, slots=True)
class HubFile:
    """A file of a hub, and the name it gets here. Without a SHA-256 whatever comes is taken."""

    name: str
    repository: str
    path: str
    revision: str = "main"
    sha256: str | None = None


_MINILM = "sentence-transformers/all-MiniLM-L6-v2"

CATALOGUE: Mapping[str, tuple[HubFile, ...]] = {
    # 384 dimensions, Apache-2.0. The weights quantised to int8 in a way that every processor runs.
    DEFAULT_MODEL: (
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
    ),
}


def hub_files(
    repository: str, revision: str, model_path: str, sha256: Mapping[str, str]
) -> tuple[HubFile, ...]:
    """The files of a model that is not in the catalogue; `sha256` by the names they get here."""
    paths = {CONFIG_FILE: CONFIG_FILE, TOKENIZER_FILE: TOKENIZER_FILE, MODEL_FILE: model_path}
    return tuple(
        HubFile(name, repository, path, revision, sha256.get(name)) for name, path in paths.items()
    )
