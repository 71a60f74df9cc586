"""Measures what summaries of tool outputs keep and save: `python -m bench.artifacts.trajectories --data DIR [--json]`.

Reads runs of agents: SWE-agent's `.traj` files, and JSON lists of runs with messages as tau-bench writes them.

`summary_hits` is the share of the outputs with a failing test or an error whose summary or description names it, by
rules of its own (`expected`), of which the server's summaries share none. `tokens_left` is the tokens of all contexts
with each output above the threshold replaced by the text that stands for it, over those of the originals;
`inline_share` is how much of the originals no summary could touch, and `offloaded_left` is the same as `tokens_left`
over the replaced outputs alone.
"""

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from camillo_server.features.artifacts.offload_output import offloaded_text
from camillo_server.lib.outputs.summary.sample import Sample, preview
from camillo_server.lib.outputs.summary.summarize import Summary, summarize
from camillo_server.lib.text.memory_ref import render
from camillo_server.lib.text.tokens import count_tokens

THRESHOLD_TOKENS = 500
# As long as the ids of artifacts are.
ARTIFACT_ID = "art_00000000000000000000000000"
# SWE-agent adds this state behind an output; it is no part of it.
STATE = re.compile(r"\n?\(Open file: [^\n]*\)\n\(Current directory: [^\n]*\)\nbash-\$$")

Message = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolOutput:
    """A tool's output, and the tool and command that returned it as far as they are known."""

    text: str
    tool: str = ""
    command: str = ""

    def sample(self) -> Sample:
        """The sample that the server would take of it."""
        size = len(self.text.encode("utf-8", "replace"))
        lines = self.text.count("\n") + (not self.text.endswith("\n") and bool(self.text))
        return Sample(self.text, "", size, lines, tool=self.tool, command=self.command)


@dataclass(frozen=True, slots=True)
class Context:
    """One run as the model saw it at its end: tool outputs, and all other texts."""

    run: str
    inline: Sequence[str]
    outputs: Sequence[ToolOutput]


@dataclass(frozen=True, slots=True)
class Result:
    """Results over all runs."""

    runs: int
    outputs: int
    offloaded: int
    outputs_with_failure: int
    summary_hits: float
    tokens_left: float
    inline_share: float
    offloaded_left: float
    mean_tokens_of_reply: float


def read_contexts(directory: Path) -> Iterator[Context]:
    """The runs of a directory by name. Raises FileNotFoundError if there is none."""
    paths = sorted([*directory.glob("*.traj"), *directory.glob("*.json")])
    if not paths:
        raise FileNotFoundError(f"no trajectories in {directory}")
    for path in paths:
        told = json.loads(path.read_text(encoding="utf-8"))
        for number, run in enumerate(told if isinstance(told, list) else [told]):
            yield _context(f"{path.stem}/{number}", run)


def tool_outputs(directory: Path) -> Iterator[ToolOutput]:
    """All tool outputs of a directory that are not empty."""
    for context in read_contexts(directory):
        yield from context.outputs


def measure(contexts: Sequence[Context], count: Callable[[str], int]) -> Result:
    """Summarizes every output; tokens are those that `count` counts."""
    hits = [hit for context in contexts for one in context.outputs if (hit := is_hit(one)) is not None]
    inline = sum(count(text) for context in contexts for text in context.inline)
    small, large, replies = 0, 0, []
    for one in (one for context in contexts for one in context.outputs):
        tokens = count(one.text)
        if tokens <= THRESHOLD_TOKENS:
            small += tokens
        else:
            large += tokens
            replies.append(count(reply(one)))
    whole = max(inline + small + large, 1)
    return Result(
        runs=len(contexts),
        outputs=sum(len(context.outputs) for context in contexts),
        offloaded=len(replies),
        outputs_with_failure=len(hits),
        summary_hits=sum(hits) / max(len(hits), 1),
        tokens_left=(inline + small + sum(replies)) / whole,
        inline_share=(inline + small) / whole,
        offloaded_left=sum(replies) / max(large, 1),
        mean_tokens_of_reply=sum(replies) / max(len(replies), 1),
    )


def is_hit(output: ToolOutput) -> bool | None:
    """Whether the summary names what failed; None where nothing did."""
    wanted = expected(output.text)
    return None if wanted is None else wanted.is_named_in(_told(summarize(output.sample())))


def reply(output: ToolOutput) -> str:
    """The text that stands for an output in the context."""
    sample = output.sample()
    summary = summarize(sample)
    shown = preview(sample)
    return offloaded_text(render(ARTIFACT_ID, summary.description), summary.text, shown)


