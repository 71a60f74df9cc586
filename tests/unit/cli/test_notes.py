"""Markdown notes: front matter belongs to the whole note, and an image is no text."""

import base64
from datetime import UTC, datetime

from camillo_cli.imports.notes import read_note, without_images

DATA = base64.b64encode(bytes(range(256)) * 60).decode()
IMAGES = [
    (f"![](data:image/png;base64,{DATA})", ""),
    (f"![a chart](data:image/png;base64,{DATA})", "a chart"),
    ("![Grundriss 🏠](images/plan (2).png 'title')", "Grundriss 🏠"),
    ("![plan][plan]", "plan"),
    (f"[plan]: data:image/png;base64,{DATA}", ""),
    (f"[plan]: <data:image/png;base64,{DATA}> 'x'", ""),
    ("![[scan.PNG|200]]", ""),
    (f'<img alt="收据" src="data:image/png;base64,{DATA}">', "收据"),
    ("<img src='x.png'/>", ""),
]
KEPT = [
    "![[Another note]]",
    "[a link](https://example.com/a.png)",
    "it costs 5! [see](x)",
    "```\n![in code](x.png)\n```",
    "~~~html\n<img src='x.png'>\n~~~",
]


def test_an_image_leaves_its_description() -> None:
    for image, description in IMAGES:
        text, count = without_images(f"before\n{image}\nafter")
        assert (text, count) == (f"before\n{description}\nafter", 1), image[:60]


def test_what_is_no_image_stays() -> None:
    for text in KEPT:
        assert without_images(text) == (text, 0)


def test_hostile_notes_take_time_in_proportion() -> None:
    for part in ("![", "![a](", "![[", "<img ", "![a](b(", "[x]: data:", "---\n"):
        text = part * 200_000
        without_images(text)
        read_note("---\n" + text)


def test_front_matter_belongs_to_its_note() -> None:
    note = read_note(
        "---\r\naliases: [Kimberly, 金]\r\ntags:\r\n  - '#people'\r\n  - 朋友\r\ncreated: 2025-03-01\r\n"
        "rating: 4.5\r\nnested: {a: 1}\r\nempty:\r\n---\r\n# Kim\r\n\r\nLikes tandems.\r\n"
    )
    assert note.text == "# Kim\n\nLikes tandems.\n"
    assert note.tags == ("people", "朋友")
    assert note.created == datetime(2025, 3, 1, tzinfo=UTC)
    assert note.metadata == {"aliases": "Kimberly, 金", "rating": 4.5, "nested": "{'a': 1}"}
    assert not note.problem


def test_tags_and_times_in_other_forms_are_read() -> None:
    for text, tags in (("tags: a, b", ("a", "b")), ("tags: '#a #b'", ("a", "b")), ("tag: 7", ("7",))):
        assert read_note(f"---\n{text}\n---\nx").tags == tags
    zoned = read_note("---\ndate: 2025-03-01T10:00:00+11:00\n---\nx")
    assert zoned.created == datetime(2025, 2, 28, 23, tzinfo=UTC)
    assert read_note("---\ncreated: sometime\n---\nx").created is None


def test_what_is_no_front_matter_stays_in_the_text() -> None:
    for text in ("---\njust a line\n---\nx", "text\n---\na: 1\n---\n", "---\na: 1\nno end", "--- \n"):
        assert read_note(text).text == text
    assert read_note("---\n- a list\n---\nx").problem
    assert read_note("---\na: [\n---\nx").text.startswith("---")
    assert read_note("---\n---\nx").text == "x"
