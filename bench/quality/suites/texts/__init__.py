"""The sentences that collections are made of, a file for each subject or language."""

from functools import cache
from pathlib import Path
from typing import Any

import yaml

DIRECTORY = Path(__file__).parent


@cache
def texts(name: str) -> dict[str, Any]:
    """The content of the file of this name."""
    found: dict[str, Any] = yaml.safe_load((DIRECTORY / f"{name}.yaml").read_text("utf-8"))
    return found


def sentence(template: str, **words: str) -> str:
    """The template with these words in their places, and a capital at the beginning."""
    filled = template.format(**words)
    return filled[:1].upper() + filled[1:]
