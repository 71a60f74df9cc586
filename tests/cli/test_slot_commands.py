"""set, get-slot, slots list, history, restore, against a running server."""

import json

import pytest

from tests.cli.conftest import Camillo
from tests.secret_samples import samples

KEY = "/user/calendar/2026-02-23_10-00_牙科复诊"
REMINDER = (
    '{"type": "reminder", "tags": ["牙"], "text": "明天10点牙科复诊", "n": 1.0, "trigger_at": '
    '"2026-02-23T10:00:00-08:00"}'
)
SAID = ("--source", "Ada said so")
PAGE = ("--kind", "web", "--name", "example.com", "--retrieved-at", "2026-02-22T10:00Z")
LOCATOR = ("--locator", '{"url": "https://example.com/茶", "at": ["b"]}')


def test_a_slot_is_set_shown_and_found_by_what_lists_ask(camillo: Camillo) -> None:
    assert camillo("set", KEY, REMINDER, *SAID) == f"set {KEY}, version 1\n"
    camillo("set", "/user//preference/style/", '{"text": "short"}', *SAID)
    content, empty, *details = camillo("get-slot", KEY).splitlines()
    assert (content, empty) == (REMINDER, "")
    assert {"type         reminder", "tags         牙", "source       Ada said so"} <= set(details)
    [style, reminder] = reversed(camillo.rows("slots", "list"))
    assert (style[0], style[-1]) == ("/user/preference/style", "short")
    assert reminder[:2] == [KEY, "1"]
    assert reminder[3:6] == ["reminder", "2026-02-23 18:00:00Z", ""]
    for conditions in (
        ("/user/calendar",),
        ("--type", "reminder"),
        ("--tag", "牙"),
        ("--trigger-before", "2026-02-23T18:00:00Z"),
        ("--limit", "1"),
    ):
        assert [row[0] for row in camillo.rows("slots", "list", *conditions)] == [KEY], conditions
    assert len(camillo.lines("slots", "list", "--updated-since", "1h")) == 2
    for conditions in (("/agent",), ("--trigger-before", "2026-02-23T17:59:59Z"), ("--updated-since", "0s")):
        done = camillo.run("slots", "list", *conditions)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "no slots\n"), conditions


def test_one_level_is_listed_like_a_directory(camillo: Camillo) -> None:
    for key in ("/user/a", "/user/a/b", "/user/c/d"):
        camillo("set", key, "1", *SAID)
    rows = camillo.rows("slots", "list", "/user", "--one-level")
    assert [(row[0], row[-1]) for row in rows] == [("/user/a/", "1"), ("/user/c/", "")]
    entries = camillo.lines("slots", "list", "/user", "--one-level")
    assert [("slot" in entry, entry["is_directory"]) for entry in entries] == [(True, True), (False, True)]


@pytest.mark.parametrize("arguments", [["-"], []], ids=["dash", "piped"])
def test_content_is_kept_byte_for_byte(camillo: Camillo, arguments: list[str]) -> None:
    content = ' {"z": 1.0,\n\t"a": [1e400, "e\u0301 שלום 🍵\\u0041"]}\n\n'
    stored = json.loads(camillo("set", "/user/raw", *arguments, *SAID, "--json", stdin=content))
    assert stored["json_content"] == content
    assert camillo.json("get-slot", "/user/raw")["json_content"] == content
    assert camillo("get-slot", "/user/raw").startswith(content)


def test_a_provenance_is_demanded_of_what_comes_from_outside(camillo: Camillo) -> None:
    code, line = camillo.refused("set", "/kb/tea", "1", *SAID)
    assert code == 1
    assert line.endswith("(give --kind, --name, --retrieved-at and --locator)")
    code, line = camillo.refused("set", "/kb/tea", "1", *PAGE)
    assert (code, "locator is missing" in line) == (1, True), line
    camillo("set", "/kb/tea", "1", *PAGE, *LOCATOR)
    source = camillo.json("get-slot", "/kb/tea")["source"]["provenance"]
    assert source == {
        "kind": "PROVENANCE_KIND_WEB",
        "name": "example.com",
        "retrieved_at": "2026-02-22T10:00:00Z",
        "locator": {"url": "https://example.com/茶", "at": ["b"]},
    }
    [[_, _, trust, shown, content]] = camillo.rows("slots", "history", "/kb/tea")
    assert (trust, content) == ("web", "1")
    assert shown == 'web:example.com, 2026-02-22 10:00:00Z, at=["b"], url=https://example.com/茶'


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("1",), "give --source TEXT, or --kind"),
        (("1", "--source", "x", "--name", "y"), "give --source TEXT, or --kind"),
        (("1", "--source", "x", "--kind", "user"), "give either --source or --kind"),
        (("1", "--kind", "rumour"), "--kind"),
        (("1", "--kind", "web", "--locator", "[1]"), "--locator takes a JSON object"),
        (("1", "--kind", "web", "--retrieved-at", "soon"), "'soon' is neither a date"),
        (("1", "--source", "x", "--shared", "--agent", "ada"), "either --shared or a space"),
        (("1", "--source", "x", "--if-version", "-1"), "--if-version"),
        (("{bad", "--source", "x"), "json_content: must be JSON"),
        (('{"a": 1, "a": 2}', "--source", "x"), "json_content: "),
    ],
)
def test_what_is_no_slot_is_refused(camillo: Camillo, arguments: tuple[str, ...], told: str) -> None:
    code, line = camillo.refused("set", "/user/x", *arguments)
    assert (code, told in line) == (2, True), line
    assert camillo.refused("set", "user/x", "1", *SAID) == (2, "key: must begin with /")
    assert camillo("slots", "list", "--json") == ""


