"""`mirror.json`: what a mirror is of, how far it has come, and what it was about to do."""

import json
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Self

FORMAT = 1


@dataclass(frozen=True, slots=True)
class Subject:
    """The agent, the prefix and the scope that a mirror copies; a directory keeps to one."""

    agent_id: str = ""
    prefix: str = ""
    shared: bool = False


@dataclass(frozen=True, slots=True)
class Position:
    """`log_bytes` of `log.jsonl` are true as of `resume_token`; what stands behind them is sent again.

    `replacing`: files that stand complete under `<name>.new`, and are renamed before anything else. `is_closed`: the
    mirror ended in order, so that every file is as the log says. `hidden`: ids of slots whose newest version may not be
    loaded. `heard_at`: when the server last sent something, `away_since` since when it cannot be reached, in ISO 8601,
    else empty."""

    subject: Subject
    resume_token: str = ""
    log_bytes: int = 0
    is_closed: bool = False
    replacing: tuple[str, ...] = ()
    hidden: tuple[str, ...] = ()
    heard_at: str = ""
    away_since: str = ""
    format: int = field(default=FORMAT)

    def to_json(self) -> bytes:
        return json.dumps(asdict(self), ensure_ascii=False, indent=1).encode() + b"\n"

    @classmethod
    def from_json(cls, content: bytes) -> Self:
        """Raises ValueError for anything that `to_json` did not make."""
        try:
            fields: dict[str, Any] = json.loads(content)
            subject = Subject(**fields.pop("subject"))
            found = cls(subject, **fields)
            found = replace(found, replacing=tuple(found.replacing), hidden=tuple(found.hidden))
        except (TypeError, KeyError, AttributeError) as error:
            raise ValueError(f"mirror.json is not of a mirror: {error}") from None
        if found.format != FORMAT:
            raise ValueError(f"mirror.json is of format {found.format}, this is {FORMAT}")
        return found
