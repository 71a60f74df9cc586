"""Exports of knowledge graphs, record by record: MCP's server-memory, and Zep with its engine Graphiti."""

from __future__ import annotations

from collections.abc import Iterator

from camillo_cli.imports.json_stream import Part
from camillo_cli.imports.reading import Fields, Reading, named, text
from camillo_cli.imports.stores import sentence

MAX_REFS = 64


def is_server_memory(part: Part) -> bool:
    value = part.value
    if not isinstance(value, dict):
        return False
    if value.get("type") == "relation" or part.name == "relations":
        return "relationType" in value
    return isinstance(value.get("name"), str) and ("observations" in value or "entityType" in value)


def server_memory(part: Part, reading: Reading) -> Iterator[Fields]:
    """A memory for each observation, which names its entity, and for each relation."""
    found = part.value
    if not is_server_memory(part):
        raise ValueError("is neither an entity nor a relation")
    if "relationType" in found:
        ends = {name: found.get(name) for name in ("from", "to")}
        content = sentence(ends["from"], found["relationType"], ends["to"])
        yield {"content": content, "tags": [*ends.values()], "metadata": {**ends, "relation": found["relationType"]}}
        return
    name, kind = found["name"], text(found.get("entityType"))
    observations = found.get("observations")
    if observations and not isinstance(observations, list):
        raise ValueError("has observations that are no list")
    for each in observations or [f"is known ({kind})" if kind else "is known"]:
        stated = each if isinstance(each, str) else text(named(each).get("content"))
        if not stated.strip():
            reading.lost["observations without a text"] += 1
            continue
        yield {"content": f"{name}: {stated}", "tags": [name], "metadata": {"entity_type": kind} if kind else {}}


def is_zep(part: Part) -> bool:
    value = part.value
    return isinstance(value, dict) and ((isinstance(value.get("fact"), str) and "uuid" in value) or _is_episode(value))


def _is_episode(value: Fields) -> bool:
    is_from = "source" in value or "role_type" in value or "source_description" in value
    return isinstance(value.get("content"), str) and "uuid" in value and is_from


def zep(part: Part, reading: Reading) -> Iterator[Fields]:
    """A fact with the time in which it holds, an episode, or the summary of an entity."""
    found = dict(part.value)
    for name in [each for each in found if each.endswith("embedding")]:
        if found.pop(name):
            reading.lost["embeddings"] += 1
    for name in ("score", "relevance"):
        if found.pop(name, None) is not None:
            reading.lost["scores of a search"] += 1
    is_episode = _is_episode(found)
    fields: Fields = {
        "memory_id": found.pop("uuid", None) or found.pop("uuid_", None),
        "agent": reading.space_of({"user_id": found.get("user_id") or reading.about.get("user_id")}),
    }
    created, valid = found.pop("created_at", None), found.pop("valid_at", None)
    inner = {**named(found.pop("attributes", None)), **named(found.pop("metadata", None))}
    if isinstance(found.get("fact"), str):
        fields |= {
            "content": found.pop("fact"),
            "occurred_at": valid or created,
            "created_at": created,
            "valid_from": valid,
            "valid_until": found.pop("invalid_at", None) or found.pop("expired_at", None),
            "source_refs": _refs(found.pop("episodes", None), reading),
        }
    elif is_episode:
        fields |= {
            "content": found.pop("content"),
            "kind": "conversation",
            "session_id": found.pop("thread_id", None) or found.pop("session_id", None),
            "occurred_at": valid or found.pop("reference_time", None) or created,
        }
    elif text(found.get("summary")):
        content = f"{text(found.pop('name', None))}: {text(found.pop('summary'))}"
        fields |= {"content": content, "kind": "summary", "tags": found.pop("labels", None), "occurred_at": created}
    elif "name" in found:
        reading.lost["entities without a summary"] += 1
        return
    else:
        raise ValueError("is no fact, no episode and no entity")
    yield {**fields, "metadata": {**inner, **found}}


def _refs(value: object, reading: Reading) -> list[str]:
    refs = [text(each)[:256] for each in value if text(each)] if isinstance(value, list) else []
    if len(refs) > MAX_REFS:
        reading.lost["references beyond 64 of a fact"] += len(refs) - MAX_REFS
    return refs[:MAX_REFS]
