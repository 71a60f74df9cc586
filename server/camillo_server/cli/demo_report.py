"""The output of the demo: text for people, or a JSON object for each step."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from camillo_cli.bundles import allowed_tokens, section_budgets
from camillo_cli.connection import ROOT_KEY_FILE
from camillo_cli.format import printable
from camillo_cli.output import console, message_dict, note, print_json, print_notes
from camillo_cli.recall import degraded_notes, no_match, show_hits
from camillo_cli.tables import Column, show_items

from camillo_server.cli.server import ServerOptions

if TYPE_CHECKING:
    from camillo.v1.context_pb2 import Bundle
    from camillo.v1.memory_service_pb2 import ImportMemoriesResponse, RecallResponse

SESSION = "demo"
# So small that the packing report has something left out.
MAX_TOKENS = 2_000
DEFAULT_ADDRESS = "127.0.0.1:7070"
PROMPT_LINES = 12
SECTION_COLUMNS = (
    Column("section", "section", style="bold"),
    Column("tokens", "used_tokens", right=True),
    Column("of", lambda budget: f"{allowed_tokens(budget):,}", right=True),
    Column("items shown", lambda budget: f"{budget.kept:,}/{budget.candidates:,}"),
)


class DemoReport:
    """Prints what happens, step by step."""

    def __init__(self, as_json: bool, options: ServerOptions) -> None:
        self.as_json = as_json
        self._options = options
        self.address = self._url = ""

    def started_server(self, ready: dict[str, Any]) -> None:
        """`ready` is the line that the server has printed."""
        self.address, self._url = ready["address"], ready["url"]
        if self.as_json:
            print_json({"server": ready})
            return
        _print(("Camillo ", "bold"), f"serves at {self.address}")
        _print(f"  embedding  {ready['model_id']} ({ready['embedder']})")
        _print(f"  database   {ready['database']}")
        if ready["model_id"].startswith("lexical"):
            _print(
                f"  It compares words alone. '{_program()} models pull' downloads a model that finds other words "
                "for the same thing; it is used from the next start on, and memories stored before then need new "
                "vectors (docs/embedding.md)."
            )

    def found_server(self, address: str) -> None:
        self.address = address
        if self.as_json:
            print_json({"server": {"address": address, "running_already": True}})
        else:
            _print(("Camillo ", "bold"), f"runs at {address} already: using that server")

    def imported(self, source: str | None, answer: ImportMemoriesResponse) -> None:
        known, new = answer.skipped + answer.merged, answer.imported
        if self.as_json:
            print_json({"remembered": new, "known_already": known, "failed": answer.failed})
            return
        what = source or "the Markdown files of this folder"
        _print(f"  remembered {new:,} new, {known:,} known already, from {what}")
        if answer.failed:
            note(f"note: {answer.failed:,} not stored: {answer.failures[0].error.message}")

    def answered(self, question: str, answer: RecallResponse) -> None:
        """Prints a question and its hits."""
        if self.as_json:
            print_json({"question": question, "answer": message_dict(answer)})
            return
        _print("\n", ("? ", "bold cyan"), (question, "bold"))
        if answer.hits:
            show_hits(answer, explained=False, always_drawn=True)
        if answer.no_match:
            _print(no_match(answer))
        print_notes(degraded_notes(answer.degraded))

    def bundled(self, question: str, recorded: int, bundle: Bundle) -> None:
        """Prints the sections of a context, and its first lines; `recorded` is the number of new events."""
        if self.as_json:
            print_json({"recorded": recorded, "bundle": message_dict(bundle)})
            return
        _print("\n", ("Context ", "bold"), f"for the next turn of session {SESSION}")
        _print(f"  recorded   {recorded:,} new events")
        _print(f"  asked      {question}")
        _print(f"  tokens     {bundle.tokens:,} of {bundle.budget_tokens:,}\n")
        filled = (budget for budget in section_budgets(bundle) if budget.candidates)
        show_items(filled, SECTION_COLUMNS, always_drawn=True)
        _print("\n", ("It begins:", "dim"))
        for line in printable(bundle.prompt).splitlines()[:PROMPT_LINES]:
            _print(f"  {_cut_to_width(line)}")

    def next_steps(self, questions: Sequence[str], *, serves: bool) -> None:
        """Prints commands to try next."""
        if self.as_json:
            return
        question = shlex.quote(next(iter(questions), "tea"))
        _print("\n", ("Try next", "bold"), " in another terminal:" if serves else ":")
        for words in (
            f"recall {question} --explain",
            'remember "Ada prefers tea to coffee" --kind preference',
            f"bundle {question} --session {SESSION} --render",
            "watch",
        ):
            _print(
                ("  $ ", "dim"),
                (f"{_program()} {words} --agent {shlex.quote(agent())}{self._flags()}", "green"),
            )
        if serves:
            self._show_ways()
            _print(f"Serving at {self.address}. Ctrl-C ends it.")

    def _show_ways(self) -> None:
        """Prints each way in, with a line to copy."""
        data_dir = self._options.settings().data_dir.absolute()
        key = shlex.quote(str(data_dir / ROOT_KEY_FILE))
        asking = f'curl -H "authorization: Bearer $(cat {key})" "{self._url}/v1/memories?agent_id={agent()}"'
        # A client starts it in any directory, and with an environment of its own.
        client = os.path.abspath(_program()) if os.sep in _program() else _program()
        is_stated = self._options.data_dir or os.environ.get("CAMILLO_DATA_DIR")
        directory = f" --data-dir {shlex.quote(str(data_dir))}" if is_stated else ""
        ways = [("gRPC", f"{_program()} doctor{self._flags()}")]
        if self._url:
            ways += [
                ("HTTP", asking),
                ("MCP", f"claude mcp add camillo -- {client} mcp{self._address_flag()}{directory}"),
            ]
        _print("\n", ("Other ways in", "bold"), ":")
        for name, command in ways:
            _print(f"  {name:<5}", ("$ ", "dim"), (command, "green"))

    def ended(self) -> None:
        if not self.as_json:
            _print("\nended: the memories are kept")

    def _address_flag(self) -> str:
        port = self.address.rpartition(":")[2]
        return "" if self.address == DEFAULT_ADDRESS else f" --address localhost:{port}"

    def _flags(self) -> str:
        """The options with which the examples reach this server."""
        directory = self._options.data_dir
        return self._address_flag() + (f" --data-dir {shlex.quote(str(directory))}" if directory else "")


def agent() -> str:
    """Whose memory the demo fills: one of its own, so that what a visitor remembers next does not meet the demo's
    passages."""
    return os.environ.get("CAMILLO_AGENT") or "demo"


def _print(*parts: str | tuple[str, str]) -> None:
    """Prints one line of texts, each with its style."""
    from rich.text import Text

    console().print(Text.assemble(*parts), soft_wrap=True)
    sys.stdout.flush()


def _cut_to_width(line: str) -> str:
    from rich.text import Text

    text = Text(line)
    text.truncate(max(console().width - 3, 20), overflow="ellipsis")
    return text.plain


def _program() -> str:
    """How the user can run this program again: by its name where that is on the path, else as now."""
    if shutil.which("camillo"):
        return "camillo"
    called = Path(sys.argv[0])
    try:
        return str(called.relative_to(Path.cwd()))
    except ValueError:
        return str(called)
