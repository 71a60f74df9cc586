"""Contenders as processes: asked in turns, left out when they fail."""

from dataclasses import replace
from pathlib import Path

import pytest

from bench.peers import environment
from bench.peers.answering import Workload
from bench.peers.contenders import CONTENDERS, Contender
from bench.peers.material import Material
from bench.peers.processes import ContenderFailed, open_field, running
from bench.peers.store import BUNDLE_TOKENS, TOKEN_CHARACTERS, Circumstances, packed
from tests.unit.bench import exact_store

EXACT = Contender("exact", "tests.unit.bench.exact_store", "Every vector", is_ours=True)
MISSING = Contender("missing", "tests.unit.bench.no_such_store", "None", is_ours=True)
NOT_INSTALLED = Contender("apart", "tests.unit.bench.exact_store", "Elsewhere")


@pytest.fixture
def material() -> Material:
    return Material.generate(memories=200, queries=32, more=6)


@pytest.fixture
def given(tmp_path: Path, material: Material) -> dict[str, Circumstances]:
    material.save(tmp_path / "material")
    return {
        name: Circumstances(str(tmp_path / "material"), str(tmp_path / name), "", 0, "")
        for name in ("exact", "missing", "apart")
    }


def with_fatal_texts(material: Material) -> Material:
    kept = [*material.texts[:-2], exact_store.FATAL, "after it"]
    return Material(material.memories, material.queries, kept, material.vectors)


def test_one_that_fails_is_left_out_with_the_cause_while_others_go_on(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, material: Material, given: dict[str, Circumstances]
) -> None:
    for contender in (EXACT, MISSING, NOT_INSTALLED):
        monkeypatch.setitem(CONTENDERS, contender.name, contender)
    monkeypatch.setattr(environment, "PYTHON", tmp_path / "no-such-python")
    with open_field(given) as field:
        field.ask_all_at_once(do="fill")
        answer = field.ask("exact", do="search", count=8)
        assert field.ask("missing", do="search", count=8) is None
        assert field.names == ["exact"]
    assert answer is not None
    assert material.recall(answer["found"], 10) == 1.0
    assert set(field.versions) == {"numpy"}
    assert "No module named 'tests.unit.bench.no_such_store'" in field.unavailable["missing"]
    assert field.unavailable["apart"] == f"not installed: {environment.INSTALL_COMMAND}"


def test_callers_are_divided_among_processes_and_a_store_of_one_process_is_left_out(
    monkeypatch: pytest.MonkeyPatch, given: dict[str, Circumstances]
) -> None:
    monkeypatch.setitem(CONTENDERS, "exact", EXACT)
    monkeypatch.setitem(CONTENDERS, "alone", replace(EXACT, name="alone", has_processes=False))
    both = {"exact": given["exact"], "alone": given["apart"]}
    with open_field(both, processes=2) as field:
        field.ask_all_at_once(do="fill")
        assert field.names == ["exact"]
        answers = field.ask_callers("exact", 2, 0.1)
        assert all(answer["latencies_ms"] for answer in answers)
        assert len(answers) == 2
        assert field.ask_callers("alone", 2, 0.1) == []
    assert field.unavailable == {"alone": "its store is of one process"}


def test_an_error_of_a_contender_is_its_last_word(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, material: Material
) -> None:
    monkeypatch.setitem(CONTENDERS, "exact", EXACT)
    with_fatal_texts(material).save(tmp_path / "material")
    circumstances = Circumstances(str(tmp_path / "material"), str(tmp_path / "exact"), "", 0, "")
    with open_field({"exact": circumstances}) as field:
        assert field.ask("exact", do="put", count=4) is not None
        assert field.ask("exact", do="put", count=1) is None
    assert field.unavailable == {"exact": "ValueError: cannot remember that"}


def test_one_that_takes_too_long_is_not_waited_for(given: dict[str, Circumstances]) -> None:
    with running(EXACT, given["exact"]) as process:
        assert process.receive()["versions"]
        process.send({"do": "fill"})
        assert process.receive() == {}
        process.send({"do": "callers", "count": 1, "seconds": 5})
        with pytest.raises(ContenderFailed, match=r"no answer within 0\.05 s"):
            process.receive(timeout_seconds=0.05)
        process.kill()


async def test_callers_begin_at_different_questions(material: Material) -> None:
    store = exact_store.ExactStore()
    workload = Workload(store, material)
    await workload.answer({"do": "fill"})
    for call in workload.callers(16):
        await call()
    assert len(set(store.asked)) == len(store.asked) == 16


async def test_the_rate_counts_the_calls_of_all_callers(material: Material) -> None:
    store = exact_store.ExactStore()
    workload = Workload(store, material)
    await workload.answer({"do": "fill"})
    answer = await workload.answer({"do": "callers", "count": 16, "seconds": 0.2})
    assert 0 < answer["qps"] <= len(store.asked) / 0.2
    assert len(answer["latencies_ms"]) == len(store.asked)


async def test_one_caller_is_timed_call_by_call(material: Material) -> None:
    store = exact_store.ExactStore()
    workload = Workload(store, material)
    await workload.answer({"do": "fill"})
    answer = await workload.answer({"do": "one_caller", "seconds": 0.2})
    assert len(answer["latencies_ms"]) == len(store.asked) > 0
    assert min(answer["latencies_ms"]) > 0


async def test_bundles_are_timed_and_an_empty_one_is_an_error(material: Material) -> None:
    workload = Workload(exact_store.ExactStore(), material)
    with pytest.raises(ValueError, match="empty"):
        await workload.answer({"do": "bundle", "seconds": 5})
    await workload.answer({"do": "fill"})
    assert min((await workload.answer({"do": "bundle", "seconds": 0.1}))["latencies_ms"]) > 0


def test_what_is_packed_by_hand_has_each_text_once_within_its_tokens() -> None:
    assert packed(["茶 tea", "b", "茶 tea"]) == "- 茶 tea\n- b"
    lines = packed(f"{number} 🔑 {'x' * 200}" for number in range(100)).split("\n")
    assert 15 < len(lines) < 20
    assert sum(map(len, lines)) <= BUNDLE_TOKENS * TOKEN_CHARACTERS


async def test_nothing_is_put_twice(material: Material) -> None:
    store = exact_store.ExactStore()
    workload = Workload(store, material)
    for _ in range(2):
        assert len((await workload.answer({"do": "put", "count": 3}))["latencies_ms"]) == 3
    assert store.items == list(material.more())


async def test_an_unknown_command_is_an_error(material: Material) -> None:
    with pytest.raises(KeyError, match="dance"):
        await Workload(exact_store.ExactStore(), material).answer({"do": "dance"})
