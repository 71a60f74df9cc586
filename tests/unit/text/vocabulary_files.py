"""Vocabularies to test with: a tiny one made here, and the real ones where a library has brought them."""

import base64
import hashlib
import importlib.util
from pathlib import Path

import pytest
from camillo_server.lib.text.exact_tokens import VOCABULARIES, Vocabulary

MERGED = (b"ab", b"abab", "猫".encode()[:2], "猫".encode(), b" cat")


def tiny_file(directory: Path) -> tuple[Vocabulary, Path]:
    """Every byte, and a few runs of bytes, as a vocabulary's file."""
    tokens = [bytes([byte]) for byte in range(256)] + list(MERGED)
    lines = [b"%s %d" % (base64.b64encode(token), rank) for rank, token in enumerate(tokens)]
    content = b"\n".join(lines) + b"\n"
    digest = hashlib.sha256(content).hexdigest()
    vocabulary = Vocabulary("tiny", digest, VOCABULARIES["cl100k_base"].pieces)
    directory.mkdir(parents=True, exist_ok=True)
    (directory / vocabulary.file_name).write_bytes(content)
    return vocabulary, directory / vocabulary.file_name


def library_directory() -> Path:
    """The directory of litellm's vocabularies as tiktoken caches them; skips the test where there are none."""
    found = importlib.util.find_spec("litellm")
    places = found.submodule_search_locations if found else None
    directory = Path((places or ["/nowhere"])[0]) / "litellm_core_utils" / "tokenizers"
    if not all(path.is_file() for path in map(directory.joinpath, CACHED.values())):
        pytest.skip("no library has brought the vocabularies")
    return directory


# By the SHA-1 of the address that each comes from.
CACHED = {
    name: hashlib.sha1(
        f"https://openaipublic.blob.core.windows.net/encodings/{name}.tiktoken".encode(), usedforsecurity=False
    ).hexdigest()
    for name in VOCABULARIES
}
