"""The site of guides and references, built as `make docs` does, but for the languages that need tools of their own."""

import importlib
import json
import pkgutil
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

import camillo.v1
import camillo_client
import pytest
from camillo.v1 import memory_pb2, memory_service_pb2, options_pb2

from docs.site.commands import anchor
from docs.site.godoc import go_page
from docs.site.limits import limit_words
from tests.cli.commands import COMMANDS

ROOT = Path(__file__).parent.parent
# Attributes that a browser loads by itself: an address of another host there would be asked with every page.
LOADED = {("script", "src"), ("link", "href"), ("img", "src"), ("iframe", "src"), ("source", "src")}
LIMIT: Any = options_pb2.limit


@dataclass
class Page(HTMLParser):
    """Anchors of a page that others can point to, and addresses that it points to."""

    text: str
    ids: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    loaded: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self.feed(self.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                self.ids.add(value)
            elif (tag, name) in LOADED and value:
                self.loaded.append(value)
            elif (tag, name) == ("a", "href") and value:
                self.links.append(value)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    to = tmp_path_factory.mktemp("built") / "site"
    command = [sys.executable, "-m", "docs.site", str(to), "--languages", "python"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return to


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, Page]:
    return {path.relative_to(site).as_posix(): Page(path.read_text("utf-8")) for path in site.rglob("*.html")}


def test_llms_txt_names_every_guide_with_what_it_is_about(site: Path) -> None:
    text = (site / "llms.txt").read_text("utf-8")
    assert text.startswith("# Camillo\n\n> Camillo is a memory service for AI agents:")
    entries = re.findall(r"^- \[(.+)\]\((.+?)\)(: .+)?$", text, re.MULTILINE)
    assert len(entries) == text.count("\n- ")
    assert [address for _, address, _ in entries if not (site / address).exists()] == []
    guides = {f"docs/{path.stem}.html" for path in (ROOT / "docs").glob("*.md")}
    summaries = {address: summary for _, address, summary in entries}
    assert guides <= {address for address, summary in summaries.items() if summary}
    assert "clients/python-langgraph/index.html" in summaries


def contract_ids(pages: dict[str, Page]) -> set[str]:
    return {each for name, page in pages.items() if name.startswith("reference/contract/") for each in page.ids}


def contract_files() -> Iterator[Any]:
    for module in pkgutil.iter_modules(camillo.v1.__path__):
        if module.name.endswith("_pb2"):
            yield importlib.import_module(f"camillo.v1.{module.name}").DESCRIPTOR


def message_names(messages: Any) -> Iterator[str]:
    for message in messages:
        if not message.GetOptions().map_entry:
            yield message.full_name.removeprefix("camillo.v1.")
            yield from message_names(message.nested_types)


def test_every_method_message_and_enumeration_has_an_entry(pages: dict[str, Page]) -> None:
    expected = set()
    for file in contract_files():
        expected |= set(message_names(file.message_types_by_name.values()))
        expected |= set(file.enum_types_by_name)
        for service in file.services_by_name.values():
            expected |= {f"{service.name}.{method.name}" for method in service.methods}
    assert {"MemoryService.Recall", "NewMemory", "Limit.Range", "ErrorReason"} < expected
    assert not expected - contract_ids(pages)


def test_every_command_has_an_entry(pages: dict[str, Page]) -> None:
    paths = {f"camillo {command.words}" for command in COMMANDS}
    assert {"camillo recall", "camillo artifact grep"} < paths
    assert not {anchor(path) for path in paths} - pages["reference/commands.html"].ids


def test_a_command_is_described_with_its_options(site: Path) -> None:
    text = (site / "reference/commands.html").read_text("utf-8")
    of_recall = text.partition('id="camillo-recall"')[2].partition("<h2")[0]
    assert "<code>--min-score &lt;float" in of_recall
    assert "camillo recall [OPTIONS]" in of_recall


def test_every_name_of_the_python_client_has_an_entry(pages: dict[str, Page]) -> None:
    ids = pages["reference/python/index.html"].ids
    names = {f"camillo_client.{name}" for name in camillo_client.__all__}
    assert not names - ids
    assert "camillo_client.Memories.remember" in ids
    assert "camillo_client.errors.MemoryNotFound" in ids


def test_a_method_is_described_with_its_limits_role_and_http_binding(site: Path) -> None:
    text = (site / "reference/contract/memory_service.html").read_text("utf-8")
    shown = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", text))
    assert "Finds the memories that answer a query best." in shown
    assert "gRPC /camillo.v1.MemoryService/Recall HTTP POST /v1/memories:recall" in shown
    assert "Permission ROLE_READER" in shown
    assert "1 to 200; 0 means 5" in shown


def test_the_python_page_begins_with_the_plain_client(site: Path) -> None:
    text = (site / "reference/python/index.html").read_text("utf-8")
    first = re.findall(r'<h2 id="camillo_client\.(\w+)"', text)[:2]
    assert first == ["Camillo", "AsyncCamillo"]


def test_the_navigation_names_each_client_by_its_language(site: Path) -> None:
    entries = navigation(site / "index.html")
    clients = [title for title, link in entries if re.match("clients/(?!python-|typescript-)", link)]
    assert clients == ["Python", "TypeScript", "Go", "Java", "Rust", "What all of them do"]


def test_the_navigation_has_the_guides_in_the_order_of_the_readme(site: Path) -> None:
    guides = [link for _, link in navigation(site / "index.html") if link.startswith("docs/")]
    assert guides[:3] == ["docs/time.html", "docs/distillation.html", "docs/context.html"]
    assert guides.index("docs/mcp.html") < guides.index("docs/retrieval.html") < guides.index("docs/errors.html")


def navigation(page: Path) -> list[tuple[str, str]]:
    """The title and the target of each page at the left."""
    links = re.findall(r'<a href="([^"]+)" class="md-nav__link[^>]*>(.*?)</a>', page.read_text("utf-8"), re.DOTALL)
    return [(" ".join(re.sub(r"<[^>]+>", " ", text).split()), link) for link, text in links]


def broken_links(pages: dict[str, Page], site: Path) -> list[str]:
    broken = []
    for name, page in pages.items():
        for link in (*page.links, *page.loaded):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc or name == "404.html":
                continue
            target = (site / name).parent / unquote(parts.path) if parts.path else site / name
            path = target.resolve()
            path = path / "index.html" if path.is_dir() else path
            linked = pages.get(path.relative_to(site).as_posix())
            is_missing = unquote(parts.fragment) not in linked.ids if linked else not path.is_file()
            if is_missing and (not linked or parts.fragment):
                broken.append(f"{name}: {link}")
    return broken


def test_every_internal_link_resolves(pages: dict[str, Page], site: Path) -> None:
    assert sum(len(page.links) for page in pages.values()) > 1000
    assert not broken_links(pages, site)


def test_a_broken_link_is_noticed(pages: dict[str, Page], site: Path) -> None:
    text = '<a href="index.html#nowhere"></a><a href="no-such-page.html"></a><a href="index.html"></a>'
    found = broken_links(pages | {"probe.html": Page(text)}, site)
    assert found == ["probe.html: index.html#nowhere", "probe.html: no-such-page.html"]


def test_nothing_is_loaded_from_another_host(pages: dict[str, Page], site: Path) -> None:
    elsewhere = defaultdict(list)
    for name, page in pages.items():
        elsewhere[name] = [each for each in page.loaded if urlsplit(each).netloc]
        if name.startswith("reference/"):
            elsewhere[name] += [each for each in page.links if urlsplit(each).netloc]
    assert not {name: found for name, found in elsewhere.items() if found}
    assert all(page.loaded for page in pages.values())
    # The theme's script would fetch a library for diagrams of this class.
    assert not [name for name, page in pages.items() if 'class="mermaid"' in page.text]
    for sheet in site.rglob("*.css"):
        assert not re.search(r"(@import|url\()\s*[\"']?(https?:)?//", sheet.read_text("utf-8"))


def test_the_search_box_finds_guides_contract_commands_and_python(site: Path) -> None:
    index = json.loads((site / "search" / "search_index.json").read_text("utf-8"))
    places = {entry["location"] for entry in index["docs"]}
    assert {
        "docs/context.html",
        "reference/contract/memory_service.html#MemoryService.Recall",
        "reference/commands.html#camillo-recall",
        "reference/python/index.html#camillo_client.Memories.remember",
    } <= places
    assert 'data-md-component="search"' in (site / "index.html").read_text("utf-8")


def limit_of(message: Any, name: str) -> options_pb2.Limit:
    limit: options_pb2.Limit = message.DESCRIPTOR.fields_by_name[name].GetOptions().Extensions[LIMIT]
    return limit


def test_limits_are_told_in_words() -> None:
    new = memory_pb2.NewMemory
    content = "1 to 2,000 characters; at least one of them visible"
    assert limit_words(limit_of(new, "content")) == content
    assert limit_words(limit_of(new, "session_id")) == "at most 128 characters"
    assert limit_words(limit_of(new, "kind")) == ""
    tags = "1 to 128 characters; at most 64 items; at most 10,000 before duplicates are removed"
    assert limit_words(limit_of(new, "tags")) == tags
    recall = memory_service_pb2.RecallRequest
    assert limit_words(limit_of(recall, "limit")) == "1 to 200; 0 means 5"
    assert limit_words(limit_of(recall, "max_tokens")) == "at least 0"


GO_DOC = """package refs // import "camillo.dev/camillo/refs"

Package refs reads refs.

TYPES

type Ref struct {
	ID string

	// Has unexported fields.
}
    A Ref is an id, or an *Error with `*ID`.

func (r *Ref) Render(
	label string,
) string
    Render is its text:

        ref.Render("x")
"""


def test_documentation_of_go_becomes_markdown() -> None:
    page = go_page(GO_DOC)
    assert page.startswith("# Go: camillo.dev/camillo/refs\n\nPackage refs reads refs.\n")
    declared = "### Ref\n\n```go\ntype Ref struct {\n\tID string\n\n\t// Has unexported fields.\n}\n```\n"
    assert f"{declared}\nA Ref is an id, or an \\*Error with `*ID`.\n" in page
    assert "### Ref.Render\n\n```go\nfunc (r *Ref) Render(\n\tlabel string,\n) string\n```\n" in page
    assert 'Render is its text:\n\n    ref.Render("x")\n' in page
