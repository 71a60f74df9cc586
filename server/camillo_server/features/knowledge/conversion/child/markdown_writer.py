"""Writes Markdown from the elements of a page, in the order in which they open and close."""

import re
from collections.abc import Mapping

from camillo_server.features.knowledge.conversion.document import unreadable

_BLOCKS = frozenset(
    (
        "address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure "
        "footer form header hgroup hr legend li main nav ol p section summary table ul caption"
    ).split()
)
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_CELLS = ("td", "th")
_LISTS = ("ul", "ol")
_SPACES = re.compile(r"[ \t\n\r\f]+")
_SPACES_ONLY = re.compile(r" {2,}")
_SPACED_BREAK = re.compile(r" ?\n ?")
# Positions at the beginning of a line where a heading, a fence, a table or the end of front matter would begin.
_MARKUP = re.compile(r"^(?=#{1,6}\s|`{3}|~{3}|\||-{3,}\s*$)", re.MULTILINE)
_BACKTICKS = re.compile(r"`{3,}")
_LINK = re.compile(r"(?:https?://|mailto:)[^\s()<>]{1,500}$", re.IGNORECASE)
_LANGUAGE = re.compile(r"(?:^|\s)(?:language|lang|highlight-source)-([\w+#.-]{1,40})")
# Deeper lists and quotations are not indented any further, or the text would grow with the square of their depth.
_MAX_INDENTED = 8
# Stands where a link begins; no other text has it.
_LINK_MARK = "\0"


