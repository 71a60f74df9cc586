"""Exports of memory stores, record by record: mem0, LangGraph's store, Letta, the Memory Interchange Format, and what
this command line exports."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from camillo_cli.imports.json_stream import Part
from camillo_cli.imports.reading import Fields, Reading, Skip, named, text

# Kinds of the interchange format, in the words of this command line.
_MIF_KINDS = {
    "decision": "decision",
    "error": "error",
    "conversation": "conversation",
    "task": "task_outcome",
    "preference": "preference",
    "summary": "summary",
    "instruction": "instruction",
}
# An item of a LangGraph store says something under one of these names, else by all its texts.
_TEXTS = ("content", "text", "memory", "data", "fact", "summary")
_USERS = frozenset({"user", "users"})


def is_mem0(part: Part) -> bool:
    value = part.value
    return isinstance(value, dict) and isinstance(value.get("memory"), str)


def mem0(part: Part, reading: Reading) -> Iterator[Fields]:
    """A memory, or a relation of its graph."""
    found = dict(part.value)
    if part.name == "relations":
        target = found.get("destination", found.get("target"))
        words = (found.get("source"), found.get("relationship", found.get("relation")), target)
        yield {"content": sentence(*words), "metadata": found}
        return
    if "score" in found:
        reading.lost["scores of a search"] += 1
        del found["score"]
    inner = found.pop("metadata", None)
    fields = {
        "content": found.pop("memory", None),
        "memory_id": found.pop("id", None),
        "tags": found.pop("categories", None),
        "session_id": found.pop("run_id", None),
        "occurred_at": found.pop("created_at", None),
        "updated_at": found.pop("updated_at", None),
        "expires_at": found.pop("expiration_date", None),
    }
    yield {**fields, "agent": reading.space_of(found), "metadata": {**named(inner), **found}}


def is_langgraph(part: Part) -> bool:
    value = part.value
    if not isinstance(value, dict) or not isinstance(value.get("value"), dict) or "key" not in value:
        return False
    return isinstance(value.get("namespace"), list) or isinstance(value.get("prefix"), str)


def langgraph(part: Part, reading: Reading) -> Iterator[Fields]:
    """An item; a row of the tables of its SQL stores has `prefix` in place of the namespace."""
    found = part.value
    inner = dict(found["value"])
    labels = [str(each) for each in found.get("namespace") or found["prefix"].split(".")]
    for name in ("score", "ttl_minutes"):
        if found.get(name) is not None:
            reading.lost[f"values of {name}"] += 1
    content = next((inner.pop(name) for name in _TEXTS if isinstance(inner.get(name), str)), None)
    if content is None:
        content = "\n".join(f"{name}: {each}" for name, each in _leaves(inner))
    user = next((after for label, after in pairwise(labels) if label in _USERS), "")
    yield {
        "content": content,
        "memory_id": reading.id_of(*labels, str(found["key"])),
        "tags": ["/".join(labels)],
        "occurred_at": found.get("created_at"),
        "updated_at": found.get("updated_at"),
        "expires_at": found.get("expires_at"),
        "agent": reading.space_of({"user_id": user}),
        "metadata": {**inner, "namespace": labels, "key": found["key"]},
    }


def _leaves(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _leaves(each, f"{name}.{key}" if name else str(key))
    elif isinstance(value, list):
        for each in value:
            yield from _leaves(each, name)
    elif value is not None:
        yield name, value


def is_letta(part: Part) -> bool:
    value = part.value
    if not isinstance(value, dict):
        return False
    is_block = isinstance(value.get("label"), str) and isinstance(value.get("value"), str)
    is_passage = isinstance(value.get("text"), str) and ("archive_id" in value or _is_passage(value.get("id")))
    is_agent = part.name == "agents" and ("llm_config" in value or "block_ids" in value)
    return is_block or is_passage or is_agent


def _is_passage(name: object) -> bool:
    return isinstance(name, str) and name.startswith("passage-")


def letta(part: Part, reading: Reading) -> Iterator[Fields]:
    """A block of the core memory, which stays pinned, or a passage of an archive."""
    found = dict(part.value)
    name = text(found.get("id"))
    if isinstance(found.get("label"), str):
        label, content = found.pop("label"), found.pop("value", None)
        kind = "instruction" if label == "persona" else "fact"
        kept = {key: found[key] for key in ("description", "read_only", "limit") if found.get(key)}
        memory_id = reading.id_of(name, label, str(content))
        metadata = {**named(found.get("metadata")), **kept, "label": label}
        yield {
            "content": content,
            "memory_id": memory_id,
            "kind": kind,
            "tags": [label],
            "pinned": True,
            "metadata": metadata,
        }
    elif isinstance(found.get("text"), str):
        if found.get("is_deleted") is True:
            raise Skip("deleted passages")
        for key in ("embedding", "embedding_config"):
            if found.pop(key, None):
                reading.lost["embeddings"] += 1
        inner = named(found.pop("metadata", None))
        keys = ("archive_id", "file_name", "file_id", "source_id")
        yield {
            "content": found["text"],
            "memory_id": name.removeprefix("passage-") or None,
            "tags": found.get("tags"),
            "occurred_at": found.get("created_at"),
            "updated_at": found.get("updated_at"),
            "metadata": {**inner, **{key: found[key] for key in keys if found.get(key)}},
        }
    else:
        _lose_agent(part.name or "objects", found, reading)


def _lose_agent(name: str, found: Fields, reading: Reading) -> None:
    """Counts what an agent file holds beside memories."""
    messages = found.get("messages")
    if isinstance(messages, list) and messages:
        reading.lost["messages of agents"] += len(messages)
    reading.lost["agents' settings and prompts" if name == "agents" else f"entries of {name}"] += 1


def is_mif(part: Part) -> bool:
    return part.name == "mif_version"


def mif(part: Part, reading: Reading) -> Iterator[Fields]:
    """A memory; what this command line wrote beside it, under `camillo`, is taken as it was."""
    if part.name != "memories":
        reading.lose(part)
        return
    found = dict(part.value)
    if found.pop("embeddings", None):
        reading.lost["embeddings"] += 1
    own = found.pop("camillo", None)
    kind = text(found.get("memory_type")).lower()
    source = named(found.pop("source", None))
    fields: Fields = {
        "content": found.pop("content", None),
        "memory_id": found.pop("id", None),
        "kind": _MIF_KINDS.get(kind, "fact"),
        "tags": found.pop("tags", None),
        "session_id": source.pop("session_id", None),
        "occurred_at": found.pop("created_at", None),
        "updated_at": found.pop("updated_at", None),
        "source_refs": found.pop("related_memory_ids", None),
    }
    if isinstance(own, dict):
        # The content may have been edited since.
        same = {name: fields[name] for name in ("content", "memory_id", "tags")}
        yield {**fields, **own, **same, "agent": "", "metadata": named(found.get("metadata"))}
        return
    owner = named(reading.about.get("export_meta"))
    agent = reading.space_of({"user_id": owner.get("user_id"), "agent_id": found.get("agent_id")})
    metadata = {**named(found.pop("metadata", None)), **found, **source}
    yield {**fields, "agent": agent, "metadata": metadata}


def sentence(*words: object) -> str:
    """A sentence of the names in a relation. Raises ValueError where one is missing."""
    names = [text(each).replace("_", " ").strip() for each in words]
    if not all(names):
        raise ValueError("has no two names and a relation")
    return " ".join(names)
