"""Measures the reading of a document: `python -m bench.knowledge.conversion` (docs/adr/documents.md).

The start of the process that reads it, and documents of each type, each with that start. PDF and HTML also by other
libraries where they are installed: `pip install pypdf markdownify html-to-markdown`."""

import asyncio
import io
import sys
from collections.abc import Awaitable, Callable
from importlib import import_module
from time import perf_counter

from camillo_server.features.knowledge.conversion.child import html_document, pdf_document
from camillo_server.features.knowledge.conversion.document import ReadingLimits
from camillo_server.features.knowledge.conversion.read_document import read_document

from tests.unit.knowledge.docx_files import docx_of
from tests.unit.knowledge.pdf_files import file_of, pdf_of

ROUNDS = 5
LIMITS = ReadingLimits()
SENTENCE = "The travel office pays hotels, trains and meals after the receipts were handed in. "
PAGE = (
    "<h2>Rates {0}</h2><p>Some <b>bold</b> text about <a href='https://example.com/{0}'>links</a> &amp; "
    "more.</p><ul><li>a<li>b</ul>"
    "<table><tr><th>k<th>v<tr><td>1<td>2</table><pre><code>x = 1\ny = 2</code></pre>"
)


async def main() -> None:
    html = "<html><body>" + "".join(PAGE.format(number) for number in range(3_000))
    pdf = latin_pdf(100)
    word = docx_of("Handbook", {f"Rates {number}": SENTENCE * 6 for number in range(500)})
    documents = {
        "HTML of a word": ("text/html", b"<p>a"),
        "PDF of a word": ("", pdf_of(["a"])),
        "DOCX of a word": ("", docx_of("a", {})),
        f"HTML of {len(html) // 1024} KiB": ("text/html", html.encode()),
        "PDF of 100 pages": ("", pdf),
        "DOCX of 500 sections": ("", word),
    }
    start = await median(lambda: start_of_python())
    print(f"{'Python, which does nothing':32}{start * 1e3:8.0f} ms")
    for name, (media_type, content) in documents.items():
        seconds = await median(lambda c=content, m=media_type: read_document(c, m, "a", LIMITS))  # type: ignore[misc]
        print(f"{name:32}{seconds * 1e3:8.0f} ms")
    print("In this process:")
    contenders: dict[str, Callable[[], object]] = {
        "100 pages, PDFium": lambda: pdf_document.convert(pdf, LIMITS),
        "100 pages, pypdf": lambda: [
            page.extract_text() for page in import_module("pypdf").PdfReader(io.BytesIO(pdf)).pages
        ],
        "HTML, selectolax and our writer": lambda: html_document.markdown(html, LIMITS),
        "HTML, html-to-markdown": lambda: import_module("html_to_markdown").convert(html),
        "HTML, markdownify": lambda: import_module("markdownify").markdownify(html),
    }
    for name, work in contenders.items():
        try:
            print(f"{name:32}{await median(lambda w=work: done(w)) * 1e3:8.0f} ms")  # type: ignore[misc]
        except ModuleNotFoundError:
            print(f"{name:32}  not installed")


def latin_pdf(pages: int) -> bytes:
    """Pages of 40 lines in a font that every reader has."""
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(pages))
    text = f"BT /F 10 Tf 50 700 Td {f'({SENTENCE}) Tj 0 -14 Td ' * 40}ET"
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {pages} /Kids [{kids}] >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    ]
    for number in range(pages):
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 900 800] /Contents {5 + 2 * number} 0 R "
            "/Resources << /Font << /F 3 0 R >> >> >>"
        )
        objects.append(f"<< /Length {len(text)} >>\nstream\n{text}\nendstream")
    return file_of(objects)


async def start_of_python() -> None:
    process = await asyncio.create_subprocess_exec(sys.executable, "-I", "-c", "")
    await process.wait()


async def done(work: Callable[[], object]) -> None:
    work()


async def median(work: Callable[[], Awaitable[object]]) -> float:
    """Seconds, of five rounds."""
    rounds = []
    for _ in range(ROUNDS):
        start = perf_counter()
        await work()
        rounds.append(perf_counter() - start)
    return sorted(rounds)[ROUNDS // 2]


if __name__ == "__main__":
    asyncio.run(main())