class MarkdownWriter:
    """Writes Markdown from the elements and texts that it is given, in time proportional to them."""

    def __init__(self, max_text_bytes: int) -> None:
        self._max_bytes, self._bytes = max_text_bytes, 0
        self._blocks: list[str] = []
        self._inline: list[str] = []
        # The number of the last point of each open list; None for lists without numbers.
        self._lists: list[int | None] = []
        self._marker = ""
        self._quotes = 0
        self._preformatted = 0
        self._language = ""
        # The address of each open link, and the index at which its text begins.
        self._links: list[tuple[str, int]] = []
        self._tables = 0
        self._rows: list[list[str]] = []
        self._is_point = False

    def open(self, tag: str, attributes: Mapping[str, str | None]) -> None:
        """An element begins."""
        if self._preformatted:
            self._open_in_code(tag, attributes)
        elif tag == "br":
            self._inline.append("\n")
        elif tag == "img":
            self.text(f" {attributes.get('alt') or ''} ")
        elif tag == "a":
            self._links.append((attributes.get("href") or "", len(self._inline)))
            self._inline.append(_LINK_MARK)
        elif tag == "code":
            self._inline.append("`")
        elif tag == "pre" and not self._tables:
            self._flush()
            self._preformatted, self._language = 1, _language(attributes)
        elif tag == "table":
            self._open_table()
        elif self._tables:
            self._open_in_table(tag)
        elif tag in _BLOCKS or tag in _HEADINGS:
            self._flush()
            self._open_block(tag, attributes)

    def close(self, tag: str) -> None:
        """The element that began last ends."""
        if self._preformatted:
            self._close_in_code(tag)
        elif tag == "a" and self._links:
            self._close_link(*self._links.pop())
        elif tag == "code":
            self._inline.append("`")
        elif tag == "table" and self._tables:
            self._close_table()
        elif self._tables:
            if tag == "caption":
                self._flush()
            elif tag in _CELLS:
                self._end_cell()
        elif tag in _HEADINGS:
            self._flush(heading=_HEADINGS[tag])
        elif tag in _BLOCKS:
            self._flush()
            self._close_block(tag)

    def text(self, text: str) -> None:
        """Text within the elements that are open."""
        self._inline.append(text if self._preformatted else _SPACES.sub(" ", text.replace(_LINK_MARK, "")))
        self._count(text)

    def finished(self) -> str:
        """All of it. Raises DocumentUnreadable where there is none."""
        self._flush()
        if not self._blocks:
            raise unreadable("no_text")
        return "\n".join(self._blocks).strip("\n") + "\n"

    def _count(self, text: str) -> None:
        self._bytes += len(text)
        if self._bytes > self._max_bytes:
            raise unreadable("too_large", self._max_bytes)

    def _open_block(self, tag: str, attributes: Mapping[str, str | None]) -> None:
        if tag in _LISTS:
            self._lists.append(_first_number(attributes) - 1 if tag == "ol" else None)
        elif tag == "li":
            self._marker = self._next_marker()
        elif tag == "blockquote":
            self._quotes += 1

    def _close_block(self, tag: str) -> None:
        if tag in _LISTS and self._lists:
            self._lists.pop()
        elif tag == "li":
            self._marker = ""
        elif tag == "blockquote":
            self._quotes -= 1

    def _next_marker(self) -> str:
        if not self._lists or self._lists[-1] is None:
            return "- "
        self._lists[-1] += 1
        return f"{self._lists[-1]}. "

    def _open_in_code(self, tag: str, attributes: Mapping[str, str | None]) -> None:
        if tag == "pre":
            self._preformatted += 1
        elif tag == "br":
            self._inline.append("\n")
        elif tag == "code":
            self._language = self._language or _language(attributes)

    def _close_in_code(self, tag: str) -> None:
        if tag != "pre":
            return
        self._preformatted -= 1
        if not self._preformatted:
            code = "".join(self._inline).strip("\n")
            self._inline.clear()
            if code.strip():
                fence = max(("```", *(each + "`" for each in _BACKTICKS.findall(code))), key=len)
                self._add(f"{fence}{self._language}\n{code}\n{fence}")

    def _close_link(self, address: str, at: int) -> None:
        """A link to elsewhere is kept with its address, one within the page as its text."""
        if self._inline[at : at + 1] != [_LINK_MARK]:
            return
        label = "".join(self._inline[at + 1 :]).replace(_LINK_MARK, "")
        if label.strip() and _LINK.match(address) and label.strip() != address:
            label = f"[{label.strip()}]({address})"
        self._inline[at:] = [label]

    def _open_table(self) -> None:
        if not self._tables:
            self._flush()
            self._rows = []
        self._tables += 1

    def _open_in_table(self, tag: str) -> None:
        """Elements within a cell, even tables, are parts of its one line."""
        if tag == "tr" and self._tables == 1:
            self._end_cell()
            self._rows.append([])
        elif tag in _CELLS and self._tables == 1:
            self._end_cell()
            if not self._rows:
                self._rows.append([])
            self._rows[-1].append("")
        else:
            self._inline.append(" ")

    def _end_cell(self) -> None:
        if self._tables != 1:
            self._inline.append(" ")
            return
        cell = " ".join("".join(self._inline).replace(_LINK_MARK, "").split()).replace("|", "\\|")
        self._inline.clear()
        if not cell:
            return
        if self._rows and self._rows[-1]:
            self._rows[-1][-1] = f"{self._rows[-1][-1]} {cell}".strip()
        else:
            # Text that is in no cell.
            self._rows.append([cell])

    def _close_table(self) -> None:
        self._end_cell()
        self._tables -= 1
        if self._tables:
            return
        rows = [row for row in self._rows if any(row)]
        self._rows = []
        # A table of one column is layout.
        if rows and max(len(row) for row in rows) == 1:
            for row in rows:
                self._add(_escaped(row[0]))
        elif rows:
            lines = [f"| {' | '.join(row)} |" for row in rows]
            lines.insert(1, "|" + " --- |" * len(rows[0]))
            self._add("\n".join(lines))

    def _flush(self, heading: int = 0) -> None:
        """Ends the paragraph."""
        text = "".join(self._inline).replace(_LINK_MARK, "")
        self._inline.clear()
        text = _SPACED_BREAK.sub("\n", _SPACES_ONLY.sub(" ", text)).strip()
        if text and heading:
            self._add(f"{'#' * heading} {' '.join(text.split())}")
        elif text:
            self._add(_escaped(text))

    def _add(self, block: str) -> None:
        """A block, indented as far as its list, behind the mark of its point."""
        depth = min(len(self._lists), _MAX_INDENTED)
        indent = "  " * max(0, depth - 1)
        lines = block.split("\n")
        behind = indent + " " * len(self._marker or ("  " if depth else ""))
        quote = "> " * min(self._quotes, _MAX_INDENTED)
        first = f"{quote}{indent}{self._marker}" if self._marker else f"{quote}{behind}"
        written = [
            first + lines[0],
            *(f"{quote}{behind}{line}" if line else quote.rstrip() for line in lines[1:]),
        ]
        is_point = bool(self._marker and self._lists)
        if self._blocks and not (is_point and self._is_point):
            self._blocks.append("")
        self._marker, self._is_point = "", is_point
        self._blocks.extend(written)


def _escaped(text: str) -> str:
    return _MARKUP.sub(r"\\", text)


def _language(attributes: Mapping[str, str | None]) -> str:
    found = _LANGUAGE.search(attributes.get("class") or "")
    return found[1] if found else ""


def _first_number(attributes: Mapping[str, str | None]) -> int:
    start = attributes.get("start") or ""
    return int(start) if start.isascii() and start.isdigit() and len(start) < 7 else 1
