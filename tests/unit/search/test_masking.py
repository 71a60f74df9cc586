"""Masking: what tells of persons goes where a text is shown, and nothing else does."""

from dataclasses import replace
from datetime import UTC, datetime
from uuid import UUID

import pytest
from camillo_server.kernel.ids import AgentId, MemoryId, TenantId
from camillo_server.kernel.kinds import ChunkKind, MemoryKind, Sensitivity
from camillo_server.rows.row import MemoryDraft, Row
from camillo_server.search.masking import DEFAULT_RULES, Mask, MaskingPolicy, mask_memory, mask_personal_data
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.patience import takes_less

NOW = datetime(2026, 11, 22, tzinfo=UTC)
AGENT = AgentId("alice")
MEMORY_ID = MemoryId(UUID(int=7))
CONFIDENTIAL, RESTRICTED = Sensitivity.CONFIDENTIAL, Sensitivity.RESTRICTED
ARABIC_DIGITS = "٤١١١ ١١١١ ١١١١ ١١١١"
FULL_WIDTH = "１３８１２３４５６７８"


@each_case(
    ("kind", "text"),
    [
        ("email", "ada@example.com"),
        ("email", "ada.lovelace+tea@mail.example.co.uk"),
        ("email", "jürgen.müller@münchen.de"),
        ("email", "ада@почта.рф"),
        ("email", "31.12.1990@example.com"),
        ("email", "ada\u200b@exam\u00adple.com"),
        ("email", "ＡＤＡ＠ｅｘａｍｐｌｅ．ｃｏｍ"),
        ("phone", "+49 30 1234567"),
        ("phone", "+49 (0)30 / 123 45 67"),
        ("phone", "(555) 123-4567"),
        ("phone", "555-123-4567"),
        ("phone", "1-800-555-0199"),
        ("phone", "06 12 34 56 78"),
        ("phone", "600 123 456"),
        ("phone", "13812345678"),
        ("phone", FULL_WIDTH),
        ("phone", "٠١٢٣٤٥٦٧٨٩"),
        ("phone", "०९८७६५४३२१०"),
        ("card", "4111 1111 1111 1111"),
        ("card", "4111-1111-1111-1111"),
        ("card", "5500000000000004"),
        ("card", ARABIC_DIGITS),
        ("card", "4111\u20601111\u00ad1111\u200b1111"),
        ("card", "4\ufe0f\u20e31\ufe0f\u20e31\ufe0f\u20e31\ufe0f\u20e3111111111111"),
        ("account", "DE89 3704 0044 0532 0130 00"),
        ("account", "GB29NWBK60161331926819"),
        ("account", "NO93-8601-1117-947"),
        ("id", "078-05-1120"),
        ("id", "123.456.789-09"),
        ("id", "2345 6789 0124"),
        ("id", "QQ 12 34 56 C"),
        ("id", "S1234567D"),
        ("id", "12345678Z"),
        ("id", "11010519491231002X"),
        ("id", "DE12345678901234567890"),
        ("id", "1234567890123456789012345678901234567890"),
        ("ip", "192.168.0.1"),
        ("ip", "2001:db8::8a2e:370:7334"),
        ("ip", "fe80::1"),
    ],
)
def test_what_tells_of_a_person_goes_and_the_rest_stays(kind: str, text: str) -> None:
    mark = f"[masked: {kind}]"
    assert mask_personal_data(text) == mark
    for before, after in (("Tell ", " today."), ("(", ")"), ("请找", "，谢谢"), ("قل: ", "؟ 🍵")):
        assert mask_personal_data(f"{before}{text}{after}") == f"{before}{mark}{after}"


@each_case(
    "text",
    [
        "",
        "Ada drinks tea at home",
        "2026-11-22T03:45:06.123+01:00, 22.11.2026, 22/11/26 and 20261122",
        "12:30:45, 3.14159265, 0.123456789, 1,000,000 and 12 500 000",
        "0198c0de-0000-7000-8000-000000000001 and 5d41402abc4b2a76b9719d911017c592",
        "v1.2.3, RFC 7519, room 4711, 100%, 555, 2019 2020 2021 2022, 1990-2026",
        "std::vector<int>, a@b, @ada, @ada@, x :: y, 300.1.1.1",
        "茶は三杯、部屋番号は四二。 Сорок два. ١٢٣ شاي",
    ],
)
def test_what_tells_of_nobody_stays(text: str) -> None:
    assert mask_personal_data(text) == text


def test_what_stands_before_an_address_without_a_space_is_no_part_of_it() -> None:
    assert mask_personal_data("邮箱是ada@example.com谢谢") == "邮箱是[masked: email]谢谢"
    assert mask_personal_data("ada@example.com으로 보내") == "[masked: email]으로 보내"
    assert mask_personal_data("<ada@example.com>, 10.0.0.1:80") == "<[masked: email]>, [masked: ip]:80"


