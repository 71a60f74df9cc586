"""DOCX files: of python-docx as Word writes them, and of parts that a test writes itself."""

import io
import zipfile
from collections.abc import Mapping

import docx

_TYPES = (
    '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Default Extension="xml" ContentType="application/xml"/>'
    '<Override PartName="/word/document.xml" '
    'ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>'
    "</Types>"
)
_RELATIONS = (
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    '<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" '
    'Target="word/document.xml"/></Relationships>'
)
_OPEN = '<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>'
_CLOSE = "</w:body></w:document>"


def docx_of(title: str, sections: Mapping[str, str]) -> bytes:
    """A title, and sections of a paragraph and a table."""
    document = docx.Document()
    document.add_heading(title, 0)
    for heading, text in sections.items():
        document.add_heading(heading, 1)
        document.add_paragraph(text)
    document.add_paragraph("first", style="List Bullet")
    document.add_paragraph("second", style="List Bullet")
    table = document.add_table(2, 2)
    for index, cell in enumerate(("city", "费用", "القاهرة", "12 €")):
        table.cell(index // 2, index % 2).text = cell
    written = io.BytesIO()
    document.save(written)
    return written.getvalue()


def package(body: str, others: Mapping[str, bytes] | None = None, doctype: str = "") -> bytes:
    """A package with this body of a document, and other parts."""
    return zip_of(
        {
            "[Content_Types].xml": _TYPES.encode(),
            "_rels/.rels": _RELATIONS.encode(),
            "word/document.xml": f"{doctype}{_OPEN}{body}{_CLOSE}".encode(),
            **(others or {}),
        }
    )


def zip_of(parts: Mapping[str, bytes]) -> bytes:
    """The parts, compressed."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return written.getvalue()
