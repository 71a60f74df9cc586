"""What is looked for to be put together."""

from collections.abc import Sequence
from dataclasses import dataclass

DEFAULT_TAG_THRESHOLD = 50
DEFAULT_LIKENESS = 0.92


@dataclass(frozen=True, slots=True)
class Criteria:
    """Which groups a caller wants; None stands for what the operator has set."""

    tags: Sequence[str] = ()
    tag_threshold: int | None = None
    skip_near_duplicates: bool = False
    skip_tags: bool = False
    likeness: float | None = None


@dataclass(frozen=True, slots=True)
class Thresholds:
    """What an operator has set: with how many memories a tag is left alone, and from which cosine of their vectors on two
    texts say nearly the same."""

    tag_threshold: int = DEFAULT_TAG_THRESHOLD
    likeness: float = DEFAULT_LIKENESS
