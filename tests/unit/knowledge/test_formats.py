"""HTML, PDF and DOCX as documents: what is read of them, as Markdown."""

import subprocess
import sys

import pytest
from camillo_formats.media_types import DOCX
from camillo_server.features.knowledge.conversion import converter
from camillo_server.features.knowledge.conversion.document import ReadDocument, ReadingLimits
from camillo_server.features.knowledge.conversion.read_document import read_document
from camillo_server.kernel.errors import DocumentUnreadable

from tests.cases import each_case
from tests.unit.knowledge.docx_files import docx_of, zip_of
from tests.unit.knowledge.pdf_files import pdf_of

LIMITS = ReadingLimits()
PAGE = """<!doctype html><html><head><title>Travel &amp; costs</title><style>p {}</style></head><body>
<h1>差旅 <b>Handbook</b></h1><p>See <a href="https://example.com/a">the portal</a> &amp; <a href="#b">below</a>.<br>नमस्ते
<ul><li>one<ul><li>inner</ul><li><p>two</p><p>more</p></ul><ol start=3><li>x<li>y</ol>
<table><caption>Rates</caption><tr><th>k<th>v<tr><td>a|b<td><p>2</p><p>3</p></table><blockquote>q</blockquote>
<pre><code class="language-python">x = 1

# no heading
```
</code></pre><p># no heading</p><p>مرحبا <bdi>بالعالم</bdi> 👩‍👩‍👧 cafe\u0301</p></body></html>"""
PAGE_READ = """# 差旅 Handbook

See [the portal](https://example.com/a) & below.
नमस्ते

- one
  - inner
- two

  more

3. x
4. y

Rates

| k | v |
| --- | --- |
| a\\|b | 2 3 |

> q

````python
x = 1

# no heading
```
````

\\# no heading

مرحبا بالعالم 👩‍👩‍👧 cafe\u0301
"""
HIDDEN = {
    "script": "<script>hidden()</script>",
    "style": "<style>.hidden {}</style>",
    "comment": "<!-- hidden -->",
    "template": "<template>hidden</template>",
    "noscript": "<noscript>hidden</noscript>",
    "attribute": "<p hidden>hidden</p>",
    "aria": '<div aria-hidden="true"><p>hidden</div>',
    "display": '<p style="color:red; DISPLAY : none">hidden</p>',
    "visibility": '<p style="visibility:hidden">hidden</p>',
    "size": '<p style="font-size:0">hidden</p>',
    "opacity": '<p style="opacity: 0.0;">hidden</p>',
    "svg": "<svg><text>hidden</text></svg>",
}


async def why(content: bytes, media_type: str = "", name: str = "a") -> object:
    with pytest.raises(DocumentUnreadable) as told:
        await read_document(content, media_type, name, LIMITS)
    return told.value.details["why"]


async def read(content: bytes, media_type: str = "", name: str = "a") -> ReadDocument:
    return await read_document(content, media_type, name, LIMITS)


async def test_a_page_is_read_as_markdown() -> None:
    assert await read(PAGE.encode()) == ReadDocument(PAGE_READ, "text/html", "差旅 Handbook")


async def test_a_page_without_headings_has_the_title_of_its_head() -> None:
    page = "<html><head><title> Travel\n&amp; costs </title></head><p>text"
    assert (await read(page.encode())).title == "Travel & costs"
    assert (await read(b"<p>text", "text/html", "a/b.html")).title == "b.html"


@each_case("hidden", HIDDEN.values(), ids=HIDDEN)
async def test_what_no_reader_of_a_page_sees_is_left_out(hidden: str) -> None:
    assert (await read(f"<p>before{hidden}<p>behind".encode(), "text/html")).text == "before\n\nbehind\n"
    shown = hidden.replace("style", "class").replace("hidden=", "").replace("<p hidden>", "<p>")
    if shown.startswith(("<p", "<div")) and "aria" not in shown:
        assert "hidden" in (await read(shown.encode(), "text/html")).text


