"""Documents that are made to break who reads them: each is refused with its reason, in bounded time, and the server
does not grow."""

import asyncio
import os
import random
import resource
import time
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from camillo_formats.media_types import DOCX, HTML, PDF
from camillo_server.features.knowledge.conversion import converter
from camillo_server.features.knowledge.conversion.document import ReadDocument, ReadingLimits
from camillo_server.features.knowledge.conversion.read_document import read_document
from camillo_server.kernel.errors import DocumentUnreadable
from camillo_server.kernel.off_loop import current_tenant

from tests.patience import FACTOR
from tests.unit.knowledge.docx_files import package, zip_of
from tests.unit.knowledge.pdf_files import file_of, pdf_of

LIMITS = ReadingLimits()
MIB = 1024 * 1024
# Above what the document itself takes in the test.
MAX_GROWTH = 64 * MIB
# Behind its own bound a process is killed, and that is waited for.
SECONDS = 10
LAUGHS = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' if n else '<!ENTITY l0 "ha">' for n in range(10))


def lying_zip() -> bytes:
    """Its part says that it is small."""
    bomb = zip_of({"word/document.xml": b"a" * (64 * MIB)})
    return bomb.replace((64 * MIB).to_bytes(4, "little"), (64).to_bytes(4, "little"))


def nested_zips() -> bytes:
    content = b"0" * MIB
    for _ in range(8):
        content = zip_of({f"word/{index}.zip": content for index in range(4)})
    return content


def noise() -> bytes:
    return random.Random(1).randbytes(MIB)  # noqa: S311


def page_loop() -> bytes:
    return file_of(
        [
            "<< /Type /Catalog /Pages 2 0 R >>",
            "<< /Type /Pages /Count 2 /Kids [2 0 R 3 0 R] >>",
            "<< /Type /Pages /Count 1 /Kids [2 0 R] /Parent 2 0 R >>",
        ]
    )


def content_loop() -> bytes:
    """A form that draws itself, and an array that holds itself."""
    return file_of(
        [
            "<< /Type /Catalog /Pages 2 0 R >>",
            "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents [4 0 R 5 0 R] /Resources 6 0 R >>",
            "<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources 6 0 R /Length 5 >>\nstream\n/X Do\nendstream",
            "[5 0 R]",
            "<< /XObject << /X 4 0 R >> >>",
        ]
    )


HOSTILE: dict[str, tuple[str, Callable[[], bytes], dict[str, object]]] = {
    "zip bomb": (
        DOCX,
        lambda: package("", {f"word/{n}.xml": b"\0" * (32 * MIB) for n in range(5)}),
        {"why": "expands_too_far", "limit": LIMITS.max_expanded_bytes},
    ),
    "zip bomb that lies": (DOCX, lying_zip, {"why": "damaged"}),
    "many parts": (
        DOCX,
        lambda: zip_of({f"word/{n}.xml": b"" for n in range(10_001)}),
        {"why": "too_many_parts", "limit": 10_000},
    ),
    "nested zips": (DOCX, nested_zips, {"why": "damaged"}),
    "zeros as DOCX": (DOCX, lambda: b"\0" * 100_000_000, {"why": "damaged"}),
    "zeros as PDF": (PDF, lambda: b"\0" * 100_000_000, {"why": "damaged"}),
    "zeros as HTML": (HTML, lambda: b"\0" * 100_000_000, {"why": "no_text"}),
    "billion laughs": (DOCX, lambda: package("&l9;", doctype=f"<!DOCTYPE w:document [{LAUGHS}]>"), {"why": "damaged"}),
    "deep XML": (DOCX, lambda: package("<w:p>" * 50_000 + "</w:p>" * 50_000), {"why": "too_deep"}),
    "XML of many elements": (DOCX, lambda: package("<w:p/>" * 3_000_000), {"why": "expands_too_far"}),
    "deep HTML": (HTML, lambda: b"<div>" * 100_000, {"why": "too_deep", "limit": 256}),
    "HTML a little too deep": (HTML, lambda: b"<div>" * 300 + b"x", {"why": "too_deep", "limit": 256}),
    "HTML of many elements": (HTML, lambda: b"<p>a</p>" * 4_000_000, {"why": "expands_too_far"}),
    "HTML with too much text": (
        HTML,
        lambda: b"<p>" + b"a " * 4_200_000,
        {"why": "too_large", "limit": LIMITS.max_text_bytes},
    ),
    "PDF of 10,000 pages": (PDF, lambda: pdf_of(["x"] * 10_000), {"why": "too_many_pages", "limit": 2_000}),
    "PDF with pages in a loop": (PDF, page_loop, {"why": "damaged"}),
    "PDF that draws itself": (PDF, content_loop, {"why": "no_text"}),
    "PDF of deep arrays": (PDF, lambda: file_of([f"<< /Type /Catalog /Pages {'[' * 200_000} >>"]), {"why": "damaged"}),
    "random bytes as PDF": (PDF, noise, {"why": "damaged"}),
    "random bytes as DOCX": (DOCX, noise, {"why": "damaged"}),
    "random bytes as HTML": (HTML, noise, {"why": "not_text"}),
    "PDF that ends early": (PDF, lambda: pdf_of(["text"] * 9)[:4_000], {"why": "damaged"}),
    "DOCX that ends early": (DOCX, lambda: package("<w:p/>" * 99)[:-40], {"why": "damaged"}),
}


