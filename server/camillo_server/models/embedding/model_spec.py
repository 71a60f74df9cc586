"""How the vectors of a local model are made: what each model wants, as data beside its files."""

import hashlib
import json
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Annotated, ClassVar, Self

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from camillo_server.models.embedding.onnx_model import EmbeddingError

SPEC_FILE = "camillo.json"


class Pooling(StrEnum):
    """How one vector is made of those of the tokens."""

    MEAN = "mean"
    # The vector of the first token.
    CLS = "cls"
    # The vector of the last token.
    LAST = "last"
    # The model does it: its output `sentence_embedding`.
    MODEL = "model"


Prefix = Annotated[str, Field(max_length=500)]


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """The settings of a model beside its files, as `camillo.json` states them; each field may be left out.

    `dimensions`: lengths to which its vectors may be cut, as its training allows (Matryoshka representation learning).
    `max_tokens`: texts are cut there; without it, where the configuration of the model says.
    For a reranker alone: `rerank_weight`, the share of its score in the order, where no setting says otherwise;
    `rerank_midpoint`, the logit that is a score of one half.
    """

    __pydantic_config__: ClassVar = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False)

    pooling: Pooling = Pooling.MEAN
    query_prefix: Prefix = ""
    document_prefix: Prefix = ""
    dimensions: tuple[Annotated[int, Field(ge=1, le=4096)], ...] = ()
    max_tokens: Annotated[int, Field(ge=1, le=8192)] | None = None
    rerank_weight: Annotated[float, Field(ge=0, le=1)] | None = None
    rerank_midpoint: Annotated[float, Field(ge=-100, le=100)] = 0.0

    @classmethod
    def read(cls, model_dir: Path) -> Self:
        """The spec of a model directory; the default where it has no such file. Raises EmbeddingError."""
        path = model_dir / SPEC_FILE
        if not path.is_file():
            return cls()
        try:
            return TypeAdapter(cls).validate_json(path.read_bytes())
        except OSError as error:
            raise EmbeddingError(f"{SPEC_FILE} cannot be read: {error}") from error
        except ValidationError as error:
            raise EmbeddingError(f"{SPEC_FILE}: {_first_problem(error)}") from error

    def write(self, model_dir: Path) -> None:
        """Puts it beside the files of the model; a default one needs no file."""
        path = model_dir / SPEC_FILE
        if self == type(self)():
            path.unlink(missing_ok=True)
            return
        path.write_text(json.dumps(asdict(self), ensure_ascii=False, indent=2) + "\n", "utf-8")

    def digest(self, file_digest: str) -> str:
        """Names the vectors of a model file under this spec; by the file alone where the spec is the default."""
        # The lengths that are allowed change no vector, nor does what is of rerankers.
        made = replace(self, dimensions=(), rerank_weight=None, rerank_midpoint=0.0)
        if made == type(self)():
            return file_digest
        fields = {name: value for name, value in asdict(made).items() if name not in _OF_RERANKERS}
        content = file_digest + json.dumps(fields, sort_keys=True)
        return hashlib.sha256(content.encode()).hexdigest()


DEFAULT_SPEC = ModelSpec()
_OF_RERANKERS = ("rerank_weight", "rerank_midpoint")


def _first_problem(error: ValidationError) -> str:
    """The field that is wrong, and how."""
    first = error.errors(include_url=False)[0]
    where = ".".join(map(str, first["loc"]))
    return f"{where}: {first['msg']}" if where else first["msg"]
