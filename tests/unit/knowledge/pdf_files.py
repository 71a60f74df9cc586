"""PDF files of a few lines, written by hand: any text of Unicode's first plane, and what a hostile one may have."""

from collections.abc import Sequence

_FONT = 3
_FIRST_PAGE = 7
_RANGES = [f"<{high:02x}00> <{high:02x}ff> <{high:02x}00>" for high in range(256)]
_BLOCKS = [_RANGES[start : start + 100] for start in range(0, 256, 100)]
_TO_UNICODE = (
    "/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /Adobe-Identity-UCS def "
    "1 begincodespacerange <0000> <ffff> endcodespacerange\n"
    + "\n".join(f"{len(b)} beginbfrange\n{chr(10).join(b)}\nendbfrange" for b in _BLOCKS)
    + "\nendcmap end end"
)


def pdf_of(pages: Sequence[str], trailer: str = "") -> bytes:
    """Each page has its lines one below the other. Arabic is drawn from right to left, as programs draw it."""
    kids = " ".join(f"{_FIRST_PAGE + 2 * index} 0 R" for index in range(len(pages)))
    objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {len(pages)} /Kids [{kids}] >>",
        "<< /Type /Font /Subtype /Type0 /BaseFont /Any /Encoding /Identity-H /DescendantFonts [4 0 R] /ToUnicode 6 0 "
        "R >>",
        "<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Any /DW 600 /FontDescriptor 5 0 R "
        "/CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) /Supplement 0 >> >>",
        "<< /Type /FontDescriptor /FontName /Any /Flags 4 /FontBBox [0 0 600 800] /ItalicAngle 0 /Ascent 800 "
        "/Descent 0 /CapHeight 700 /StemV 80 >>",
        _stream(_TO_UNICODE),
    ]
    for index, page in enumerate(pages):
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 2000 800] /Contents {_FIRST_PAGE + 2 * index + 1} 0 R "
            f"/Resources << /Font << /F {_FONT} 0 R >> >> >>"
        )
        objects.append(_stream(_drawn(page)))
    return file_of(objects, trailer)


def file_of(objects: Sequence[str], trailer: str = "") -> bytes:
    """A file of these objects, the first of which is the catalog."""
    written = bytearray(b"%PDF-1.7\n")
    places = list[int]()
    for number, body in enumerate(objects, 1):
        places.append(len(written))
        written += f"{number} 0 obj\n{body}\nendobj\n".encode("latin-1")
    table = len(written)
    rows = "".join(f"{place:010} 00000 n \n" for place in places)
    size = len(objects) + 1
    end = f"xref\n0 {size}\n0000000000 65535 f \n{rows}trailer\n<< /Size {size} /Root 1 0 R {trailer}>>\n"
    return bytes(written) + f"{end}startxref\n{table}\n%%EOF\n".encode()


def _stream(content: str) -> str:
    return f"<< /Length {len(content)} >>\nstream\n{content}\nendstream"


def _drawn(page: str) -> str:
    lines = (_visual(line).encode("utf-16-be").hex() for line in page.split("\n"))
    shown = " ".join(f"<{line}> Tj 0 -14 Td" for line in lines)
    return f"BT /F 10 Tf 50 700 Td {shown} ET"


def _visual(line: str) -> str:
    is_arabic = any("\u0600" <= character <= "\u06ff" for character in line)
    return line[::-1] if is_arabic else line
