"""A throw-away scope: an agent that exists for one scenario, with what the scenario stores."""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import chain
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any

from camillo_cli.connection import ClientOptions, administering, connected
from camillo_cli.evaluation.scenario import Entry, Scenario
from camillo_cli.failures import CliError, ExitCode, one_line
from camillo_cli.ingest.command import Ingest, find_inputs
from camillo_cli.ingest.report import Report
from camillo_cli.output import note

if TYPE_CHECKING:
    from camillo_client import Camillo

AGENT_PREFIX = "eval-"
# Fields of a memory that hold ids of others, which the file names by ids of its own.
REFERENCES = ("supersedes", "source_refs")
# Texts are embedded when they are stored, or a moment later.
EMBEDDING_SECONDS = 120.0
POLL_SECONDS = 0.05

# Ids of stored records, by the ids that the file gives them.
Ids = dict[str, str]


@contextmanager
def throwaway_scope(client: ClientOptions, *, keep: bool = False) -> Iterator[Camillo]:
    """A client of a new agent, which is erased at the end of the block, whatever happens in it, unless it is kept.

    Raises CliError before anything is stored if the key may not erase agents."""
    agent = f"{AGENT_PREFIX}{secrets.token_hex(8)}"
    if not keep:
        _require_erasing(client)
    try:
        with connected(replace(client, agent=agent)) as camillo:
            yield camillo
    finally:
        if keep:
            note(f"kept the space: --agent {agent}")
        else:
            _erase(client, agent)


def _erase(client: ClientOptions, agent: str) -> None:
    try:
        with administering(client) as camillo:
            camillo.admin.erase_agent(agent, confirm_agent_id=agent)
    except CliError as error:
        # It exists from its first write on.
        if error.code != ExitCode.NOT_FOUND:
            raise


def _require_erasing(client: ClientOptions) -> None:
    from camillo.v1.admin_pb2 import Role

    with administering(client) as camillo:
        role = camillo.who_am_i().role
    if role not in (Role.ROLE_TENANT_ADMIN, Role.ROLE_ROOT):
        raise CliError(
            "the space of an evaluation is erased at its end, which needs a key of the role tenant_admin "
            "(or keep the space with --keep)",
            ExitCode.REFUSED,
        )


def store(camillo: Camillo, scenario: Scenario) -> Ids:
    """Stores what the scenario states, and waits until all of it has vectors. Raises CliError, CamilloError."""
    ids: Ids = {}
    for memories in _batches(scenario.remembered):
        _remember(camillo, scenario, memories, ids)
    _record(camillo, scenario, ids)
    if scenario.files:
        _ingest(camillo, scenario)
    _wait_for_vectors(camillo, scenario)
    return ids


def _batches(remembered: Sequence[Entry]) -> Iterator[list[Entry]]:
    """Memories to store in one call of the client: one that refers to another goes in a later call than that."""
    batch: list[Entry] = []
    for each in remembered:
        named = {*chain.from_iterable(each.fields.get(name, ()) for name in REFERENCES)}
        if any(other.id in named for other in batch):
            yield batch
            batch = []
        batch.append(each)
    if batch:
        yield batch


def _remember(camillo: Camillo, scenario: Scenario, memories: Sequence[Entry], ids: Ids) -> None:
    from camillo_client import new_memory

    messages = [_message(scenario, each, new_memory, _with_ids(each.fields, ids)) for each in memories]
    for each, stored in zip(memories, camillo.remember_many(messages), strict=True):
        _require_stored(scenario, each, stored)
        if each.id:
            ids[each.id] = stored.memory_id  # type: ignore[union-attr]


def _record(camillo: Camillo, scenario: Scenario, ids: Ids) -> None:
    from camillo_client import new_event

    messages = [_message(scenario, each, new_event, each.fields) for each in scenario.recorded]
    for each, stored in zip(scenario.recorded, camillo.events.record_many(messages), strict=True):
        _require_stored(scenario, each, stored)
        if each.id:
            ids[each.id] = stored.event_id  # type: ignore[union-attr]


def _message(scenario: Scenario, each: Entry, make: Any, fields: Mapping[str, Any]) -> Any:
    """The message of a record. Raises CliError."""
    try:
        return make(each.text, **fields)
    except (ValueError, TypeError) as error:
        raise _refused(scenario, each, str(error)) from error


def _require_stored(scenario: Scenario, each: Entry, stored: object) -> None:
    from camillo_client import CamilloError

    if isinstance(stored, CamilloError):
        raise _refused(scenario, each, "; ".join(v.description for v in stored.field_violations) or stored.message)


def _refused(scenario: Scenario, each: Entry, why: str) -> CliError:
    beginning = each.text if len(each.text) < 40 else f"{each.text[:40]}..."
    return CliError(one_line(f'{scenario.name}: "{beginning}" was not stored: {why}'), ExitCode.USAGE)


def _with_ids(fields: Mapping[str, Any], ids: Mapping[str, str]) -> Mapping[str, Any]:
    named = {name: [ids.get(each, each) for each in fields[name]] for name in REFERENCES if name in fields}
    return {**fields, **named}


def _ingest(camillo: Camillo, scenario: Scenario) -> None:
    report = Report(is_dry=False)
    Ingest(camillo, None, "", report).run(find_inputs(scenario.files, report.notes, all_conversations=False))
    for each in report.files:
        for failure in each.failures:
            raise CliError(one_line(f"{scenario.name}: {failure.location}: {failure.reason}"), ExitCode.USAGE)
        if not (each.events or each.memories):
            raise CliError(f"{scenario.name}: nothing of {each.file} was stored", ExitCode.USAGE)
    for message in report.notes:
        note(f"note: {message}")


def _wait_for_vectors(camillo: Camillo, scenario: Scenario) -> None:
    from camillo.v1.memory_pb2 import DegradedReason

    until = monotonic() + EMBEDDING_SECONDS
    pending = DegradedReason.DEGRADED_REASON_VECTORS_PENDING
    while pending in camillo.recall(scenario.questions[0].ask, sources=scenario.sources, limit=1).degraded:  # type: ignore[arg-type]
        if monotonic() > until:
            note(f"note: {scenario.name}: some texts have no vector after {EMBEDDING_SECONDS:.0f} s")
            return
        sleep(POLL_SECONDS)
