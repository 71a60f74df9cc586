"""Tokens counted with a vocabulary, by tiktoken: the same numbers as those of the models that use it."""

import base64
import binascii
import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from camillo_server.tokenizing.vocabularies import Vocabulary

if TYPE_CHECKING:
    from tiktoken import Encoding


class TokenizerError(Exception):
    """A counter that cannot be had, in one line that says why and what helps."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class ExactCounter:
    """Counts with one vocabulary; of any thread. What looks like a special token is plain text."""

    def __init__(self, vocabulary: Vocabulary, file: Path) -> None:
        """Loads the vocabulary's file, which takes a few tenths of a second. Raises TokenizerError."""
        self.name = vocabulary.name
        self._encoding = _encoding(vocabulary, _content(vocabulary, file))
        self._longest = max(map(len, self._encoding.token_byte_values()))

    def count(self, text: str) -> int:
        """The tokens of the text; 1 to 10 million characters a second."""
        return len(self._encoding.encode_ordinary(text))

    def fits(self, text: str, budget: int) -> bool:
        """Whether `count` is at most the budget; a text that is far too long is not read."""
        if len(text) > budget * self._longest:
            return False
        return self.count(text) <= budget


def _content(vocabulary: Vocabulary, file: Path) -> bytes:
    try:
        content = file.read_bytes()
    except FileNotFoundError:
        raise TokenizerError(
            f"the vocabulary {vocabulary.name} is not in {file.parent}: camillo models pull {vocabulary.name}"
        ) from None
    except OSError as error:
        raise TokenizerError(f"{file}: {error.strerror}") from error
    if hashlib.sha256(content).hexdigest() != vocabulary.sha256:
        raise TokenizerError(
            f"{file} is damaged, by its SHA-256: camillo models pull {vocabulary.name}"
        )
    return content


def _encoding(vocabulary: Vocabulary, content: bytes) -> "Encoding":
    try:
        from tiktoken import Encoding
    except ImportError:
        raise TokenizerError(
            f"{vocabulary.name} needs the library tiktoken: pip install 'camillo-server[tokens]'"
        ) from None
    try:
        ranks = dict(_ranks(content))
    except (ValueError, binascii.Error) as error:
        raise TokenizerError(f"{vocabulary.file_name} is no vocabulary: {error}") from error
    return Encoding(
        vocabulary.name, pat_str=vocabulary.pieces, mergeable_ranks=ranks, special_tokens={}
    )


def _ranks(content: bytes) -> Iterator[tuple[bytes, int]]:
    """A line for each: its bytes in base64, and its rank."""
    for line in content.splitlines():
        if line:
            token, rank = line.split()
            yield base64.b64decode(token), int(rank)
