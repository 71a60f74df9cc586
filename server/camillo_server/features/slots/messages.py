"""Slots as the contract has them."""

from collections.abc import Sequence
from typing import Any

from camillo.v1 import memory_pb2
from camillo.v1 import slot_pb2 as pb
from camillo.v1 import slot_service_pb2 as service
from camillo_formats.slot_content import VALUES_COST, BadContent, parsed
from camillo_formats.slot_keys import BadKey, normalized_key, normalized_prefix

from camillo_server.doors.rpc import fields, tokens
from camillo_server.doors.rpc.call import Call
from camillo_server.doors.rpc.field_limits import rule
from camillo_server.doors.rpc.fields import distinct, sensitivity_of, tags_of, time_of
from camillo_server.doors.rpc.json_values import fill_json, plain_object
from camillo_server.doors.rpc.page_tokens import add_fitting, fitting
from camillo_server.doors.rpc.validate import Checks
from camillo_server.features.slots.provenance import trust_of
from camillo_server.features.slots.slot import (
    ProvenanceKind,
    Slot,
    SlotDraft,
    SlotEntry,
    SlotFilter,
    SlotProvenance,
    SlotSource,
)
from camillo_server.features.slots.slots import WrittenSlot
from camillo_server.features.slots.store.reader import EntryPage, VersionPage
from camillo_server.kernel.errors import ScopeForbidden
from camillo_server.kernel.scope import Principal, Scope, shared_scope

KEY, PREFIX, CONTENT = "key", "prefix", "json_content"
# They have the same fields.
Written = service.SetMemoryRequest | pb.NewSlot


def check_key(request: Any, path: str, checks: Checks) -> None:
    """Refuses what is no key, and leaves the normalized one to who reads the request."""
    field = path + KEY
    try:
        checks.read[field] = normalized_key(request.key)
    except BadKey as error:
        # Unless the field breaks a limit of the contract, too.
        if all(each.field != field for each in checks.violations):
            checks.fail(field, str(error))


for request_type in (
    service.SetMemoryRequest,
    pb.NewSlot,
    service.GetSlotRequest,
    service.ListSlotHistoryRequest,
    service.RestoreSlotRequest,
):
    rule(request_type)(check_key)


@rule(service.ListSlotsRequest)
def check_prefix(request: service.ListSlotsRequest, path: str, checks: Checks) -> None:
    try:
        checks.read[PREFIX] = normalized_prefix(request.prefix)
    except BadKey as error:
        checks.fail(PREFIX, str(error))


def check_content(request: Written, path: str, checks: Checks) -> None:
    """Refuses what is not the JSON that a slot keeps, and leaves the value to who reads the request."""
    field = path + CONTENT
    if checks.violations:
        # Content of a request that violates a limit is not parsed.
        return
    try:
        checks.read[field] = parsed(request.json_content)
    except BadContent as error:
        checks.fail(field, str(error))


def check_shared(request: Written, path: str, checks: Checks) -> None:
    """Checks that a slot for one agent alone is not shared with every agent of the tenant."""
    is_shared = checks.scope is not None and not checks.scope.agent_id
    if is_shared and request.sensitivity == memory_pb2.SENSITIVITY_RESTRICTED:
        checks.fail(f"{path}sensitivity", "must not be RESTRICTED in the tenant's shared space")


for written_type in (service.SetMemoryRequest, pb.NewSlot):
    rule(written_type)(check_content)
    rule(written_type)(check_shared)


@rule(pb.SlotSource)
def check_source(message: pb.SlotSource, path: str, checks: Checks) -> None:
    if message.WhichOneof("stated") is None:
        checks.fail(path.rstrip("."), "must be a text or a provenance")


def slot_draft(request: Written, call: Call, path: str = "") -> SlotDraft:
    """The slot that a request writes, or the one at a path in it."""
    source = _source(request.source)
    return SlotDraft(
        key=call.read[path + KEY],
        json_content=request.json_content,
        content=call.read[path + CONTENT],
        source=source,
        sensitivity=sensitivity_of(request.sensitivity),
        trust_level=trust_of(call.read[path + KEY], source, is_persons_word=_speaks(call.principal, source)),
        credential=call.principal.credential,
        if_version=if_version(request),
        occurred_at=time_of(request, "occurred_at"),
        unindexed=request.unindexed,
    )


def slot_drafts(request: service.BatchSetMemoryRequest, call: Call) -> list[SlotDraft]:
    """The slots that a request writes, in its order."""
    return [slot_draft(each, call, f"slots[{index}].") for index, each in enumerate(request.slots)]


