"""Gates: whichever is asked, the same secrets are found."""

import threading

import hyperscan
import pytest
from camillo_server.lib.redaction.detector import Gate, KeywordGate, Secret, SecretDetector
from camillo_server.lib.redaction.pattern_gate import (
    FOLDED,
    MAX_LOCATED,
    WIDER,
    WORDS,
    PatternGate,
    bounded_windows,
    fastest_gate,
    in_bytes,
    max_bytes,
    windows,
)
from camillo_server.lib.redaction.readings import readings
from camillo_server.lib.redaction.rules import BEFORE, VAGUE, secret_rules
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case
from tests.secret_samples import MAKERS, samples

BY_KEYWORD = SecretDetector(KeywordGate())
# Pieces of what the rules look for, put together at random: most come close to a secret, some are one.
PIECES = [
    *("api_key", "Token", "secret", "PASSWORD", "auth", "access", "credential", "curl", "kind:"),
    *("data:", "sourcegraph", "facebook", "twitter", "heroku", "lob", "test_", "live_", "cohere"),
    *("=", ":", "=>", ":=", "||", ",", ">", "?=", '"', "'", "`", " ", "\n", "\r\n", "\t", ";"),
    *("\\n", "\v", "\x00", ".", "-", "_", "é", "鍵", "🔑", "ſ", "\u212a", "مفتاح", "e\u0301"),
    *("a1B2c3D4e5", "0123456789abcdef" * 2, "x9" * 20, "Zm9vYmFyYmF6cXV4" * 4, "A3" * 2_000),
    *("-u", "-H", "x:y1z2", '"secret_key"', "sk_", "hooks.slack.com", "/services/", "true"),
    *("-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "--mount=type=secret,"),
]
# Parts of a split secret: beginnings, one within another among them, and what may stand between its lines.
SPLIT = [
    *("ghp_", "eyJ", "sntrys_eyJpYXQiO", "xoxe.xoxb-", "sha256~", "<add key=", "hf_", "A3T", "SG."),
    *("x9" * 9, "A", "=", " ", "\t", "\\", "\n", "\r\n", "\r", "\\n", "\\r\\n", '"', "é", "\n  "),
]


@pytest.fixture(scope="module")
def by_pattern() -> SecretDetector:
    return SecretDetector(fastest_gate())


@given(pieces=st.lists(st.sampled_from(PIECES), max_size=30), seed=st.integers(0, 5))
def test_both_gates_lead_to_the_same_secrets(by_pattern: SecretDetector, pieces: list[str], seed: int) -> None:
    secret = list(samples(seed).values())[len(pieces) % len(MAKERS)]
    for text in ("".join(pieces).encode(), "".join([*pieces, secret, *pieces]).encode()):
        assert by_pattern.find(text) == BY_KEYWORD.find(text)


@given(lines=st.lists(st.lists(st.sampled_from(PIECES), max_size=6), max_size=8))
def test_they_do_so_for_assignments_close_together(by_pattern: SecretDetector, lines: list[list[str]]) -> None:
    text = "".join(f"key = {''.join(line)}k4j5h6g7f8d9{' ' * 90}" for line in lines).encode()
    assert by_pattern.find(text) == BY_KEYWORD.find(text)


@given(text=st.binary(max_size=300))
def test_they_do_so_for_any_bytes(by_pattern: SecretDetector, text: bytes) -> None:
    key = samples(1)["aws-access-token"].encode()
    for each in (text, text + b" " + key + b" " + text):
        assert by_pattern.find(each) == BY_KEYWORD.find(each)


@given(pieces=st.lists(st.sampled_from(SPLIT), max_size=40))
def test_they_know_the_same_places_where_lines_are_joined(pieces: list[str]) -> None:
    text = "".join(pieces).encode()
    assert _read(fastest_gate(), text) == _read(KeywordGate(), text)


@pytest.mark.parametrize("line_break", ["\n", "\r\n", "\\n", "\\r\\n", "\\\n", "\\\r\n", "\\\\n", " \t\\\\r\\n  "])
@pytest.mark.parametrize("before", ["", "hf_\nx9 鍵 "])
def test_they_know_every_break_between_the_lines_of_a_secret(
    by_pattern: SecretDetector, line_break: str, before: str
) -> None:
    # In JSON within JSON, a break is two backslashes and a letter.
    secret = samples(1)["github-pat"]
    text = f"{before}{secret[:20]}{line_break}{secret[20:]} 🔑".encode()
    assert secret.encode() in _read(fastest_gate(), text)[-1]
    assert _read(fastest_gate(), text) == _read(KeywordGate(), text)
    assert by_pattern.find(text) == BY_KEYWORD.find(text) != []


@pytest.mark.parametrize("word", ["sha256~", "<add key=", "-----BEGIN PRIVATE KEY"])
def test_a_secret_may_begin_behind_a_word_in_which_another_range_ends(by_pattern: SecretDetector, word: str) -> None:
    secret = samples(1)["github-pat"]
    text = f"鍵 hf_\n{word}{secret[:20]}\n{secret[20:]} 🔑".encode()
    assert secret.encode() in _read(fastest_gate(), text)[-1]
    assert _read(fastest_gate(), text) == _read(KeywordGate(), text)
    assert by_pattern.find(text) == BY_KEYWORD.find(text) != []


def test_they_do_so_where_there_are_too_many_to_keep() -> None:
    text = b"hf_" * MAX_LOCATED + b"\n" + b"hf_\nx9 " * MAX_LOCATED
    assert _read(fastest_gate(), text) == _read(KeywordGate(), text) != []


def _read(gate: Gate, text: bytes) -> list[bytes]:
    """The readings that say something."""
    found = [readings()[hint.number].read(text, hint.ranges).text for hint in gate.scan(text)[1]]
    return [bytes(each) for each in found if each]


@each_case("kind", MAKERS)
def test_every_kind_passes_the_gate_of_patterns(by_pattern: SecretDetector, kind: str) -> None:
    for seed in range(10):
        secret = samples(seed)[kind].encode()
        for around in (b"", "\n鍵🔑 ".encode(), b"\xff \xfe", b" " + FOLDED[0] + b" "):
            start = len(around)
            expected = [Secret(start, start + len(secret), kind)]
            assert by_pattern.find(around + secret + b"\n" + around) == expected


def test_letters_that_fold_to_ascii_are_seen(by_pattern: SecretDetector) -> None:
    text = b"the key: api_to" + FOLDED[0] + b"en = k4j5h6g7f8d9s0a1"
    assert by_pattern.find(text) == BY_KEYWORD.find(text)
    assert by_pattern.find(text)


def test_characters_of_several_bytes_count_as_one(by_pattern: SecretDetector) -> None:
    far = "鍵" * 190
    text = f"kind: secret\n{far}\ndata:\n  password: c2VjcmV0LXZhbHVl\n".encode()
    found = by_pattern.find(text)
    assert [each.kind for each in found] == ["kubernetes-secret-yaml"]
    assert found == BY_KEYWORD.find(text)


def test_a_keyword_may_stand_far_from_what_needs_it(by_pattern: SecretDetector) -> None:
    digest = b"0123456789abcdef0123" * 2
    assert not by_pattern.find(b"commit " + digest + b"\n")
    text = b"commit " + digest + b"\n" * 1_000 + b"Sourcegraph"
    assert by_pattern.find(text) == BY_KEYWORD.find(text) != []


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"a.b\.[.]{3}", r"a.{1,4}b\.[.]{3}"),
        (r"[^a]{2,5}x[^]]?", r"[^a]{2,20}x[^]]{0,4}"),
        (r".*?[^x]+y.{8,}", r".*?[^x]+y.{8,}"),
        (r"(?s:.){0,200}?\S{3}", r"(?s:.){0,800}?(?s:.){3,12}"),
        (r"[\s\S]{64,}[\w-]{20}", r"(?s:.){64,}[\w-]{20}"),
    ],
)
def test_a_pattern_for_bytes_allows_for_wide_characters(pattern: str, expected: str) -> None:
    assert in_bytes(pattern) == expected


