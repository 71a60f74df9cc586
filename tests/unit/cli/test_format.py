"""Values as people read them."""

from datetime import UTC, datetime, timedelta

from camillo.v1.artifact_pb2 import Artifact
from camillo.v1.event_pb2 import Event
from camillo.v1.memory_pb2 import Memory, MemoryKind, Sensitivity
from camillo_cli.format import age, field_text
from camillo_client.convert import to_struct, to_timestamp
from camillo_server.cli.demo import suggested_questions

from tests.cases import each_case

NOW = datetime(2026, 1, 31, 12, tzinfo=UTC)


@each_case(
    ("seconds", "text"),
    [
        (0, "0 s"),
        (59.9, "59 s"),
        (60, "1 min"),
        (3599, "59 min"),
        (7200, "2 h"),
        (86_400 * 59, "59 d"),
        (86_400 * 61, "2 mo"),
        (86_400 * 1000, "2 y"),
        (-5, "ahead"),
    ],
)
def test_an_age_is_told_in_its_largest_unit(seconds: float, text: str) -> None:
    assert age(NOW - timedelta(seconds=seconds), NOW) == text


@each_case(
    ("path", "text"),
    [
        ("content", "Tee 茶"),
        ("kind", "task_outcome"),
        ("tags", "a, b"),
        ("importance", "0.50"),
        ("access_count", "1,200"),
        ("pinned", "yes"),
        ("archived", ""),
        ("occurred_at", "2026-01-31 12:00:00Z"),
        ("expires_at", ""),
        ("metadata", "n=2, s=x, t=true"),
        ("session_id", ""),
    ],
)
def test_a_field_is_text_by_its_type(path: str, text: str) -> None:
    memory = Memory(
        content="Tee 茶",
        kind=MemoryKind.MEMORY_KIND_TASK_OUTCOME,
        tags=["a", "b"],
        importance=0.5,
        access_count=1200,
        pinned=True,
        occurred_at=to_timestamp(NOW),
        metadata=to_struct({"s": "x", "n": 2, "t": True}),
    )
    assert field_text(memory, path) == text


def test_a_field_is_found_within_a_message_that_is_not_there() -> None:
    assert field_text(Event(), "stated.tool_result.tool") == ""
    assert field_text(Event(), "stated.tool_result.exit_code") == ""


def test_an_optional_number_is_shown_where_it_is_zero() -> None:
    assert field_text(Artifact(exit_code=0), "exit_code") == "0"
    assert field_text(Artifact(), "exit_code") == ""


def test_a_value_of_an_enum_that_is_not_known_is_its_number() -> None:
    level: Sensitivity = 99  # type: ignore[assignment]
    assert field_text(Memory(sensitivity=level), "sensitivity") == "99"


def test_questions_come_from_all_over_the_input() -> None:
    texts = [f"Manual > Chapter number {n}\n\nText." for n in range(50)]
    found = suggested_questions(texts)
    assert len(found) == 5
    assert len(set(found)) == 5
    assert found[0] == "Chapter number 5"


def test_code_and_tables_make_no_questions() -> None:
    texts = ["| a | b |\n|---|---|", "x = f(1, [2])", "???", "The kettle boils. Then tea."]
    assert suggested_questions(texts) == ["The kettle boils."]


def test_questions_are_found_in_text_without_spaces() -> None:
    assert suggested_questions(["お茶が好きな人は誰ですか。彼女です。"]) == ["お茶が好きな人は誰ですか。"]


def test_no_text_gives_no_questions() -> None:
    assert suggested_questions([]) == []
