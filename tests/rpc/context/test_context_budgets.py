"""Budgets: bundles over stored texts of all kinds, under any budget, never take more than they were given."""

import inspect
import json.decoder
import os
import random
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from pydoc_data.topics import topics
from typing import Any

import grpc
import pytest
from camillo.v1 import snapshot_service_pb2 as service
from camillo.v1.context_pb2 import Bundle, Turn
from camillo.v1.event_pb2 import NewEvent
from camillo_server.lib.text.exact_tokens import choose_counter
from camillo_server.lib.text.tokens import ESTIMATE, TokenCounter

from tests.rpc.memories.calls import remember
from tests.rpc.records import bundle, decide, open_task, put_view, record, record_all, section, text_event, tool_event
from tests.server_fixtures import Server, StartServer, refusal, refused
from tests.unit.text.vocabulary_files import CACHED, library_directory

BUNDLES = 300 if "CAMILLO_RANDOM_TESTS" in os.environ else 100
PIECES: dict[str, Sequence[str]] = {
    "prose": [f"{line}\n" for line in topics["formatstrings"].splitlines()],
    "german": (
        "Die Glyzinie blüht im Mai, ",
        "was niemand für möglich gehalten hätte. ",
        "Am Abend fuhren wir mit der Straßenbahn nach Hause; ",
        "der Vertrag wird übermorgen unterschrieben. ",
        "Größere Änderungen prüft zunächst der Ausschuss, ",
        "und dann beginnt die Überraschung. ",
    ),
    "russian": ("глициния ", "цветёт ", "неожиданно рано. "),
    "chinese": ("紫藤", "在五月", "开花", "，没有人", "料到。"),
    "arabic": ("الوستارية ", "تزهر ", "في مايو، "),
    "hindi": ("विस्टेरिया ", "मई में ", "खिलता है। "),
    "thai": ("ดอกวิสทีเรีย", "บาน", "ในเดือนพฤษภาคม"),
    "emoji": ("👩‍👩‍👧 ", "🌸🌸", "🏳️‍🌈", "👍🏽 "),
    "marks": ("e\u0301", "Z\u0335\u0321", "u\u0308 "),
    "code": inspect.getsource(json.decoder).splitlines(keepends=True),
    "json": ('{"id": 12345, "tags": ["a", "b"], ', '"nested": {"x": null}}, ', '"k": "v", '),
    "log": ("2026-11-20T14:03:07.123Z ERROR [pool-1] ", "at a.b.C(D.java:42)\n", "0x7ffe12ab "),
    "hex": ("deadbeef0123", "9f86d081884c7d65", "a0b1c2d3"),
    "base64": ("QmFzZTY0IGlzIGZ1bg==", "c29tZXRoaW5n", "/+8AAAZ"),
    "digits": ("31415926535", "0.0001 ", "1,000,000 "),
    "white": ("\n\n\n", "\t\t", "   ", "x"),
    "signs": ("!!!???", "-----", "<<>>", "%$#@", "| | |"),
    "markdown": ("# Title\n", "- item\n", "> quote\n", "| a | b |\n", "```\ncode\n```\n"),
}
# The estimate may count fewer tokens of random marks or white space than a vocabulary does.
WRITTEN = sorted(PIECES.keys() - {"white", "signs", "marks"})


class Texts:
    """Texts of all kinds, the same for the same seed."""

    def __init__(self, seed: int, kinds: Sequence[str]) -> None:
        self.dice = random.Random(seed)  # noqa: S311
        self._kinds = kinds

    def of(self, kind: str, most: int) -> str:
        length = self.dice.randrange(1, most)
        found = "wisteria "
        while len(found) < length:
            found += self.dice.choice(PIECES[kind])
        return found[:length]

    def any(self, most: int) -> str:
        return self.of(self.dice.choice(self._kinds), most).strip() or "x"

    def events(self) -> list[NewEvent]:
        """Short ones and long ones, of every kind of text, said by people and by tools."""
        found = []
        for kind in self._kinds:
            for most in (40, 400, 8_000):
                make: Callable[..., NewEvent] = self.dice.choice((text_event, tool_event))
                found.append(make(self.of(kind, most).strip() or "x"))
        self.dice.shuffle(found)
        return found


async def fill(server: Server, texts: Texts) -> None:
    """Stores texts of all kinds for every section."""
    await record_all(server.alice, texts.events())
    event = await record(server.alice, "wisteria, the ground of it all")
    for _ in range(25):
        await remember(server.alice, texts.any(2_000), pinned=texts.dice.random() < 0.3)
        await decide(server.alice, texts.any(2_000), event.event_id, rationale=[texts.any(500)])
        await open_task(server.alice, texts.any(300), details=texts.any(1_500))
    await put_view(server.alice, "identity", texts.of("prose", 400))
    await put_view(server.admin, "rules", texts.of("markdown", 4_000))


