"""Ids of artifacts: short, readable, not to be guessed."""

import re
import secrets
import unicodedata
from itertools import takewhile

from camillo_server.domain.artifact import ArtifactDraft, ArtifactId

# Without letters that are taken for digits or for each other; 32 of them, so that each is worth 5 bits.
ALPHABET = "23456789abcdefghijkmnpqrstuvwxyz"
RANDOM_CHARACTERS = 10
WORDS_CHARACTERS = 24
_WORD = re.compile(r"[a-z0-9]+")
# Words of a command line that tell what it does: what comes behind them can be anything, a password too.
_COMMAND_WORD = re.compile(r"[A-Za-z][A-Za-z_-]{0,23}")
COMMAND_WORDS = 2


def new_artifact_id(draft: ArtifactDraft) -> ArtifactId:
    """Such as `npm_install_7f3k9q2mxd`: up to three words of what it is, then 50 random bits."""
    words = "_".join(_words(draft)[:3])[:WORDS_CHARACTERS].strip("_")
    chance = "".join(secrets.choice(ALPHABET) for _ in range(RANDOM_CHARACTERS))
    return ArtifactId(f"{words or 'artifact'}_{chance}")


def _words(draft: ArtifactDraft) -> list[str]:
    # What is encrypted at rest must not stand in the id.
    if draft.is_sealed:
        return []
    command = takewhile(_COMMAND_WORD.fullmatch, draft.command.split()[:COMMAND_WORDS])
    for said in (" ".join(command), draft.name.rpartition("/")[2], draft.tool):
        plain = unicodedata.normalize("NFKD", said).encode("ascii", "ignore").decode().lower()
        if words := _WORD.findall(plain):
            return words
    return []