@pytest.mark.parametrize(
    ("pattern", "most"), [("ab[cd]{3}", 20), ("(ab){1,3}", 72), ("ab?c{2}", 16), ("ab*", None), ("a{2,}", None)]
)
def test_the_most_bytes_of_a_match_are_known(pattern: str, most: int | None) -> None:
    assert max_bytes(pattern) == most


def test_windows_of_bounded_matches_reach_as_far_as_these_may() -> None:
    assert list(bounded_windows([900, 105, 100], 50)) == [(50, 105), (850, 900)]
    assert list(bounded_windows([20], 50)) == [(0, 20)]


def test_windows_are_around_values_that_are_more_than_words() -> None:
    text = b"x" * 500 + b" key: abcdefghijkl " + b"y " * 500 + b" key: abcdefghijk1 "
    ends = [text.index(b"l y") + 2, len(text)]
    start, end = ends[1] - len("abcdefghijk1 ") - 256, ends[1]
    assert list(windows(text, ends)) == [(start, end)]
    assert not list(windows(text, ends[:1]))


def test_the_vague_rule_is_as_the_windows_need_it() -> None:
    rule = next(rule for rule in secret_rules() if rule.kind == VAGUE)
    assert rule.group == 0
    assert any(each.of == "secret" and WORDS in each.patterns for each in rule.exclusions)


