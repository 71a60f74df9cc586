"""Docstrings and comments are understood without the line above: no sentence in them begins with a word that points
there."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

from tests.python_sources import parsed

ROOT = Path(__file__).parents[1]
FRAGMENT = re.compile(r"(?:Of|Those|That of|What)\b")
WORDS = re.compile(r"\b(?:Of|Those|That|What)\b")
WORDS_OF_COMMENT = re.compile(r"#.*\b(?:Of|Those|That|What)\b")
SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
PARAGRAPH_END = re.compile(r"\n\s*\n")
INTERNAL_WORD = re.compile(r"(?<![-_.])\b[Ss]copes?\b(?![-_])")
DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
GENERATED = {"v1", "generated", "node_modules", ".venv", "build", "target"}
MADE = re.compile(r"DO NOT EDIT|@generated")
COMMENT = re.compile(r"/\*.*?\*/|(?:^[ \t]*//[^\n]*\n)+|//[^\n]*", re.DOTALL | re.MULTILINE)
SEARCHED = ("server", "clients", "bench", "tests", "tools", "deploy", "docs")


def python_files(directory: str) -> Iterator[Path]:
    for path in sorted((ROOT / directory).rglob("*.py")):
        if not GENERATED & {*path.relative_to(ROOT).parts}:
            yield path


def docstrings(source: str) -> Iterator[str]:
    """Docstrings of a source that has one of the words anywhere."""
    if not WORDS.search(source):
        return
    for node in ast.walk(parsed(source)):
        if isinstance(node, DOCUMENTED) and (text := ast.get_docstring(node)):
            yield text


def comments(source: str) -> Iterator[str]:
    """Comments of a source that has one of the words in any, those of lines that follow each other as one."""
    if not WORDS_OF_COMMENT.search(source):
        return
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    found = [token for token in tokens if token.type == tokenize.COMMENT]
    text = ""
    for token, following in pairwise([*found, None]):
        assert token is not None
        text += " " + token.string.lstrip("#: ")
        if following is None or following.start[0] != token.start[0] + 1:
            yield text.strip()
            text = ""


def contract_comments(source: str) -> Iterator[str]:
    block = re.compile(r"(?:^[ \t]*//.*\n)+", re.MULTILINE)
    for match in block.finditer(source):
        yield re.sub(r"^[ \t]*// ?", "", match[0], flags=re.MULTILINE)


def fragments(text: str) -> list[str]:
    sentences = [
        sentence
        for paragraph in PARAGRAPH_END.split(text)
        for sentence in SENTENCE_END.split(" ".join(paragraph.split()))
    ]
    return [sentence for sentence in sentences if FRAGMENT.match(sentence)]


def client_comments(source: str) -> Iterator[str]:
    """Comments of TypeScript, Go, Java and Rust."""
    for match in COMMENT.finditer(source):
        yield re.sub(r"^[ \t]*(?:/\*+|//[/!]?|\*)[ \t]?", "", match[0].removesuffix("*/"), flags=re.MULTILINE)


def client_files() -> Iterator[Path]:
    """The clients' hand-written files in languages other than Python."""
    for language, suffix in (("typescript", "ts"), ("go", "go"), ("java", "java"), ("rust", "rs")):
        for path in sorted((ROOT / "clients" / language).rglob(f"*.{suffix}")):
            if not GENERATED & {*path.relative_to(ROOT).parts} and not MADE.search(path.read_text()[:600]):
                yield path


def prose(source: str) -> Iterator[str]:
    """Paragraphs and items of a page of Markdown, without tables, headings and fenced blocks."""
    text = re.sub(r"```.*?```", "\n\n", source, flags=re.DOTALL)
    for part in re.split(r"\n\s*\n|\n(?=[ \t]*(?:[-*] |\d+\. |[|#>]))", text):
        if not part.lstrip().startswith(("|", "#")):
            yield re.sub(r"^\s*(?:[-*] |\d+\. |> )?(?:\*\*)?", "", part)


@pytest.mark.parametrize("directory", SEARCHED)
def test_no_sentence_of_the_code_begins_with_a_fragment(directory: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}: {sentence[:90]}"
        for path in python_files(directory)
        for source in [path.read_text()]
        for text in (*docstrings(source), *comments(source))
        for sentence in fragments(text)
    ]
    assert not found, "\n".join(found)


def test_no_sentence_of_the_contract_begins_with_a_fragment() -> None:
    found = [
        f"{path.name}: {sentence[:90]}"
        for path in sorted((ROOT / "proto").rglob("*.proto"))
        for text in contract_comments(path.read_text())
        for sentence in fragments(text)
    ]
    assert not found, "\n".join(found)


def words_for_users(source: str) -> str:
    """A page without what is quoted from programs: blocks, code, targets of links."""
    text = re.sub(r"```.*?```", "", source, flags=re.DOTALL)
    return re.sub(r"`[^`]*`|\]\([^)]*\)", "", text)


def test_pages_for_users_call_a_space_a_space() -> None:
    """Inside it is a scope; names that were released with the word stay as they are."""
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "clients").glob("*/README.md")]
    assert len(pages) > 40
    assert "space" in words_for_users((ROOT / "docs" / "spaces.md").read_text())
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()[:90]}"
        for path in sorted(pages)
        for line in words_for_users(path.read_text()).splitlines()
        if INTERNAL_WORD.search(line)
    ]
    assert not found, "\n".join(found)


def test_the_command_line_calls_a_space_a_space() -> None:
    texts = {
        f"{path.relative_to(ROOT)}: {node.value[:90]}"
        for path in python_files("clients/python-cli/src/camillo_cli")
        for node in ast.walk(parsed(path.read_text()))
        if isinstance(node, ast.keyword) and node.arg == "help"
        for node in ast.walk(node.value)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }
    assert len(texts) > 200
    assert [text for text in sorted(texts) if INTERNAL_WORD.search(text.partition(": ")[2])] == []


def test_no_sentence_of_the_clients_begins_with_a_fragment() -> None:
    files = list(client_files())
    assert len(files) > 300
    found = [
        f"{path.relative_to(ROOT)}: {sentence[:90]}"
        for path in files
        for text in client_comments(path.read_text())
        for sentence in fragments(text)
    ]
    assert not found, "\n".join(found)


def test_no_sentence_of_the_documents_begins_with_a_fragment() -> None:
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "bench" / "README.md", *(ROOT / "docs").glob("*.md")]
    pages += (ROOT / "clients").glob("*/README.md")
    found = [
        f"{path.relative_to(ROOT)}: {sentence[:90]}"
        for path in pages
        for text in prose(path.read_text())
        for sentence in fragments(text)
    ]
    assert not found, "\n".join(found)


def test_fragments_are_seen() -> None:
    source = '"""Adds. Of two, the\nfirst."""\nx = 1  # What is it?\n# Fine, of\n# course. Those are not.\n'
    seen = [s for text in (*docstrings(source), *comments(source)) for s in fragments(text)]
    assert seen == ["Of two, the first.", "What is it?", "Those are not."]
    assert fragments(next(contract_comments("  // Holds x.\n  // What is y.\n"))) == ["What is y."]
    assert [*map(fragments, client_comments("/** Holds x. Those\n * are y. */\n// What is z.\nx = 1; // Of x.\n"))] == [
        ["Those are y."],
        ["What is z."],
        ["Of x."],
    ]
    seen = [
        s for text in prose("# What\n\nHere. Of x.\n\n- **What is y**: z\n\n```\nThose\n```\n") for s in fragments(text)
    ]
    assert seen == ["Of x.", "What is y**: z"]
