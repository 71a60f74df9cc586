"""Chooses the token counter of a server."""

from pathlib import Path

from camillo_server.domain.tokens import ESTIMATE, TokenCounter
from camillo_server.tokenizing.exact import ExactCounter, TokenizerError
from camillo_server.tokenizing.vocabularies import VOCABULARIES


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