def parsing_cost(
    request: service.SetMemoryRequest | service.BatchSetMemoryRequest,
) -> float:
    """The cost of parsing the JSON in a request."""
    if isinstance(request, service.SetMemoryRequest):
        return len(request.json_content) * VALUES_COST
    return sum(len(each.json_content) for each in request.slots) * VALUES_COST


def read_scope(request: Any, call: Call) -> Scope:
    """The scope that a request reads."""
    return shared_scope(call.scope) if request.shared else call.scope


def if_version(request: Any) -> int | None:
    return request.if_version if request.HasField("if_version") else None


def slot_filter(request: service.ListSlotsRequest) -> SlotFilter:
    return SlotFilter(
        types=distinct(request.types),
        tags_any=tags_of(request.tags_any),
        updated_since=time_of(request, "updated_since"),
        trigger_before=time_of(request, "trigger_before"),
    )


def _source(message: pb.SlotSource) -> SlotSource:
    if message.WhichOneof("stated") == "text":
        return message.text
    stated = message.provenance
    return SlotProvenance(
        kind=ProvenanceKind(stated.kind),
        name=stated.name,
        retrieved_at=time_of(stated, "retrieved_at"),
        locator=plain_object(stated.locator),
    )


def _speaks(caller: Principal, source: SlotSource) -> bool:
    """Whether the credential speaks for the person that a source names."""
    if not isinstance(source, SlotProvenance) or source.kind is not ProvenanceKind.USER:
        return False
    try:
        return caller.speaks_for("human", source.name)
    except ScopeForbidden:
        # Nobody is impersonated: what a person is reported to have said stays an agent's word.
        return False


def slot_message(slot: Slot) -> pb.Slot:
    """A slot as the contract has it."""
    message = pb.Slot()
    fill_slot(message, slot)
    return message


def fill_slot(message: pb.Slot, slot: Slot) -> None:
    """Puts a slot into a message: into that which is sent, a third faster than a copy of one."""
    stated = slot.fields
    message.slot_id = str(slot.slot_id)
    message.agent_id = slot.agent_id
    message.key = slot.key
    message.version = slot.version
    message.valid = slot.is_valid
    message.json_content = slot.json_content
    message.sensitivity = int(slot.sensitivity)  # type: ignore[assignment]
    message.trust_level = int(slot.trust_level)  # type: ignore[assignment]
    message.type = stated.type
    message.tags.extend(stated.tags)
    message.importance = stated.importance
    message.summary = stated.summary
    message.credential = slot.credential
    message.unindexed = slot.unindexed
    _fill_source(message.source, slot.source)
    fields.fill_timestamp(message.updated_at, slot.updated_at)
    fields.fill_timestamp(message.occurred_at, slot.occurred_at or slot.updated_at)
    if stated.expired_at is not None:
        fields.fill_timestamp(message.expired_at, stated.expired_at)
    if stated.trigger_at is not None:
        fields.fill_timestamp(message.trigger_at, stated.trigger_at)


def _fill_source(message: pb.SlotSource, source: SlotSource) -> None:
    if isinstance(source, str):
        message.text = source
        return
    stated = message.provenance
    stated.kind = int(source.kind)  # type: ignore[assignment]
    stated.name = source.name
    if source.retrieved_at is not None:
        fields.fill_timestamp(stated.retrieved_at, source.retrieved_at)
    if source.locator:
        fill_json(stated.locator, source.locator)


def batch_results(written: Sequence[WrittenSlot]) -> list[service.BatchSetMemoryResult]:
    return [
        service.BatchSetMemoryResult(
            slot=slot_message(each.slot), redactions=fields.redaction_messages(each.redactions)
        )
        for each in written
    ]


def list_response(page: EntryPage, binding: bytes) -> service.ListSlotsResponse:
    """The page, or as much of its beginning as fits in a message: the rest is on the next one."""
    response = service.ListSlotsResponse()
    sent = add_fitting(response.entries, page.entries, _fill_entry)
    if sent and (page.has_more or sent < len(page.entries)):
        response.next_page_token = tokens.text_page_token(binding, page.entries[sent - 1].key)
    return response


def _fill_entry(message: service.SlotEntry, entry: SlotEntry) -> None:
    message.key = entry.key
    message.is_directory = entry.is_directory
    if entry.slot is not None:
        fill_slot(message.slot, entry.slot)


def history_response(page: VersionPage, binding: bytes) -> service.ListSlotHistoryResponse:
    """Renders a page of versions, as `list_response` renders one of entries."""
    messages = fitting(page.versions, slot_message)
    has_more = page.has_more or len(messages) < len(page.versions)
    last = str(messages[-1].version) if messages else ""
    token = tokens.text_page_token(binding, last) if messages and has_more else ""
    return service.ListSlotHistoryResponse(versions=messages, next_page_token=token)
