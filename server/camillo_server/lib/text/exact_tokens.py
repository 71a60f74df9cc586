"""Tokens counted with a vocabulary, by tiktoken: the same numbers as those of the models that use it."""

import base64
import binascii
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from camillo_server.kernel.system import OperatorError
from camillo_server.lib.text.tokens import ESTIMATE, CountedText, TokenCounter

# The address without the name of the file.
DEFAULT_SOURCE = "https://openaipublic.blob.core.windows.net/encodings"
_ENDING = r"(?:'(?i:s|t|re|ve|m|ll|d))?"
_SPACES = r"\s+(?!\S)|\s+"
# A word with the one character before it; three digits; marks; white space, the last of it with the next word.
_CL100K = "|".join(
    (
        r"'(?i:s|d|m|t|ll|ve|re)",
        r"[^\r\n\p{L}\p{N}]?\p{L}+",
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n]*",
        r"\s+$",
        r"\s*[\r\n]",
        _SPACES,
    )
)
# As above, with a new piece at a capital after a small letter, endings with their word, and / at the end of marks.
_O200K = "|".join(
    (
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+" + _ENDING,
        r"[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*" + _ENDING,
        r"\p{N}{1,3}",
        r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
        r"\s*[\r\n]+",
        _SPACES,
    )
)


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """A byte-pair vocabulary: the SHA-256 of its file, and the expression that cuts texts into pieces."""

    name: str
    sha256: str
    pieces: str

    @property
    def file_name(self) -> str:
        return f"{self.name}.tiktoken"


VOCABULARIES: Mapping[str, Vocabulary] = {
    vocabulary.name: vocabulary
    for vocabulary in (
        Vocabulary(
            "cl100k_base",
            "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
            _CL100K,
        ),
        Vocabulary(
            "o200k_base",
            "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
            _O200K,
        ),
    )
}
if TYPE_CHECKING:
    from tiktoken import Encoding


class TokenizerError(OperatorError):
    """A counter is unavailable; the message is one line with the reason and the remedy."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class ExactCounter:
    """Counts with one vocabulary, in any thread. Text that looks like a special token is plain text."""

    def __init__(self, vocabulary: Vocabulary, file: Path) -> None:
        """Loads the vocabulary's file, which takes a few tenths of a second. Raises TokenizerError."""
        self.name = vocabulary.name
        self._encoding = _encoding(vocabulary, _content(vocabulary, file))
        self._longest = max(map(len, self._encoding.token_byte_values()))

    def count(self, text: str) -> int:
        """The tokens of the text; 1 to 10 million characters a second."""
        return len(self._encoding.encode_ordinary(text))

    def count_joined(self, texts: Sequence[CountedText]) -> int:
        """The `count` of these texts joined. Only texts that were not counted before are encoded."""
        return sum(map(self._known_count, texts))

    def count_after_space(self, text: CountedText) -> int:
        """`count` of the text without the space that it begins with."""
        return self.count(text.text[1:])

    def _known_count(self, each: CountedText) -> int:
        known = each.known
        if known is None or known[0] is not self:
            known = each.known = (self, self.count(each.text))
        count: int = known[1]
        return count

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
        raise TokenizerError(f"{file} is damaged, by its SHA-256: camillo models pull {vocabulary.name}")
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
    return Encoding(vocabulary.name, pat_str=vocabulary.pieces, mergeable_ranks=ranks, special_tokens={})


def _ranks(content: bytes) -> Iterator[tuple[bytes, int]]:
    """The tokens and ranks in a vocabulary's lines: each has the token's bytes in base64, and its rank."""
    for line in content.splitlines():
        if line:
            token, rank = line.split()
            yield base64.b64decode(token), int(rank)


def choose_counter(name: str, directory: Path) -> TokenCounter:
    """The estimate for an empty name, else the vocabulary of that name in the directory of models, loaded.

    Blocks while it loads. Raises TokenizerError: who names a vocabulary does not want an estimate.
    """
    if not name:
        return ESTIMATE
    vocabulary = VOCABULARIES.get(name)
    if vocabulary is None:
        known = ", ".join(VOCABULARIES)
        raise TokenizerError(f"unknown vocabulary {name!r}; {known}, or none for an estimate")
    return ExactCounter(vocabulary, directory / vocabulary.file_name)
