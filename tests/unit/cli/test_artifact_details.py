"""Sizes, ranges and rows of artifacts."""

import pytest
from camillo.v1.artifact_pb2 import Artifact, ContentKind, RedactionCount
from camillo_cli.arguments import line_range, number_range, size_bytes
from camillo_cli.artifacts import COLUMNS, DETAILS, size_text
from camillo_cli.failures import CliError, ExitCode
from camillo_cli.format import size, utc_now
from camillo_cli.tables import details, text_of
from camillo_client.convert import to_timestamp


@pytest.mark.parametrize(
    ("count", "text"), [(0, "0 B"), (1023, "1023 B"), (1024, "1.0 KB"), (1536 * 1024, "1.5 MB"), (5 << 40, "5.0 TB")]
)
def test_sizes_are_told_in_their_largest_unit(count: int, text: str) -> None:
    assert size(count) == text


@pytest.mark.parametrize(
    ("text", "count"), [("812", 812), ("64k", 65536), ("1.5MB", 1536 * 1024), ("2 GiB", 2 << 30), ("0", 0)]
)
def test_sizes_are_understood(text: str, count: int) -> None:
    assert size_bytes(text) == count


@pytest.mark.parametrize("text", ["", "much", "-1", "1x", "k"])
def test_what_is_no_size_is_refused(text: str) -> None:
    with pytest.raises(CliError, match="is not a size") as raised:
        size_bytes(text)
    assert raised.value.code is ExitCode.USAGE


def test_lines_are_one_or_some_or_the_rest() -> None:
    assert line_range("812") == (812, 812)
    assert line_range("5:20") == (5, 20)
    assert line_range("5:") == (5, None)
    assert line_range(":20") == (1, 20)


def test_slices_have_ends_or_not() -> None:
    assert number_range("0:10", "--slice") == (0, 10)
    assert number_range(":", "--slice") == (None, None)
    with pytest.raises(CliError, match=r"--slice takes two numbers such as 5:20, not 'a:b'"):
        number_range("a:b", "--slice")


def test_an_artifact_is_told_with_what_there_is_of_it() -> None:
    artifact = Artifact(
        artifact_id="сборка_1",
        kind=ContentKind.CONTENT_KIND_LOG,
        size_bytes=2048,
        line_count=1200,
        command="make\x1b[31m",
        exit_code=0,
        created_by_agent_id="ada",
        redaction_counts=[RedactionCount(kind="aws-access-token", count=1000)],
        created_at=to_timestamp(utc_now()),
    )
    told = dict(details(artifact, DETAILS))
    assert told["size"] == "2.0 KB (2,048 bytes)"
    assert told["exit code"] == "0"
    assert told["secrets"] == "1,000 x aws-access-token taken out"
    assert told["scope"] == "shared, by ada"
    assert "\x1b" not in told["command"]
    assert "session" not in told
    row = [text_of(artifact, column.value) for column in COLUMNS]
    assert row[1:5] == ["0 s", "2.0 KB", "1,200", "log"]
    assert size_text(artifact) == "сборка_1 (2.0 KB, 1,200 lines)"
    assert size_text(Artifact(artifact_id="abc")) == "abc (0 B)"
