"""How the vectors of a local model are made: what each model wants, as data beside its files."""

import hashlib
import json
from dataclasses import asdict, dataclass, field, replace
from enum import StrEnum
from pathlib import Path
from typing import Any, NoReturn, Self

from camillo_server.embedding.onnx_model import EmbeddingError, read_json_object

SPEC_FILE = "camillo.json"
MAX_PREFIX_CHARACTERS = 500
MAX_TOKENS = 8192
MAX_DIMENSIONS = 4096


class Pooling(StrEnum):
    """How one vector is made of those of the tokens."""

    MEAN = "mean"
    # The vector of the first token.
    CLS = "cls"
    # The vector of the last token.
    LAST = "last"
    # The model does it: its output `sentence_embedding`.
    MODEL = "model"


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """What a model wants beside its files, as `camillo.json` states it; each field may be left out.

    `dimensions`: lengths to which its vectors may be cut, as its training allows (Matryoshka representation learning).
    `max_tokens`: texts are cut there; without it, where the configuration of the model says.
    """

    pooling: Pooling = Pooling.MEAN
    query_prefix: str = ""
    document_prefix: str = ""
    dimensions: tuple[int, ...] = field(default=())
    max_tokens: int | None = None

    @classmethod
    def read(cls, model_dir: Path) -> Self:
        """That of a model directory; the default where it has no such file. Raises EmbeddingError."""
        path = model_dir / SPEC_FILE
        return cls.parse(read_json_object(path)) if path.is_file() else cls()

    @classmethod
    def parse(cls, stated: dict[str, Any]) -> Self:
        """Raises EmbeddingError for what is unknown or out of bounds."""
        if unknown := sorted(set(stated) - set(cls.__dataclass_fields__)):
            raise EmbeddingError(f"{SPEC_FILE}: unknown fields {unknown}")
        pooling = stated.get("pooling", Pooling.MEAN)
        if pooling not in list(Pooling):
            _refuse("pooling", f"must be one of {', '.join(Pooling)}")
        for name in ("query_prefix", "document_prefix"):
            prefix = stated.get(name, "")
            if not isinstance(prefix, str) or len(prefix) > MAX_PREFIX_CHARACTERS:
                _refuse(name, f"must be a text of at most {MAX_PREFIX_CHARACTERS} characters")
        dimensions = stated.get("dimensions", ())
        if not isinstance(dimensions, list | tuple) or not all(
            _is_within(each, MAX_DIMENSIONS) for each in dimensions
        ):
            _refuse("dimensions", f"must be a list of numbers from 1 to {MAX_DIMENSIONS}")
        max_tokens = stated.get("max_tokens")
        if max_tokens is not None and not _is_within(max_tokens, MAX_TOKENS):
            _refuse("max_tokens", f"must be a number from 1 to {MAX_TOKENS}")
        return cls(
            Pooling(pooling),
            stated.get("query_prefix", ""),
            stated.get("document_prefix", ""),
            tuple(dimensions),
            max_tokens,
        )

    def write(self, model_dir: Path) -> None:
        """Puts it beside the files of the model; a default one needs no file."""
        path = model_dir / SPEC_FILE
        if self == type(self)():
            path.unlink(missing_ok=True)
            return
        path.write_text(json.dumps(asdict(self), ensure_ascii=False, indent=2) + "\n", "utf-8")

    def digest(self, file_digest: str) -> str:
        """Names the vectors of a model file under this spec; by the file alone where the spec is the default."""
        # The lengths that are allowed change no vector.
        made = replace(self, dimensions=())
        if made == type(self)():
            return file_digest
        content = file_digest + json.dumps(asdict(made), sort_keys=True)
        return hashlib.sha256(content.encode()).hexdigest()


DEFAULT_SPEC = ModelSpec()


def _is_within(number: object, most: int) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and 1 <= number <= most


def _refuse(name: str, problem: str) -> NoReturn:
    raise EmbeddingError(f"{SPEC_FILE}: {name} {problem}")