@pytest.mark.parametrize(("kind", "made", "told"), HOSTILE.values(), ids=HOSTILE)
async def test_a_hostile_document_is_refused(kind: str, made: Callable[[], bytes], told: dict[str, object]) -> None:
    content = made()
    peak, start = _peak_bytes(), time.perf_counter()
    with pytest.raises(DocumentUnreadable) as refused:
        await read_document(content, kind, "a", LIMITS)
    assert {key: refused.value.details[key] for key in told} == told
    assert time.perf_counter() - start < LIMITS.seconds + SECONDS * FACTOR
    assert _peak_bytes() - peak < MAX_GROWTH
    assert not _children()


@pytest.mark.parametrize(
    ("does", "why"),
    [
        ("while True: os.write(1, b'{}' * 65536)", "too_large"),
        ("os.kill(os.getpid(), signal.SIGSEGV)", "damaged"),
        ("resource.setrlimit(resource.RLIMIT_CPU, (1, 1))\nwhile True: pass", "expands_too_far"),
        ("sys.exit(3)", "damaged"),
    ],
)
async def test_a_parser_that_is_taken_over_or_crashes_costs_its_process_alone(
    does: str, why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    python = converter.CHILD_COMMAND[0]
    before = _children(python)
    started = f"import os, resource, signal, sys\n{does}"
    monkeypatch.setattr(converter, "CHILD_COMMAND", (python, "-I", "-c", started))
    with pytest.raises(DocumentUnreadable) as refused:
        await read_document(b"<p>a" * 200_000, HTML, "a", LIMITS)
    assert refused.value.details["why"] == why
    # Processes of other tests may run, too.
    assert set(_children(python)) <= set(before)


async def test_what_takes_too_long_is_killed() -> None:
    page = b"<p>a</p>" * 2_000_000
    quick = ReadingLimits(seconds=0.2)
    with pytest.raises(DocumentUnreadable) as refused:
        await read_document(page, HTML, "a", quick)
    assert refused.value.details == {"why": "expands_too_far"}
    assert not _children()
    assert (await read_document(b"<p>a", HTML, "a", LIMITS)).text == "a\n"


async def test_a_call_that_is_cancelled_takes_its_process_along() -> None:
    reading = asyncio.create_task(read_document(b"<p>a</p>" * 2_000_000, HTML, "a", LIMITS))
    while not _children():  # noqa: ASYNC110
        await asyncio.sleep(0)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert not _children()


async def test_two_processes_read_at_once() -> None:
    """One for each tenant."""
    page, most = b"<p>a</p>" * 20_000, 0

    async def read_for(tenant: str) -> ReadDocument:
        current_tenant.set(tenant)
        return await read_document(page, HTML, "a", LIMITS)

    reading = asyncio.gather(*(read_for(tenant) for tenant in ("acme", "other", "third") * 2))
    while not reading.done():
        await asyncio.sleep(0)
        most = max(most, len(_children()))
    assert len({read.text for read in await reading}) == 1
    assert most == 2


def test_the_zip_that_lies_would_be_read_if_it_did_not(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    path.write_bytes(zip_of({"word/document.xml": b"a" * 64}))
    with zipfile.ZipFile(path) as told:
        assert told.read("word/document.xml") == b"a" * 64
    path.write_bytes(lying_zip())
    with zipfile.ZipFile(path) as told, pytest.raises(zipfile.BadZipFile):
        told.read("word/document.xml")


def _peak_bytes() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def _children(command: str = "conversion.child") -> list[str]:
    """Processes that this one has started with it in their command, and that still run."""
    found: list[str] = []
    for of_thread in Path(f"/proc/{os.getpid()}/task").glob("*/children"):
        # A thread may end meanwhile.
        with suppress(FileNotFoundError, ProcessLookupError):
            found += of_thread.read_text().split()
    return [child for child in found if _runs(child, command)]


def _runs(child: str, command: str) -> bool:
    try:
        return command.encode() in Path(f"/proc/{child}/cmdline").read_bytes()
    except (FileNotFoundError, ProcessLookupError):
        return False
