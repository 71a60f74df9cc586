"""The content of slots: JSON read strictly and written again without a change, and what is read out of it."""

import json
import random
from datetime import UTC, datetime

import pytest
from camillo_formats.slot_content import BadContent, ContentFields, fields_of, parsed, statements_of, written

from tests.cases import each_case

NUMBERS = ("0", "-0", "1.0", "1", "1e400", "-1.5E-7", "123456789012345678901234567890")
TEXTS = ("", "a", "漢字", '"', "\\", "\u0000", "\u2028", "\U0001f9e0", "e\u0301", "x" * 50)


def random_json(dice: random.Random, levels: int) -> str:
    """The text of any JSON, compactly written."""
    kinds = ("number", "text", "constant", "list", "object") if levels else ("number", "text")
    match dice.choice(kinds):
        case "number":
            return dice.choice(NUMBERS)
        case "text":
            return json.dumps(dice.choice(TEXTS), ensure_ascii=False)
        case "constant":
            return dice.choice(("true", "false", "null"))
        case "list":
            return f"[{','.join(random_json(dice, levels - 1) for _ in range(dice.randrange(4)))}]"
    names = dice.sample(TEXTS, dice.randrange(4))
    members = (f"{json.dumps(name, ensure_ascii=False)}:{random_json(dice, levels - 1)}" for name in names)
    return f"{{{','.join(members)}}}"


def test_any_json_is_written_as_it_was_read() -> None:
    dice = random.Random(3)  # noqa: S311
    for _ in range(2_000):
        text = random_json(dice, dice.randrange(6))
        assert written(parsed(text)) == text


def test_a_hundred_levels_are_read_and_one_more_is_refused() -> None:
    assert parsed("[" * 100 + "]" * 100)
    assert parsed(json.dumps("[" * 200)) == "[" * 200
    for text in ("[" * 101 + "]" * 101, '{"a":' * 101 + "1" + "}" * 101, "[" * 60_000):
        with pytest.raises(BadContent, match="100 levels"):
            parsed(text)


@each_case(
    ("text", "reason"),
    [
        ('{"a":1,"a":1}', "twice"),
        ('{"b":{"a":1,"\\u0061":2}}', "twice"),
        ('["\\ud800"]', "surrogate"),
        ('{"\\udfff":1}', "surrogate"),
        ("NaN", "NaN"),
        ("[1,]", "JSON"),
        ("", "JSON"),
        ('"a\nb"', "JSON"),
        ('"open', "JSON"),
    ],
)
def test_what_is_refused_says_why(text: str, reason: str) -> None:
    with pytest.raises(BadContent, match=reason):
        parsed(text)


def test_what_is_well_formed_is_read_out_of_content() -> None:
    content = parsed(
        '{"type":" reminder ","tags":["a","a","b"],"importance":0.7,"summary":"short",'
        '"expired_at":"2030-01-01","trigger_at":"2030-01-02T10:00:00+09:00","next_trigger_at":7}'
    )
    assert fields_of(content) == ContentFields(
        type="reminder",
        tags=("a", "b"),
        importance=0.7,
        summary="short",
        expired_at=datetime(2030, 1, 1, tzinfo=UTC),
        trigger_at=datetime(2030, 1, 2, 1, tzinfo=UTC),
    )


@pytest.mark.parametrize(
    "text",
    [
        '{"type":7,"tags":"a","importance":"high","summary":[],"expired_at":"soon","trigger_at":{}}',
        '{"importance":-1,"expired_at":"9999-12-31T23:59:59-14:00","tags":[1,null]}',
        '{"importance":11,"trigger_at":""}',
        '{"importance":true}',
        '{"importance":1e400}',
    ],
)
def test_what_is_not_well_formed_is_ignored(text: str) -> None:
    found = fields_of(parsed(text))
    assert (found.type, found.importance, found.expired_at, found.trigger_at) == ("", 0.5, None, None)
    assert found.tags in ((), ("a",))


@pytest.mark.parametrize(("spelled", "importance"), [("0", 0.0), ("1", 1.0), ("1.5", 0.15), ("6", 0.6), ("10", 1.0)])
def test_both_scales_of_importance_are_read(spelled: str, importance: float) -> None:
    found = fields_of(parsed(f'{{"importance":{spelled}}}')).importance
    assert found == pytest.approx(importance)


def test_content_without_a_summary_has_the_beginning_of_its_texts() -> None:
    assert fields_of(parsed('{"a":{"b":"x"},"c":[1.0,true]}')).summary == "b: x\nc: 1.0\nc: True"
    labels = '"type":"note","tags":["t"],"importance":6,"trigger_at":"2030-01-01"'
    assert fields_of(parsed(f'{{{labels},"text":"牙科复诊"}}')).summary == "牙科复诊"
    assert fields_of(parsed(f'{{{labels},"a":1,"text":"x"}}')).summary == "a: 1\ntext: x"
    assert len(fields_of(parsed(json.dumps("word " * 1_000))).summary) <= 500
    assert "\0" not in fields_of(parsed('"a\\u0000b"')).summary


def test_labels_times_and_short_texts_are_no_statements() -> None:
    content = parsed(
        '{"type":"a long name of a type","tags":["a long name of a tag"],"trigger_at":"2026-02-23T10:00:00Z",'
        '"a long name of a key":{"text":["she lives in the attic","no"]}}'
    )
    assert list(statements_of(content)) == ["she lives in the attic"]
