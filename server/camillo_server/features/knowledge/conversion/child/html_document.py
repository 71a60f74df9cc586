"""HTML as Markdown: what a reader of the page would see of it."""

import codecs
import re
from collections.abc import Iterator

from selectolax.lexbor import LexborHTMLParser, LexborNode, SelectolaxError

from camillo_server.features.knowledge.conversion.child.markdown_writer import MarkdownWriter
from camillo_server.features.knowledge.conversion.document import ReadingLimits, unreadable

# Elements whose content is no text of the page.
_DROPPED = frozenset(
    (
        "script style template noscript head svg iframe object embed audio video canvas map select datalist "
        "textarea input frameset"
    ).split()
)
_HIDING_STYLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|(?:opacity|font-size)\s*:\s*0+(?:\.0+)?\s*(?:[a-z%]+\s*)?(?:;|!|$)",
    re.IGNORECASE,
)
_TAG = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9]*)")
# They have no end, or one that is mostly left out.
_NOT_COUNTED = frozenset(
    (
        "area base br col embed hr img input link meta param source track wbr p li dt dd option optgroup tr td th "
        "thead tbody tfoot colgroup rt rp"
    ).split()
)
# The parser takes time with the square of the depth: what is far deeper than the tree may become does not reach it.
_DEPTH_OF_TAGS = 8
_TEXT = "-text"
_CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w-]{1,40})", re.IGNORECASE)
_CHARSET_BYTES = 4_096
# Looked up here: later on, no file can be opened, and so no module imported.
_LEGACY = {
    label: codecs.lookup(encoding)
    for encoding, labels in {
        "gb18030": "gb2312 gbk gb18030",
        "big5": "big5",
        "shift_jis": "shift_jis shift-jis sjis",
        "euc_jp": "euc-jp",
        "euc_kr": "euc-kr",
        "koi8_r": "koi8-r",
        "cp1250": "windows-1250 iso-8859-2",
        "cp1251": "windows-1251",
        "cp1252": "windows-1252 iso-8859-1 us-ascii ascii",
        "cp1255": "windows-1255",
        "cp1256": "windows-1256",
        "cp874": "windows-874 tis-620",
    }.items()
    for label in labels.split()
}


def convert(content: bytes, limits: ReadingLimits) -> tuple[str, str]:
    """The page's title, and its text as Markdown. Raises DocumentUnreadable."""
    if len(content) > limits.max_expanded_bytes:
        raise unreadable("too_large", limits.max_expanded_bytes)
    return markdown(_decoded(content), limits)


def _decoded(content: bytes) -> str:
    """UTF-16 with its mark, UTF-8, or else what the page says that it is."""
    if content[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE):
        return content.decode("utf-16", "replace")
    try:
        return content.decode().removeprefix("\ufeff")
    except UnicodeDecodeError:
        stated = _CHARSET.search(content[:_CHARSET_BYTES])
    legacy = _LEGACY.get(stated[1].decode().lower()) if stated else None
    if legacy is None:
        raise unreadable("not_text")
    return legacy.decode(content, "replace")[0]


def markdown(page: str, limits: ReadingLimits) -> tuple[str, str]:
    """The title and the Markdown of a page that is text already, as `convert` returns them."""
    page = page.replace("\0", "")
    if _depth_of_tags(page) > limits.max_depth * _DEPTH_OF_TAGS:
        raise unreadable("too_deep", limits.max_depth)
    try:
        tree = LexborHTMLParser(page)
    except SelectolaxError:
        # Any text is HTML: it is the memory that did not suffice.
        raise unreadable("expands_too_far") from None
    writer = MarkdownWriter(limits.max_text_bytes)
    if tree.body is not None:
        _write(tree.body, writer, limits.max_depth)
    title = tree.css_first("head > title")
    return " ".join(title.text().split()) if title else "", writer.finished()


def _depth_of_tags(page: str) -> int:
    depth = deepest = 0
    for tag in _TAG.finditer(page):
        if tag[2].lower() not in _NOT_COUNTED:
            depth = max(0, depth - 1) if tag[1] else depth + 1
            deepest = max(deepest, depth)
    return deepest


def _write(body: LexborNode, writer: MarkdownWriter, max_depth: int) -> None:
    """Visits each node once, without recursion."""
    open_nodes: list[tuple[LexborNode, Iterator[LexborNode]]] = [(body, _children(body))]
    while open_nodes:
        node, children = open_nodes[-1]
        child = next(children, None)
        if child is None:
            open_nodes.pop()
            writer.close(node.tag or "")
        elif child.tag == _TEXT:
            writer.text(child.text_content or "")
        elif _is_shown(child):
            if len(open_nodes) > max_depth:
                raise unreadable("too_deep", max_depth)
            writer.open(child.tag or "", child.attributes)
            open_nodes.append((child, _children(child)))


def _children(node: LexborNode) -> Iterator[LexborNode]:
    child = node.child
    while child is not None:
        following = child.next
        yield child
        child = following


def _is_shown(node: LexborNode) -> bool:
    # Comments and the like have tags that begin with another character.
    if node.tag in _DROPPED or not (node.tag or "-")[0].isalpha():
        return False
    attributes = node.attributes
    if not attributes:
        return True
    is_hidden = "hidden" in attributes or attributes.get("aria-hidden") == "true"
    return not is_hidden and not _HIDING_STYLE.search(attributes.get("style") or "")
