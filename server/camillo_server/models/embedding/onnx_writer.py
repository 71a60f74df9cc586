"""Writes an ONNX model file: the few messages of its format (onnx.proto) that a graph with weights needs, without the
library that this format comes with."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

IR_VERSION, OPSET = 9, 20
MICROSOFT, MICROSOFT_OPSET = "com.microsoft", 1
_VARINT, _BYTES, _FIXED32 = 0, 2, 5
_DATA_TYPES = {"float32": 1, "uint8": 2, "int64": 7, "float16": 10}
_FLOAT, _INT, _STRING = 1, 2, 3

Attribute = int | float | str
Array = NDArray[Any]


class Graph:
    """A graph that grows node by node."""

    def __init__(self) -> None:
        self._nodes: list[bytes] = []
        self._tensors: list[bytes] = []

    def tensor(self, name: str, values: Array) -> str:
        """Adds a constant, and returns its name."""
        dims = b"".join(_number(1, size) for size in values.shape)
        little = values.astype(values.dtype.newbyteorder("<"), copy=False)
        kind = _number(2, _DATA_TYPES[values.dtype.name])
        self._tensors.append(dims + kind + _text(8, name) + _message(9, little.tobytes()))
        return name

    def node(
        self, kind: str, inputs: Sequence[str], outputs: Sequence[str], domain: str = "", **attributes: Attribute
    ) -> str:
        """Adds an operation, and returns the name of its first output; an empty input is left out."""
        named = [_text(1, each) for each in inputs] + [_text(2, each) for each in outputs]
        stated = [_message(5, _attribute(name, value)) for name, value in attributes.items()]
        self._nodes.append(b"".join(named) + _text(4, kind) + b"".join(stated) + _text(7, domain))
        return outputs[0]

    def model(self, inputs: Mapping[str, Sequence[str]], outputs: Mapping[str, Sequence[str | int]]) -> bytes:
        """The file of a model with these int64 inputs and float32 outputs, by the names and sizes of their axes."""
        graph = b"".join(_message(1, node) for node in self._nodes) + _text(2, "model")
        graph += b"".join(_message(5, tensor) for tensor in self._tensors)
        graph += b"".join(_message(11, _value(name, "int64", axes)) for name, axes in inputs.items())
        graph += b"".join(_message(12, _value(name, "float32", axes)) for name, axes in outputs.items())
        opsets = [(MICROSOFT, MICROSOFT_OPSET), ("", OPSET)]
        imports = b"".join(_message(8, _text(1, domain) + _number(2, version)) for domain, version in opsets)
        return _number(1, IR_VERSION) + _message(7, graph) + imports


def _attribute(name: str, value: Attribute) -> bytes:
    match value:
        case int():
            return _text(1, name) + _number(3, value) + _number(20, _INT)
        case float():
            return _text(1, name) + _key(2, _FIXED32) + np.float32(value).tobytes() + _number(20, _FLOAT)
        case str():
            return _text(1, name) + _text(4, value) + _number(20, _STRING)


def _value(name: str, kind: str, axes: Sequence[str | int]) -> bytes:
    """The description of an input or output: its name, the type of its values, its axes."""
    dims = b"".join(_message(1, _text(2, axis) if isinstance(axis, str) else _number(1, axis)) for axis in axes)
    tensor_type = _number(1, _DATA_TYPES[kind]) + _message(2, dims)
    return _text(1, name) + _message(2, _message(1, tensor_type))


def _text(field: int, value: str) -> bytes:
    return _message(field, value.encode())


def _message(field: int, content: bytes) -> bytes:
    return _key(field, _BYTES) + _varint(len(content)) + content


def _number(field: int, value: int) -> bytes:
    return _key(field, _VARINT) + _varint(value)


def _key(field: int, wire_type: int) -> bytes:
    return _varint(field << 3 | wire_type)


def _varint(value: int) -> bytes:
    """Seven bits a byte, the least first; a negative number as its complement of 64 bits."""
    value &= 2**64 - 1
    encoded = bytearray()
    while value > 0x7F:
        encoded.append(value & 0x7F | 0x80)
        value >>= 7
    return bytes((*encoded, value))
