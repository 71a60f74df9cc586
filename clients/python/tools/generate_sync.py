"""Writes `camillo_client/_sync` from `camillo_client/_async`; with --check, only says whether it is up to date."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "src" / "camillo_client"
HEADER = "# Generated from {source} by tools/generate_sync.py: do not edit.\n"

# In order. Code between the marks has no synchronous counterpart.
REPLACEMENTS = [
    (r"(?s) *# \[async only\]\n.*?# \[/async only\]\n", ""),
    (r"(?m)^\"\"\"The asynchronous client; .*\n", '"""The synchronous client."""\n'),
    (r"\basync (def|for|with)\b", r"\1"),
    (r"\bawait to_thread\((\w[\w.]*)(?:, )?", r"\1("),
    (r"\bawait ", ""),
    (r"\bAwaitable\[([^\[\]]+)\]", r"\1"),
    (r"\bAwaitable, |, Awaitable\b", ""),
    (r"\bAsyncIterable\[\w+\] \| ", ""),
    (r"\bAsync(Iterable|Iterator|Generator|Camillo|Admin)\b", r"\1"),
    (r"\bAsync(Artifacts|ArtifactFile|ArtifactWriter|Offloading)\b", r"\1"),
    (
        r"\bAsync(Memories|Events|Links|Entities|Decisions|Tasks|Context|Views|Recipes|Lifecycle|Runs|Slots|Skills|Mirror|Audit|Documents|Workflows|Spool)\b",
        r"\1",
    ),
    (r"\b__a(enter|exit)__\b", r"__\1__"),
    (r"\baclosing\b", "closing"),
    (r"\bfrom asyncio import sleep\b", "from time import sleep"),
    (r"\bgrpc\.aio\b", "grpc"),
    (r"\bcamillo_client\._async\b", "camillo_client._sync"),
]


def synchronous(source: Path) -> str:
    """The synchronous twin of an asynchronous module, formatted."""
    text = source.read_text("utf-8")
    for pattern, replacement in REPLACEMENTS:
        text = re.sub(pattern, replacement, text)
    text = HEADER.format(source=f"_async/{source.name}") + text
    target = _target(source)
    return _ruff(_ruff(text, target, "check", "--fix", "--select=F401,I"), target, "format")


def _target(source: Path) -> Path:
    return PACKAGE / "_sync" / source.name


def _ruff(text: str, target: Path, *command: str) -> str:
    # Under the name of the target, so that the project's own rules decide; quietly, for it prints the text.
    run = [sys.executable, "-m", "ruff", *command, "--quiet", f"--stdin-filename={target}", "-"]
    return subprocess.run(run, input=text, capture_output=True, text=True, check=True).stdout  # noqa: S603


def stale(twins: dict[Path, str]) -> list[Path]:
    """Files that are missing, differ, or have no source any more."""
    present = set((PACKAGE / "_sync").glob("*.py"))
    differing = {path for path, text in twins.items() if path not in present or path.read_text("utf-8") != text}
    return sorted(differing | (present - twins.keys()))


def main() -> int:
    twins = {_target(source): synchronous(source) for source in sorted((PACKAGE / "_async").glob("*.py"))}
    paths = stale(twins)
    if "--check" in sys.argv[1:]:
        for path in paths:
            print(f"stale: {path.name}: run tools/generate_sync.py", file=sys.stderr)
        return 1 if paths else 0
    (PACKAGE / "_sync").mkdir(exist_ok=True)
    for path in paths:
        if path in twins:
            path.write_text(twins[path], "utf-8")
        else:
            path.unlink()
    return 0


if __name__ == "__main__":
    sys.exit(main())