@pytest.mark.parametrize(
    ("encoding", "declared"), [("gb18030", "gb2312"), ("utf-16", ""), ("utf-8-sig", ""), ("big5", "Big5")]
)
async def test_a_page_of_another_encoding_says_which(encoding: str, declared: str) -> None:
    page = f'<html><meta charset="{declared}"><p>手冊'.encode(encoding)
    assert (await read(page, "text/html")).text == "手冊\n"
    if encoding == "big5":
        assert await why("<p>手冊".encode("big5"), "text/html") == "not_text"


async def test_each_page_of_a_pdf_is_a_section() -> None:
    content = pdf_of(["Travel costs\n差旅 费用", "", "مرحبا بالعالم\nनमस्ते cafe\u0301"])
    told = "## Page 1\n\nTravel costs\n差旅 费用\n\n## Page 3\n\nمرحبا بالعالم\nनमस्ते cafe\u0301\n"
    assert await read(content, "", "handbook/a.pdf") == ReadDocument(told, "application/pdf", "a.pdf")


async def test_a_pdf_without_text_or_behind_a_password_says_so() -> None:
    locked = "/Encrypt << /Filter /Standard /V 1 /R 2 /O (%s) /U (%s) /P -4 >> /ID [(a)(b)] "
    assert await why(pdf_of(["", ""])) == "no_text"
    assert await why(pdf_of(["x"], locked % ("o" * 32, "u" * 32))) == "encrypted"


async def test_word_is_read_with_headings_lists_and_tables() -> None:
    content = docx_of("出差 Travel", {"Costs": "مرحبا بالعالم", "# not Markdown": "👩‍👩‍👧 cafe\u0301"})
    told = (
        "# 出差 Travel\n\n# Costs\n\nمرحبا بالعالم\n\n# # not Markdown\n\n👩‍👩‍👧 cafe\u0301\n\n- first\n- second\n\n"
        "| city | 费用 |\n| --- | --- |\n| القاهرة | 12 € |\n"
    )
    for name in ("a.docx", "a"):
        assert await read(content, "", name) == ReadDocument(told, DOCX, "出差 Travel")


async def test_what_is_no_word_file_says_what_it_is() -> None:
    old = bytes.fromhex("D0CF11E0A1B11AE1") + b"\0" * 500
    assert await why(old, DOCX) == "unknown_type"
    assert await why(old + "EncryptedPackage".encode("utf-16-le"), DOCX) == "encrypted"
    assert await why(b"no zip", DOCX) == "damaged"
    assert await why(zip_of({"a.txt": b"x"}), "", "a") == "unknown_type"
    assert await why(zip_of({"word/other.xml": b"<x/>"}), DOCX) == "damaged"


def test_the_process_that_reads_imports_nothing_of_the_server_but_what_it_needs() -> None:
    package = converter.CHILD_COMMAND[-1]
    imported = f"import sys, {package}.__main__, {package}.docx_document, {package}.pdf_document; print(*sys.modules)"
    told = subprocess.run([sys.executable, "-I", "-c", imported], capture_output=True, check=True, text=True)
    modules = {name.split(".")[0] for name in told.stdout.split()}
    rooms = {name for name in told.stdout.split() if name.startswith("camillo_server.")}
    assert {"mammoth", "pypdfium2", "selectolax"} <= modules
    assert not modules & {"grpc", "numpy", "psycopg", "asyncio", "yaml", "pydantic"}
    assert {name.split(".")[1] for name in rooms} == {"kernel", "features"}
    features = {name for name in rooms if name.startswith("camillo_server.features.")}
    assert {name.split(".")[2] for name in features} == {"knowledge"}


async def test_a_server_without_the_libraries_says_which_extra_it_lacks(monkeypatch: pytest.MonkeyPatch) -> None:
    *python, _, module = converter.CHILD_COMMAND
    start = f"import sys, runpy; sys.modules['selectolax'] = None; runpy.run_module('{module}', run_name='__main__')"
    monkeypatch.setattr(converter, "CHILD_COMMAND", (*python, "-c", start))
    with pytest.raises(DocumentUnreadable, match=r"camillo-server\[documents\]") as told:
        await read_document(b"<p>x", "text/html", "a", LIMITS)
    assert told.value.details == {"why": "converter_missing"}
    assert "text" in (await read(pdf_of(["text"]))).text
