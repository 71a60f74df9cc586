"""Models small enough to be made in a test, in the format of ONNX: an embedder and a cross-encoder that know a few
words."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from camillo_server.models.embedding.onnx_model import HEAD_FILES
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace
from tokenizers.processors import TemplateProcessing

WORDS = ("[PAD]", "[UNK]", "[CLS]", "[SEP]", "tea", "coffee", "milk", "茶", "قهوة", "🎉", "query:")
IDS = {word: index for index, word in enumerate(WORDS)}
# Amount that each word adds to the logit of a text; a query's words add as much, so tests query for other words.
WEIGHTS: Mapping[str, float] = {"tea": 1.0, "coffee": -1.0, "milk": 2.0, "茶": 3.0, "قهوة": -2.0}
INPUTS = ("input_ids", "attention_mask", "token_type_ids", "position_ids")
# One vector for each word; padding is loud, so that it shows where it counts.
VECTORS = np.eye(len(WORDS), dtype=np.float32)
VECTORS[IDS["[PAD]"]] = 9.0
# The tensors of each of its files.
Head = dict[str, dict[str, NDArray[Any]]]


def write_tokenizer(model_dir: Path, *, with_marks: bool) -> None:
    """A tokenizer of words; with marks, [CLS] stands before a text and [SEP] after each."""
    tokenizer = Tokenizer(WordLevel(IDS, unk_token="[UNK]"))  # noqa: S106
    tokenizer.pre_tokenizer = Whitespace() if not with_marks else _by_blanks()
    if with_marks:
        tokenizer.post_processor = TemplateProcessing(
            single="[CLS] $A [SEP]",
            pair="[CLS] $A [SEP] $B:1 [SEP]:1",
            special_tokens=[("[CLS]", IDS["[CLS]"]), ("[SEP]", IDS["[SEP]"])],
        )
    tokenizer.save(str(model_dir / "tokenizer.json"))


def _by_blanks() -> Any:
    from tokenizers.pre_tokenizers import WhitespaceSplit

    return WhitespaceSplit()


def write_model(
    model_dir: Path,
    nodes: Sequence[onnx.NodeProto],
    constants: Mapping[str, NDArray[Any]],
    outputs: Mapping[str, Sequence[str | int]],
    inputs: Sequence[str] = INPUTS,
    kind: int = TensorProto.INT64,
    config: Mapping[str, Any] | None = None,
) -> Path:
    """A whole model directory of a graph."""
    model_dir.mkdir(parents=True, exist_ok=True)
    graph = helper.make_graph(
        list(nodes),
        "tiny",
        [helper.make_tensor_value_info(name, kind, ["texts", "tokens"]) for name in inputs],
        [helper.make_tensor_value_info(name, TensorProto.FLOAT, list(axes)) for name, axes in outputs.items()],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(model)
    (model_dir / "model.onnx").write_bytes(model.SerializeToString())
    stated = {"max_position_embeddings": 64, "pad_token_id": 0, **(config or {})}
    (model_dir / "config.json").write_text(json.dumps(stated))
    write_tokenizer(model_dir, with_marks=True)
    return model_dir


def write_embedder(
    model_dir: Path,
    outputs: Sequence[str] = ("last_hidden_state",),
    inputs: Sequence[str] = INPUTS,
    kind: int = TensorProto.INT64,
    spec: Mapping[str, Any] | None = None,
) -> Path:
    """An embedder whose hidden state has the vector of each word; `sentence_embedding` is that of the second token."""
    second = helper.make_node("Gather", ["hidden", "one"], ["sentence_embedding"], axis=1)
    named = helper.make_node("Identity", ["hidden"], ["last_hidden_state"])
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["hidden"])]
    nodes += [node for node in (named, second) if node.output[0] in outputs]
    axes: dict[str, Sequence[str | int]] = {
        "last_hidden_state": ["texts", "tokens", len(WORDS)],
        "sentence_embedding": ["texts", len(WORDS)],
    }
    constants: dict[str, NDArray[Any]] = {"table": VECTORS, "one": np.array(1, np.int64)}
    write_model(model_dir, nodes, constants, {n: axes[n] for n in outputs}, inputs, kind)
    if spec is not None:
        (model_dir / "camillo.json").write_text(json.dumps(spec))
    return model_dir


def write_reranker(
    model_dir: Path,
    shape: str = "n1",
    inputs: Sequence[str] = INPUTS,
    kind: int = TensorProto.INT64,
    output: str = "logits",
) -> Path:
    """A cross-encoder whose logit is the sum of the weights of all words of both texts. `shape`: `n1`, `n2` (the second
    is the one that counts), `n`, `n3` or `nn` (of no use)."""
    weights = np.zeros(len(WORDS), np.float32)
    for word, weight in WEIGHTS.items():
        weights[IDS[word]] = weight
    nodes = [
        helper.make_node("Gather", ["weights", "input_ids"], ["each"]),
        helper.make_node("ReduceSum", ["each", "last"], ["column"], keepdims=1),
    ]
    match shape:
        case "n1":
            nodes.append(helper.make_node("Identity", ["column"], [output]))
        case "n2" | "n3":
            columns = ["nothing", "column", *(["nothing"] if shape == "n3" else [])]
            nodes.append(helper.make_node("Sub", ["column", "column"], ["nothing"]))
            nodes.append(helper.make_node("Concat", columns, [output], axis=1))
        case "n":
            nodes.append(helper.make_node("Squeeze", ["column", "last"], [output]))
        case "nn":
            nodes.append(helper.make_node("Unsqueeze", ["column", "last"], [output]))
    axes: dict[str, Sequence[str | int]] = {
        "n1": ["texts", 1],
        "n2": ["texts", 2],
        "n3": ["texts", 3],
        "n": ["texts"],
        "nn": ["texts", 1, 1],
    }
    constants: dict[str, NDArray[Any]] = {"weights": weights, "last": np.array([1], np.int64)}
    return write_model(model_dir, nodes, constants, {output: axes[shape]}, inputs, kind)


def write_tensors(path: Path, tensors: Mapping[str, NDArray[Any]], kind: str = "F32") -> None:
    """A file of weights, in the format of safetensors."""
    described: dict[str, Any] = {"__metadata__": {"format": "np"}}
    data = b""
    for name, values in tensors.items():
        encoded = values.astype("<f4").tobytes()
        offsets = [len(data), len(data) + len(encoded)]
        described[name] = {"dtype": kind, "shape": list(values.shape), "data_offsets": offsets}
        data += encoded
    header = json.dumps(described).encode()
    path.write_bytes(len(header).to_bytes(8, "little") + header + data)


def some_head() -> Head:
    """Tensors of a head, chosen by chance."""
    chance = np.random.default_rng(7)

    def some(*shape: int) -> NDArray[Any]:
        return chance.normal(size=shape).astype(np.float32)

    width = len(WORDS)
    dense, norm, score = HEAD_FILES
    return {
        dense: {"linear.weight": some(width, width)},
        norm: {"norm.weight": some(width), "norm.bias": some(width)},
        score: {"linear.weight": some(1, width), "linear.bias": some(1)},
    }


def write_headed_reranker(model_dir: Path, head: Mapping[str, Mapping[str, NDArray[Any]]]) -> Path:
    """A cross-encoder in parts: an encoder without types of tokens whose first token has the vector of the text's first
    word, and a head of these tensors by file."""
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["each"]),
        helper.make_node("Gather", ["each", "word"], ["last_hidden_state"], axis=1),
    ]
    # The text is token 3 of "[CLS] query [SEP] text [SEP]" with a query of one word.
    constants: dict[str, NDArray[Any]] = {"table": VECTORS, "word": np.array([3], np.int64)}
    axes: dict[str, Sequence[str | int]] = {"last_hidden_state": ["texts", 1, len(WORDS)]}
    write_model(model_dir, nodes, constants, axes, INPUTS[:2])
    for name, tensors in head.items():
        write_tensors(model_dir / name, tensors)
    return model_dir