def _told(summary: Summary) -> str:
    return f"{summary.description}\n{summary.text}"


def _context(name: str, run: Mapping[str, Any]) -> Context:
    messages: Sequence[Message] = run.get("history") or run.get("traj") or run.get("messages") or []
    inline: list[str] = []
    outputs: list[ToolOutput] = []
    called: Message = {}
    for message in messages:
        text = _text(message.get("content"))
        if message.get("role") == "assistant":
            called = message
            inline += [text, *_arguments(message)]
        elif _is_output(message, called):
            state = STATE.search(text)
            output = text[: state.start()] if state else text
            inline.append(text[len(output) :])
            if output.strip():
                outputs.append(ToolOutput(output, *_call(message, called)))
        else:
            inline.append(text)
    return Context(name, [text for text in inline if text], outputs)


def _is_output(message: Message, called: Message) -> bool:
    """A message of a tool, or what a user's message with the state of SWE-agent's shell answers to an action."""
    if message.get("role") == "tool":
        return True
    return message.get("role") == "user" and bool(called.get("action"))


def _call(message: Message, called: Message) -> tuple[str, str]:
    """The tool's name and its command."""
    calls = called.get("tool_calls") or []
    matching = [call for call in calls if call.get("id") == message.get("tool_call_id")] or calls
    function = matching[0].get("function", {}) if matching else {}
    command = str(called.get("action") or "")
    return str(message.get("name") or function.get("name") or ""), command


def _arguments(message: Message) -> Iterator[str]:
    for call in message.get("tool_calls") or []:
        yield str(call.get("function", {}).get("arguments", ""))


def _text(content: Any) -> str:
    if isinstance(content, list):
        return "\n".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return "" if content is None else str(content)


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints what was measured."""
    parser = argparse.ArgumentParser(prog="python -m bench.artifacts.trajectories", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, metavar="DIR")
    parser.add_argument("--json", action="store_true", help="print JSON")
    chosen = parser.parse_args(arguments)
    result = asdict(measure([*read_contexts(chosen.data)], count_tokens))
    told = {key: round(value, 4) if isinstance(value, float) else value for key, value in result.items()}
    if chosen.json:
        print(json.dumps(told, indent=2))
    else:
        print("\n".join(f"{key:>22}  {value}" for key, value in told.items()))
    return 0


MESSAGE_LENGTH = 40
# A summary has room for so many; that there are more it says by a count.
MAX_TESTS = 3
TESTS = (
    re.compile(r"^FAILED (\S+::\S+)", re.M),
    re.compile(r"^(?:FAIL|ERROR): (\w+) \(", re.M),
    re.compile(r"^\s*--- FAIL: (\S+)", re.M),
    re.compile(r"^test (\S+) \.\.\. FAILED$", re.M),
    re.compile(r"^\s*● (.+ › .+)$", re.M),
    re.compile(r"^not ok \d+ - (.+)$", re.M),
)
ERRORS = (
    re.compile(r"^(?:E\s+|Caused by: )?((?:\w+\.)*\w*(?:Error|Exception)): ?(.*)$"),
    re.compile(r"^- [A-Z]\d{3,4} ()(.+)$"),
    re.compile(r"^(?:\S+:\d+(?::\d+)?: )?(?:fatal )?([Ee]rror|ERROR|fatal)(?:\[\w+\])?: (.+)$"),
    re.compile(r"^npm (?:ERR!|error) (code) (\S+)$"),
    re.compile(r"^(?:[\w/.-]+: )+()(.*(?:No such file or directory|command not found|Permission denied|Is a "
               r"directory))$"),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Expected:
    """Texts that a summary must hold, each of them."""

    texts: Sequence[str]

    def is_named_in(self, summary: str) -> bool:
        """Whether all are there, differences of white space aside."""
        plain = " ".join(summary.split())
        return all(" ".join(text.split()) in plain for text in self.texts)


def expected(output: str) -> Expected | None:
    """The failing tests of an output or its last error; nothing where it has neither."""
    names = [name for pattern in TESTS for name in pattern.findall(output)]
    if names:
        return Expected([_last_part(name) for name in dict.fromkeys(names)][:MAX_TESTS])
    for line in reversed(output.splitlines()):
        for pattern in ERRORS:
            if found := pattern.match(line.strip()):
                said = " ".join(found[2].split())[:MESSAGE_LENGTH].strip()
                return Expected([text for text in (found[1], said) if text])
    return None


def _last_part(name: str) -> str:
    return re.split(r"::| › ", name)[-1]


if __name__ == "__main__":
    sys.exit(main())
