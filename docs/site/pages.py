"""The guides of the repository as pages, in the layout of the repository, so that links between them hold."""

import re
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

LANGUAGES = {
    "python": "Python",
    "typescript": "TypeScript",
    "go": "Go",
    "java": "Java",
    "rust": "Rust",
}
GUIDES = ("*.md", "docs/*.md", "docs/examples/README.md", "docs/adr/*.md", "bench/**/README.md", "clients/*/README.md")
# Images and other files are copied where a page links to them.
LINK = re.compile(r"(?<=\]\()(?!https?:|#|mailto:)([^)#\s]+)(#[^)\s]*)?(?=\))")
CODE = re.compile(r"(^```.*?^```|`[^`\n]+`)", re.MULTILINE | re.DOTALL)
CONTRACT = Path("proto/camillo/v1")
CONTRACT_PAGES = Path("reference/contract")
SOURCE_LINK = re.compile(r"\[([^\]]+)\]\(removed:\)")


def copy_guides(root: Path, to: Path) -> list[Path]:
    """Copies the guides, and what they link to; returns their paths from the root."""
    guides = sorted({path for pattern in GUIDES for path in root.glob(pattern)})
    for guide in guides:
        target = to / guide.relative_to(root)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(_with_links(guide, root, to, set(guides)), "utf-8")
    return [guide.relative_to(root) for guide in guides]


def _with_links(guide: Path, root: Path, to: Path, guides: set[Path]) -> str:
    def link(match: re.Match[str]) -> str:
        linked = (guide.parent / match[1]).resolve()
        if linked in guides:
            return match[0]
        return _target(linked, guide, root, to, guides)

    parts = CODE.split(guide.read_text("utf-8"))
    prose = (LINK.sub(link, part) if index % 2 == 0 else part for index, part in enumerate(parts))
    # The text of a link may have code in it: a link without a target is removed when the page is whole again.
    return SOURCE_LINK.sub(r"\1", "".join(prose))


def _target(linked: Path, guide: Path, root: Path, to: Path, guides: set[Path]) -> str:
    up = "../" * len(guide.relative_to(root).parent.parts)
    path = linked.relative_to(root)
    if path.is_relative_to(CONTRACT):
        return f"{up}{CONTRACT_PAGES / (path.stem if path.suffix else 'README')}.md"
    for page in (linked / "README.md", linked.with_suffix(".md")):
        if page in guides:
            return f"{up}{page.relative_to(root)}"
    if not linked.is_file():  # a directory of the repository, which is no page
        return "removed:"
    copied = to / path
    copied.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(linked, copied)
    return f"{up}{path}"


def navigation(guides: list[Path], source: Path, languages: dict[str, str]) -> list[Any]:
    """The tree of pages at the left of each page."""

    def titled(paths: Iterator[Path]) -> list[dict[str, str]]:
        return [{_title(source / path): path.as_posix()} for path in paths]

    def inside(directory: str) -> list[dict[str, str]]:
        return titled(path for path in guides if path.parent == Path(directory))

    contract = sorted((source / CONTRACT_PAGES).glob("*.md"))
    clients = [{title: f"clients/{name}/README.md"} for name, title in LANGUAGES.items()]
    project = titled(path for path in guides if len(path.parts) == 1 and path.name != "README.md")
    return [
        {"Camillo": "README.md"},
        {"Guides": sorted(inside("docs"), key=_order_in(source / "README.md"))},
        {"Clients": [*clients, {"What all of them do": "clients/conformance/README.md"}]},
        {
            "Frameworks": titled(
                path for path in guides if re.match("clients/(python-(?!cli)|typescript-)", path.as_posix())
            )
        },
        {
            "Reference": [
                "reference/README.md",
                {"Contract": titled(path.relative_to(source) for path in contract)},
                {"Command line": "reference/commands.md"},
                *({LANGUAGES[name]: page} for name, page in languages.items()),
            ]
        },
        {"Project": project + titled(path for path in guides if path.parts[0] == "bench")},
        {"Decisions": inside("docs/adr")},
    ]


def llms_text(tree: list[Any], source: Path) -> str:
    """The pages of the site for a model that reads it, in the form of llms.txt (llmstxt.org): a section for each branch
    of the navigation, a line for each guide, with its first sentence."""
    parts = [f"# Camillo\n\n> {_first_sentence(source / 'README.md')}\n"]
    for branch in tree:
        [(name, entries)] = branch.items()
        lines = (
            [_line(entry, source) for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []
        )
        parts.append("\n".join([f"## {name}\n", *filter(None, lines), ""]) if any(lines) else "")
    return "\n".join(filter(None, parts))


def _line(entry: dict[str, Any], source: Path) -> str:
    [(title, page)] = entry.items()
    if not isinstance(page, str) or not page.endswith(".md"):
        return ""
    address = page.replace("README.md", "index.html").replace(".md", ".html")
    summary = _first_sentence(source / page)
    return f"- [{title}]({address})" + (f": {summary}" if summary else "")


def _first_sentence(page: Path) -> str:
    """The first sentence of the prose of a page, in one line and without links and emphasis."""
    for paragraph in page.read_text("utf-8").split("\n\n"):
        if paragraph[:1].isalpha() or re.match(r"\*\*|`[^`]", paragraph):
            words = re.sub(r"\[([^\]]+)\]\([^)]*\)", r"\1", " ".join(paragraph.split())).replace("**", "")
            return re.split(r"(?<=[.])\s(?=[A-Z`])", words)[0]
    return ""


def _order_in(readme: Path) -> Callable[[dict[str, str]], int]:
    """The order in which the README names pages, from what is remembered to the list of documentation; others last."""
    named = re.findall(r"\((docs/[\w-]+\.md)", readme.read_text("utf-8").partition("\n## What it remembers\n")[2])
    positions = {page: position for position, page in reversed([*enumerate(named)])}
    return lambda entry: positions.get(next(iter(entry.values())), len(named))


def _title(page: Path) -> str:
    found = re.search(r"^# (.+?)(?: \{#.*\})?$", page.read_text("utf-8"), re.MULTILINE)
    return found[1].replace("`", "") if found else page.stem
