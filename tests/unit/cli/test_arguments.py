"""Values of options are read as people mean them, and refused in one line."""

import time
from datetime import UTC, datetime, timedelta

import pytest
from camillo_cli.arguments import Scalar, conditions, json_object, metadata, span, time_ago, time_ahead
from camillo_cli.failures import CliError, ExitCode

from tests.cases import each_case

NOW = datetime(2026, 1, 31, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "seconds"), [("30s", 30), ("5m", 300), ("1.5h", 5400), ("7d", 604_800), ("1w", 604_800)]
)
def test_a_span_has_a_number_and_a_unit(text: str, seconds: int) -> None:
    assert span(text) == timedelta(seconds=seconds)


@each_case("text", ["", "7", "d", "-1d", "7 days", "9" * 40 + "d"])
def test_anything_else_is_no_span(text: str) -> None:
    with pytest.raises(CliError) as caught:
        span(text)
    assert caught.value.code is ExitCode.USAGE


def test_a_moment_is_a_date_or_a_span_in_the_direction_asked_for() -> None:
    assert time_ago("2026-01-01T00:00Z", NOW) == datetime(2026, 1, 1, tzinfo=UTC)
    assert time_ago("1h", NOW) == NOW - timedelta(hours=1)
    assert time_ahead("1h", NOW) == NOW + timedelta(hours=1)


def test_a_date_without_a_zone_is_local() -> None:
    local = time_ago("2026-01-01", NOW)
    assert local.utcoffset() is not None
    assert local.replace(tzinfo=None) == datetime(2026, 1, 1)  # noqa: DTZ001


@pytest.mark.parametrize("text", ["", "tomorrow", "2026-13-01", "900000w"])
def test_anything_else_is_no_moment(text: str) -> None:
    with pytest.raises(CliError):
        time_ahead(text, NOW)


@each_case(
    "text",
    [
        "0000-01-01",
        "-001-01-01",
        "0001-01-01T00:00+14:00",
        "9999-12-31T23:59-14:00",
        "741000d",
        "0001-01-01T00:00:00.000001+00:01",
        "10000-01-01",
        "٠٠٠١-01-01T00:00+14:00",
    ],
)
def test_a_moment_that_is_before_year_1_or_behind_9999_by_its_zone_is_none(text: str) -> None:
    with pytest.raises(CliError, match="is neither a date such as") as caught:
        time_ago(text, NOW)
    assert caught.value.code is ExitCode.USAGE
    assert time_ago("0001-01-01T14:00+14:00", NOW) == datetime(1, 1, 1, tzinfo=UTC)


def test_a_local_date_may_begin_before_year_1(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as changed:
        changed.setenv("TZ", "Pacific/Kiritimati")
        time.tzset()
        with pytest.raises(CliError, match="is neither a date such as"):
            time_ago("0001-01-01", NOW)
        assert time_ago("2026-01-02", NOW) == datetime(2026, 1, 1, 10, tzinfo=UTC)
    time.tzset()


@each_case(
    ("pair", "key", "value"),
    [
        ("a=b", "a", "b"),
        ("a=", "a", ""),
        ("a=b=c", "a", "b=c"),
        ("n=5", "n", 5),
        ('n="5"', "n", "5"),
        ("t=true", "t", True),
        ("x=null", "x", None),
        ("x=NaN", "x", "NaN"),
        ("x=[1]", "x", "[1]"),
    ],
)
def test_metadata_reads_what_is_json_and_keeps_the_rest_as_text(pair: str, key: str, value: Scalar) -> None:
    assert metadata([pair]) == {key: value}


@pytest.mark.parametrize("pair", ["", "a", "=b"])
def test_metadata_needs_a_key_and_a_value(pair: str) -> None:
    with pytest.raises(CliError, match="key=value"):
        metadata([pair])


@pytest.mark.parametrize("number", ["NaN", "-Infinity", "1e999"])
def test_json_has_no_number_that_is_none(number: str) -> None:
    parse = json_object("--locator")
    assert parse('{"line": 1.5}') == {"line": 1.5}
    with pytest.raises(CliError, match=f"--locator is not JSON: {number}"):
        parse(f'{{"line": {number}}}')


@each_case(
    ("texts", "expected"),
    [
        (["order>=10", "order < 20.5"], {"order": {"gte": 10, "lt": 20.5}}),
        (["état!=ouvert"], {"état": {"ne": "ouvert"}}),
        (["order>10", "订单<=b"], {"order": {"gt": 10}, "订单": {"lte": "b"}}),
        (["version=1.10"], {"version": {"in": ["1.10"]}}),
        (["state in open, null,1"], {"state": {"in": ["open", None, 1]}}),
        (["my shop exists", "b not exists"], {"my shop": {"exists": True}, "b": {"exists": False}}),
        (["a!=x>=y"], {"a": {"ne": "x>=y"}}),
    ],
)
def test_conditions_compare_metadata(texts: list[str], expected: dict[str, object]) -> None:
    assert conditions(texts) == expected


@pytest.mark.parametrize("texts", [[""], ["order"], [">=1"], ["order>=1", "order>=2"], ["a in"]])
def test_what_is_no_comparison_is_refused(texts: list[str]) -> None:
    with pytest.raises(CliError, match=r"order>=10|given twice"):
        conditions(texts)