def test_versions_are_checked_kept_and_written_again(camillo: Camillo) -> None:
    camillo("set", KEY, "1.0", *SAID, "--if-version", "0")
    assert camillo.refused("set", KEY, "2", *SAID, "--if-version", "0") == (4, f"the slot has version 1, not 0: {KEY}")
    removed = camillo("set", KEY, "null", "--source", "reminded", "--if-version", "1")
    assert removed == f"removed {KEY}, version 2\n"
    missing = (3, f"slot not found: {KEY} (see 'camillo slots list')")
    assert camillo.refused("get-slot", KEY) == missing
    assert camillo("slots", "list", "--json") == ""
    restored = camillo("slots", "restore", KEY, "1", "--if-version", "2")
    assert restored == f"restored version 1 of {KEY} as version 3\n"
    rows = camillo.rows("slots", "history", KEY)
    assert [(row[0], *row[3:]) for row in rows] == [
        ("3", "Ada said so", "1.0"),
        ("2", "reminded", "null"),
        ("1", "Ada said so", "1.0"),
    ]
    assert [row[0] for row in camillo.rows("slots", "history", KEY, "--limit", "2")] == ["3", "2"]
    assert camillo.refused("slots", "restore", KEY, "9") == missing
    assert camillo.refused("slots", "restore", KEY, "1", "--if-version", "2")[0] == 4
    assert camillo.refused("slots", "history", "/user/none")[0] == 3


def test_the_same_request_id_writes_one_version(camillo: Camillo) -> None:
    for _ in range(2):
        assert camillo.json("set", KEY, "1", *SAID, "--request-id", "r1")["version"] == "1"
    assert camillo.refused("set", KEY, "2", *SAID, "--request-id", "r1")[0] == 4


def test_a_secret_is_left_out_and_noted(camillo: Camillo) -> None:
    secret = samples(11)["github-pat"]
    done = camillo.run("set", KEY, json.dumps({"text": f"鍵は {secret}"}), *SAID)
    assert (done.returncode, done.stdout) == (0, f"set {KEY}, version 1\n")
    assert done.stderr.startswith("note: a secret was taken out of json_content"), done.stderr
    kept = json.loads(camillo.json("get-slot", KEY)["json_content"])
    assert kept == {"text": "鍵は [redacted: github-pat]"}


def test_the_shared_scope_is_written_and_read_by_all(camillo: Camillo) -> None:
    key = f"/shared/{camillo.agent}"
    camillo("set", key, '{"text": "for all"}', *SAID, "--shared", "--sensitivity", "public")
    assert camillo.refused("get-slot", key)[0] == 3
    shown = camillo.json("get-slot", key, "--shared")
    assert (shown["agent_id"], shown["sensitivity"]) == ("", "SENSITIVITY_PUBLIC")
    assert [row[0] for row in camillo.rows("slots", "list", key, "--shared")] == [key]
    assert len(camillo.rows("slots", "history", key, "--shared")) == 1
    assert camillo.json("get-slot", key, "--agent", "@shared")["key"] == key


def test_the_channel_decides_what_is_shown(camillo: Camillo) -> None:
    camillo("set", KEY, "1", *SAID, "--sensitivity", "confidential")
    assert camillo.json("get-slot", KEY)["sensitivity"] == "SENSITIVITY_CONFIDENTIAL"
    assert camillo.refused("get-slot", KEY, "--channel", "public")[0] == 3
    assert camillo("slots", "list", "--channel", "public", "--json") == ""


def test_content_that_is_set_apart_is_noted(camillo: Camillo) -> None:
    rules = camillo.run("set", "/policy/provenance", '{"without": "set_apart"}', "--shared", *SAID)
    assert rules.returncode == 0
    try:
        done = camillo.run("set", "/kb/茶", '"green"', *SAID)
        assert done.stdout == "set /untrusted/kb/茶, version 1\n"
        assert done.stderr == "/kb/茶 is set apart: its source does not tell enough\n"
        meant = camillo.run("set", "/untrusted/kb/茶", '"green"', *SAID)
        assert (meant.returncode, meant.stderr) == (0, "")
    finally:
        camillo.run("set", "/policy/provenance", "null", "--shared", *SAID)