def test_a_number_that_words_follow_ends_before_them() -> None:
    text = "DE89 3704 0044 0532 0130 00 AND MORE, 4111 1111 1111 1111 and 3 more"
    assert mask_personal_data(text) == "[masked: account] AND MORE, [masked: card] and 3 more"


@given(st.text(alphabet="0123456789 .-+()@aAZ:/x٣५Ｂ\u200bé漢", max_size=60))
def test_what_is_masked_is_masked_once_and_no_long_number_is_left(text: str) -> None:
    shown = mask_personal_data(text)
    assert mask_personal_data(shown) == shown
    assert len(shown) - shown.count("[masked: ") * len("[masked: account]") <= len(text)


@each_case(
    "text",
    [
        *("A1" * 1000, "1" * 2000, "1 " * 1000, "f:" * 1000, "@" * 2000, "x@" * 1000),
        *("a.b-" * 500, "+(" * 1000, "1.1." * 500, "AB12 " * 400, "(1)" * 700),
        *("é@" * 1000, "漢字かな" * 500, "٤١١١\u200b" * 400),
    ],
)
def test_no_text_takes_long(text: str) -> None:
    # Two orders of magnitude above what it takes.
    assert takes_less(0.5, lambda: mask_personal_data(text))


def row(sensitivity: Sensitivity, **changed: object) -> Row:
    draft = MemoryDraft(
        content="Ada: ada@example.com",
        session_id="call of +49 30 1234567",
        tags=("ada@example.com", "bob@example.com", "tea"),
        metadata={"card": 4111111111111111.0, "n": 7.0, "b": True, "none": None, "t": "10.0.0.1"},
        source_refs=("mail from ada@example.com",),
        sensitivity=sensitivity,
    )
    return replace(draft, **changed).memory(AGENT, MEMORY_ID, NOW)  # type: ignore[arg-type]


@pytest.mark.parametrize("sensitivity", [Sensitivity.PUBLIC, Sensitivity.INTERNAL])
def test_what_is_not_sensitive_is_shown_as_it_is(sensitivity: Sensitivity) -> None:
    assert mask_memory(row(sensitivity), DEFAULT_RULES) == row(sensitivity)


def test_what_is_confidential_loses_what_tells_of_persons_everywhere() -> None:
    shown = mask_memory(row(CONFIDENTIAL), DEFAULT_RULES)
    assert shown.content == "Ada: [masked: email]"
    assert shown.session_id == "call of [masked: phone]"
    assert shown.tags == ("[masked: email]", "tea")
    assert shown.metadata == {"card": "[masked: card]", "n": 7.0, "b": True, "none": None, "t": "[masked: ip]"}
    assert shown.source_refs == ("mail from [masked: email]",)


def test_what_is_restricted_loses_every_word() -> None:
    shown = mask_memory(row(RESTRICTED), DEFAULT_RULES)
    mark = "[masked: restricted]"
    assert (shown.content, shown.session_id) == (mark, mark)
    assert (shown.tags, shown.source_refs) == ((mark,), (mark,))
    assert shown.metadata == {"card": mark, "n": mark, "b": mark, "none": None, "t": mark}
    unmasked = row(RESTRICTED)
    for name in ("memory_id", "agent_id", "kind", "importance", "version", "created_at"):
        assert getattr(shown, name) == getattr(unmasked, name)
    empty = row(RESTRICTED, tags=(), metadata={}, source_refs=(), session_id="")
    shown = mask_memory(empty, DEFAULT_RULES)
    assert (shown.session_id, shown.tags, shown.metadata, shown.source_refs) == ("", (), {}, ())


def test_of_a_chunk_what_the_server_says_of_it_stays() -> None:
    chunk = row(RESTRICTED)._replace(
        kind=ChunkKind.DECISION,
        metadata={"channel": "private", "place": 3, "actor": "ada@example.com"},
        source_refs=("0198c0de-0000-7000-8000-000000000001",),
    )
    shown = mask_memory(chunk, DEFAULT_RULES)
    assert shown.content == "[masked: restricted]"
    assert shown.source_refs == chunk.source_refs
    assert shown.metadata == {"channel": "private", "place": 3, "actor": "[masked: restricted]"}
    without_actor = chunk._replace(metadata={"place": 0})
    assert mask_memory(without_actor, DEFAULT_RULES).metadata == {"place": 0}


def test_a_tenant_may_have_rules_of_its_own() -> None:
    strict = dict.fromkeys(Sensitivity, Mask.FULL)
    policy = MaskingPolicy(tenants={TenantId("acme"): strict})
    assert policy.rules_of(TenantId("acme")) is strict
    assert policy.rules_of(TenantId("rival")) == DEFAULT_RULES
    told = mask_memory(row(Sensitivity.PUBLIC, kind=MemoryKind.FACT), strict)
    assert told.content == "[masked: public]"
