"""The vocabularies that can be had by name, and how each cuts a text before it merges bytes."""

from collections.abc import Mapping
from dataclasses import dataclass

# Without the name of the file.
DEFAULT_SOURCE = "https://openaipublic.blob.core.windows.net/encodings"


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """A byte-pair vocabulary: the SHA-256 of its file, and the expression that cuts texts into pieces."""

    name: str
    sha256: str
    pieces: str

    @property
    def file_name(self) -> str:
        return f"{self.name}.tiktoken"


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