@given(lines=st.lists(st.lists(st.sampled_from(PIECES), max_size=12), max_size=8))
def test_the_vague_rule_finds_what_re2_finds(lines: list[list[str]]) -> None:
    rule = next(rule for rule in secret_rules() if rule.kind == VAGUE)
    text = " key: k4j5h6g7f8d9 ".join("".join(line) for line in lines).encode()
    expected = [(*each.span(), *each.span(1)) for each in rule.compiled.finditer(text)]
    assert list(rule.matches(text, 0, len(text))) == expected
    assert expected or len(lines) < 2


def test_without_hyperscan_the_keywords_serve(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(fastest_gate(), PatternGate)

    def refuse(**_: object) -> None:
        raise hyperscan.error("architecture")

    monkeypatch.setattr(hyperscan, "Database", refuse)
    assert isinstance(fastest_gate.__wrapped__(), KeywordGate)


def test_threads_may_use_one_gate(by_pattern: SecretDetector) -> None:
    texts = ["\n".join(samples(seed).values()).encode() * 4 for seed in range(4)]
    expected = [by_pattern.find(text) for text in texts]
    found: dict[int, list[list[Secret]]] = {}

    def find(number: int) -> None:
        found[number] = [by_pattern.find(texts[number]) for _ in range(5)]

    threads = [threading.Thread(target=find, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {number: [each] * 5 for number, each in enumerate(expected)}


@each_case("kind", sorted(WIDER))
def test_parts_of_patterns_that_cost_much_are_still_what_is_widened(kind: str) -> None:
    """A part that a new release of the rules writes otherwise stays as it is: slower, and as right."""
    [rule] = [rule for rule in secret_rules() if rule.kind == kind]
    pattern = in_bytes(rule.pattern).replace(BEFORE, "")
    for part, wider in WIDER[kind]:
        assert part in pattern
        pattern = pattern.replace(part, wider)


@each_case(
    "text",
    [
        *(f"api_key {name} a1B2c3D4e5f6G7h8i9" for name in ("=", "=>", ":=", "::=", "||", "?=", ">", ",", ":")),
        "secret_token" + " " * 20 + "'" * 4 + "=" + '"' * 8 + "a1B2c3D4e5f6G7h8i9;",
        "auth.key-x_y z\t= k4j5h6g7f8d9s0a1/b2+c3== ",
        "postgres://user:k4j5h6g7\vf8d9s0a1@db.example.org/x",
        "a+b.c-d://:pass1word2@[::1]:5432 and x://user@host",
        f"redis://{'u' * 128}:{'p4s5' * 32}@h",
        f"redis://{'é' * 128}:{'鍵' * 128}@h",
    ],
)
def test_what_is_widened_passes_over_nothing(by_pattern: SecretDetector, text: str) -> None:
    encoded = text.encode()
    assert by_pattern.find(encoded) == BY_KEYWORD.find(encoded)
    assert BY_KEYWORD.find(encoded), "a control: it is a secret by either gate"
