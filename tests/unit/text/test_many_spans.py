"""Many values are found in a text as each of them is."""

from camillo_server.lib.text.value_spans import ManySpans, ValueSpans

VALUES = (
    *("Ana Lima", "安娜", "آنا ليما", "Zoë 🦊", "O'Brien", "Анна Каренина", "アンナ", "안나", "แอนนา"),
    *("ana@example.com", "flight LH 123", "Straße 7", "李 雷", "Ana", "Nguyễn Văn A"),
)
TEXTS = (
    "ANA LIMA, and Ana; analysis of Lima",
    "我昨天见到安娜了, 李雷 too",
    "قالت آنا ليما إنها قادمة",
    "Zoe\u0308 🦊 met O’Brien near strasse 7",
    "Анна   КАРЕНИНА ждёт",
    "アンナさんと안나",
    "พบแอนนาแล้ว",
    "write to ana at example dot com about LH123 of flight LH-123",
    "Nguye\u0302\u0303n Va\u0306n A",
    "nobody",
    "",
)


def test_each_value_is_found_as_if_it_were_alone() -> None:
    many = ManySpans(VALUES)
    found = {text: dict(many.found_in(text)) for text in TEXTS}
    alone = {
        text: {each: places for each in VALUES if (places := list(ValueSpans(each).spans_in(text)))} for text in TEXTS
    }
    assert found == alone
    assert {each for of_text in found.values() for each in of_text} == set(VALUES)


def test_a_value_without_letters_is_not_looked_for() -> None:
    assert list(ValueSpans("4711-0815").spans_in("call 47110815"))
    assert list(ManySpans(["4711-0815", "🦊"]).found_in("call 47110815 🦊")) == []