async def random_bundle(server: Server, texts: Texts) -> Bundle | None:
    """A bundle of random options; None if the budget is less than what may not be cut, as the refusal tells."""
    dice = texts.dice
    most = int(10 ** dice.uniform(1.3, 5))
    asked: dict[str, Any] = {"max_tokens": most, "explain": dice.random() < 0.2}
    request: Any
    kind = dice.choice(("bundle", "bundle", "snapshot", "memory"))
    query = f"wisteria {texts.any(60)}"
    if kind == "bundle":
        session = dice.choice(("", "s"))
        request = service.BuildBundleRequest(query_text=query, session_id=session, **asked)
    elif kind == "snapshot":
        request = service.BuildSnapshotRequest(trigger_event=query, **asked)
    else:
        turns = [Turn(speaker="user", text=texts.any(800)) for _ in range(dice.randrange(40))]
        system = texts.any(400)
        request = service.BuildWorkingMemoryRequest(turns=turns, system_prompt=system, **asked)
    try:
        built: Bundle = (await server.alice(request)).bundle
    except grpc.aio.AioRpcError as error:
        told = refusal(error)
        assert told.reason == "BUDGET_TOO_SMALL"
        assert int(told.metadata["needed_tokens"]) > most
        return None
    assert built.budget_tokens == most
    return built


def check(built: Bundle, counter: TokenCounter) -> None:
    """Checks that a bundle takes as many tokens as it says, and no more than it may."""
    assert built.tokens <= built.budget_tokens
    assert counter.count(built.prompt) == built.tokens


async def random_bundles(server: Server, count: int, kinds: Sequence[str] = (*PIECES,)) -> list[Bundle]:
    texts = Texts(20, kinds)
    await fill(server, texts)
    found = [await random_bundle(server, texts) for _ in range(count)]
    bundles = [each for each in found if each is not None]
    # Most were built, most budgets were used, and most recipes at least once cut something.
    assert len(bundles) > 0.8 * count
    full = [each for each in bundles if each.tokens > 0.8 * each.budget_tokens]
    assert len(full) > 0.2 * count
    cut = Counter(each.recipe for each in bundles if each.omissions)
    assert set(cut) == {"active_context", "run_snapshot", "working_memory"}
    return bundles


async def test_no_bundle_is_over_its_budget_by_the_servers_counter(server: Server) -> None:
    for built in await random_bundles(server, BUNDLES):
        assert built.provenance.token_counter == ESTIMATE.name
        check(built, ESTIMATE)


@pytest.fixture
def vocabularies(tmp_path: Path) -> Path:
    """A directory of models with the real vocabularies, where a library has brought them."""
    source, directory = library_directory(), tmp_path / "models"
    directory.mkdir()
    for name, cached in CACHED.items():
        (directory / f"{name}.tiktoken").symlink_to(source / cached)
    return directory


async def test_no_estimated_bundle_is_over_its_budget_by_exact_count(server: Server, vocabularies: Path) -> None:
    exact = [choose_counter(name, vocabularies) for name in CACHED]
    for built in await random_bundles(server, BUNDLES // 2, WRITTEN):
        for counter in exact:
            assert counter.count(built.prompt) <= built.budget_tokens, counter.name


async def test_a_server_that_counts_exactly_keeps_to_budgets_with_any_text(
    start_server: StartServer, vocabularies: Path
) -> None:
    name = "o200k_base"
    server = await start_server(memory={"tokenizer": name})
    exact = choose_counter(name, vocabularies)
    for built in await random_bundles(server, BUNDLES // 2):
        assert built.provenance.token_counter == name
        check(built, exact)


async def test_a_budget_below_what_is_never_cut_names_it_with_its_tokens(server: Server) -> None:
    await put_view(server.alice, "identity", "You are Alice. " * 40)
    await record(server.alice, "wisteria")
    needed = 0
    for most in (1, 2, 10, 100):
        told = await refused(bundle(server.alice, "wisteria", session_id="s", max_tokens=most))
        assert (told.code, told.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "BUDGET_TOO_SMALL")
        needed = int(told.metadata["needed_tokens"])
        named = dict(each.split("=") for each in told.metadata["sections"].split(","))
        assert needed > most == int(told.metadata["max_tokens"])
        assert 0 < int(named["identity"]) <= needed
    built = await bundle(server.alice, "wisteria", session_id="s", max_tokens=needed)
    assert section(built, "identity").items[0].text.startswith("You are Alice.")
    assert built.tokens <= needed
    told = await refused(bundle(server.alice, session_id="s", max_tokens=needed - 1))
    assert told.reason == "BUDGET_TOO_SMALL"


async def test_a_budget_of_one_is_kept_where_nothing_has_to_be_shown(server: Server) -> None:
    await record(server.alice, "wisteria")
    built = await bundle(server.alice, "wisteria", session_id="s", max_tokens=1)
    assert (built.tokens, built.prompt, len(built.sections)) == (0, "", 0)
    whole = await bundle(server.alice, "wisteria", session_id="s")
    assert "wisteria" in whole.prompt
