"""The TypeScript package keeps the same memories and slots: both packages test what is in one file."""

from __future__ import annotations

import json
from pathlib import Path

from camillo_client import Camillo
from camillo_langgraph import CamilloSaver
from camillo_langgraph.items import content_of, fields_of, id_of, tags_of
from camillo_langgraph.records import checkpoint_key, name

STORED = json.loads((Path(__file__).parents[2] / "typescript-langgraph" / "test" / "stored.json").read_text("utf-8"))


def test_items_are_those_of_the_typescript_package() -> None:
    for item in STORED["items"]:
        namespace, key = item["namespace"], item["key"]
        assert id_of(namespace, key) == item["id"]
        assert tags_of(namespace) == item["tags"]
        assert content_of(namespace, key, item["texts"]) == item["content"]
        assert fields_of(item["value"]) == item["fields"]


def test_threads_are_those_of_the_typescript_package(camillo: Camillo) -> None:
    for each in STORED["keys"]:
        key = checkpoint_key(each["thread"], each["namespace"], each["checkpoint"])
        assert f"{key}/{name(each['task'])}" == each["key"]
    for slot in STORED["slots"]:
        camillo.slots.set_memory(slot["key"], slot["content"], "langgraph", unindexed=True)
    (found,) = CamilloSaver(camillo).list(None)
    assert found.checkpoint["channel_values"] == {"messages": ["привет", "🍵"]}
    assert found.pending_writes == [("task", "__error__", "no"), ("task", "messages", ["да"])]
