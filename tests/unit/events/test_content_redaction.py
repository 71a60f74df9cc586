"""Redaction of events: every text, keys and nested JSON too, and nothing beside the secrets is lost."""

from dataclasses import replace

from camillo_server.features.events.content import redacted_event
from camillo_server.features.events.event import Actor, JsonContent, ToolCallContent
from camillo_server.kernel.kinds import ActorType
from camillo_server.lib.redaction.redaction import Redactor

from tests.secret_samples import samples
from tests.unit.events.samples import draft_of, result_of

PAT = samples(5)["github-pat"]
OTHER = samples(6)["github-pat"]
MARK = "[redacted: github-pat]"
REDACTOR = Redactor()


def test_each_field_tells_its_name() -> None:
    draft = replace(
        draft_of(result_of(f"it says {PAT}", path=f"/home/{PAT}"), Actor(ActorType.TOOL, PAT)),
        tags=(PAT, "tea", OTHER),
        session_id=f"s {PAT}",
    )
    cleaned, redactions = redacted_event(draft, REDACTOR)
    assert [(each.field, each.offset) for each in redactions] == [
        ("content.tool_result.path", 6),
        ("content.tool_result.excerpt_text", 8),
        ("session_id", 2),
        ("actor.id", 0),
        ("tags[0]", 0),
        ("tags[2]", 0),
    ]
    assert cleaned.tags == (MARK, "tea")
    assert PAT not in repr(cleaned)


def test_json_is_cleaned_to_its_depth() -> None:
    deep: object = f"key {PAT}"
    for _ in range(31):
        deep = {"茶": deep}
    cleaned, (redaction,) = redacted_event(draft_of(JsonContent({"a": deep})), REDACTOR)
    assert redaction.field == "content.json.a" + ".茶" * 31
    assert redaction.offset == 4
    assert PAT not in repr(cleaned)
    assert MARK in repr(cleaned)


def test_keys_that_differ_by_their_secrets_alone_keep_their_values() -> None:
    call = ToolCallContent("put", "c1", {PAT: 1.0, OTHER: 2.0, "plain": [True, None]})
    cleaned, redactions = redacted_event(draft_of(call), REDACTOR)
    assert isinstance(cleaned.content, ToolCallContent)
    assert cleaned.content.arguments == {MARK: 1.0, f"{MARK} 2": 2.0, "plain": [True, None]}
    assert {each.field for each in redactions} == {"content.tool_call.arguments key"}


KEY = "q8Zr2LmX0vT5bN7cW1yK4sD9"


def test_a_value_is_looked_at_with_its_key_also_within_a_list() -> None:
    told = JsonContent({"api_key": KEY, "keys": {"api_key": [KEY]}, "leaf": KEY})
    cleaned, redactions = redacted_event(draft_of(told), REDACTOR)
    assert [each.field for each in redactions] == ["content.json.api_key", "content.json.keys.api_key[0]"]
    assert isinstance(cleaned.content, JsonContent)
    # Without such a key it is a word like any other.
    assert cleaned.content.value["leaf"] == KEY


def test_what_has_no_secret_is_left_as_it_is() -> None:
    draft = draft_of(JsonContent({"a": [1.0, {"b": "茶"}]}))
    cleaned, redactions = redacted_event(draft, REDACTOR)
    assert cleaned is draft
    assert not redactions
