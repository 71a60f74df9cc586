"""A model that says what a test tells it to, over the streams that coding agents know, and keeps what it was asked.

The protocols: Anthropic Messages, OpenAI Responses and Chat Completions, Gemini. A client asks for other things
besides: titles, which model to use. Such requests offer no tools; the model answers them with one word and uses no step
of the script.
"""

import re
import threading
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from camillo_client.testing.model import listening
from camillo_client.testing.streams import ASIDE, JSON, Call, Say, Step, stream_of, tool_names

# By which Claude Code loads tools that it does not list at first.
TOOL_SEARCH = "ToolSearch"


@dataclass
class ScriptedModel:
    """The server. `asked`: the bodies of the requests that the script answered, in their order."""

    port: int = 0
    asked: list[dict[str, Any]] = field(default_factory=list)
    # Requests without tools, and paths that nothing is known of.
    asides: list[tuple[str, dict[str, Any]]] = field(default_factory=list)
    _script: deque[Step] = field(default_factory=deque)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def will(self, *steps: Step) -> None:
        """Sets the answers from now on, step by step; after the last step, and without any, the model says "Done."."""
        with self._lock:
            self._script = deque(steps)
            self.asked = []
            self.asides = []

    def is_done(self) -> bool:
        """Whether every step was asked for."""
        return not self._script

    def answer(self, path: str, body: dict[str, Any]) -> Step:
        """The step for a request."""
        names = tool_names(body)
        with self._lock:
            if not names:
                self.asides.append((path, body))
                return ASIDE
            self.asked.append(body)
            step = self._script[0] if self._script else Say("Done.")
            found = _offered(step, names)
            if found is not None:
                if self._script:
                    self._script.popleft()
                return found
        assert isinstance(step, Call)
        if TOOL_SEARCH in names:
            return Call(TOOL_SEARCH, {"query": f"select:mcp__camillo__{step.tool}"})
        return Say(f"There is no tool {step.tool}.")


def _offered(step: Step, names: list[str]) -> Step | None:
    """The step with the name that the client has for the tool; None where it offers none."""
    if isinstance(step, Say):
        return step
    pattern = re.compile(rf"(?:.*camillo.*[_.-])?{re.escape(step.tool)}")
    found = [name for name in names if pattern.fullmatch(name)]
    return Call(max(found, key=len), step.arguments) if found else None


class _ByClient:
    """The model as clients call it."""

    def __init__(self, model: ScriptedModel) -> None:
        self._model = model

    def answer(self, path: str, body: dict[str, Any]) -> tuple[int, str, bytes]:
        if "count_tokens" in path or "countTokens" in path:
            return 200, JSON, b'{"input_tokens": 100, "totalTokens": 100}'
        return 200, *stream_of(path, body, self._model.answer(path, body))


@contextmanager
def scripted_model() -> Iterator[ScriptedModel]:
    """The model, listening on a port of loopback."""
    model = ScriptedModel()
    with listening(_ByClient(model)) as address:
        model.port = int(address.rpartition(":")[2])
        yield model
