"""Messages of forgetting: selections read, receipts made."""

from collections.abc import Iterator, Sequence
from uuid import UUID

from camillo.v1 import event_pb2 as pb
from camillo.v1 import event_service_pb2 as events
from camillo.v1 import forgetting_pb2, lifecycle_pb2, memory_pb2
from camillo.v1 import lifecycle_service_pb2 as lifecycle
from camillo.v1 import memory_service_pb2 as memories

from camillo_server.across.forgetting.excerpts import ExcerptQuery, StoreExcerpts, ValueMatch
from camillo_server.across.forgetting.records import (
    ForgetSelection,
    Forgotten,
    ForgottenEvents,
    ForgottenReplay,
    OfSession,
    Records,
    Repeating,
)
from camillo_server.doors.rpc import fields
from camillo_server.doors.rpc.call import Call
from camillo_server.doors.rpc.field_limits import rule, stated_or_default
from camillo_server.doors.rpc.fields import member
from camillo_server.doors.rpc.page_tokens import check_plan
from camillo_server.doors.rpc.validate import Checks
from camillo_server.kernel.channel import Channel, ChannelPolicy
from camillo_server.kernel.ids import MAX_NAMED_IDS
from camillo_server.rows.filter_messages import has_condition, memory_filter
from camillo_server.rows.messages import memory_ids_of
from camillo_server.storage.receipts import KeptRefusal, Receipt

# The fields of RecordIds by store.
FIELDS = {
    "memories": "memory_ids",
    "events": "event_ids",
    "decisions": "decision_ids",
    "tasks": "task_ids",
    "slots": "slot_ids",
    "documents": "document_ids",
    "actions": "action_ids",
    "handoffs": "handoff_ids",
    "views": "view_names",
    "skills": "skill_names",
    "runs": "run_ids",
    "artifacts": "artifact_ids",
    "entity_aliases": "alias_ids",
    "proposals": "proposal_ids",
    "distillation_answers": "distillation_answer_ids",
}
# How records that stay are removed, and copies that no statement reaches (docs/lifecycle.md tells more).
LEFT = {
    "artifacts": "DeleteArtifact, one by one",
    "unsearched_artifacts": "DeleteArtifact, one by one: no text, not readable, or more than "
    "lifecycle.forget_search_bytes",
    "events": "Forget or ForgetMemories with include_events, or ForgetEvents",
    "recipes": "PutRecipe or DeleteRecipe",
}
REPEATS_LEFT = "Forget, which looks for records that repeat a value"
SCOPES_LEFT = "Forget with all_scopes"
COPIES_LEFT = {
    "dead_rows": "vacuum (lifecycle.vacuum_cron), and then new rows in the same place; or VACUUM FULL",
    "indexes": "the next rebuild of the text index (lifecycle.vacuum_cron)",
    "write_ahead_log": "the removal of its segments, archived ones included",
    "process_memory": "the reuse of the memory, at the latest the end of the process",
    "backups": "the end of their retention",
}


@rule(memories.ForgetMemoriesRequest)
def check_filter(request: memories.ForgetMemoriesRequest, path: str, checks: Checks) -> None:
    """Refuses a filter without a condition: nobody forgets everything by leaving something out."""
    is_filter = request.WhichOneof("selector") == "filter"
    if is_filter and not has_condition(request.filter, memory_pb2.ARCHIVED_FILTER_EXCLUDE):
        checks.fail("filter", "must hold at least one condition")


for request_type in (
    memories.ForgetMemoriesRequest,
    events.ForgetEventsRequest,
    lifecycle.ForgetRequest,
):
    rule(request_type)(check_plan)


@rule(lifecycle.LiftValueBlocksRequest)
def check_blocks(request: lifecycle.LiftValueBlocksRequest, path: str, checks: Checks) -> None:
    """Refuses a request that names no block."""
    if request.WhichOneof("blocks") is None:
        checks.fail("blocks", "must be a content or a receipt_id")


@rule(lifecycle.ForgetRequest)
def check_records(request: lifecycle.ForgetRequest, path: str, checks: Checks) -> None:
    """Refuses a request that names no record."""
    if request.WhichOneof("selector") != "value" and not any(_records(request).values()):
        checks.fail("records", "must name at least one record")
    if request.all_scopes and request.plan_token:
        checks.fail("plan_token", "must be empty with all_scopes")
    is_value = request.WhichOneof("selector") == "value"
    if request.HasField("excerpts") and not (request.dry_run and is_value):
        checks.fail("excerpts", "must be absent without dry_run and a value")
    if request.aliases and not is_value:
        checks.fail("aliases", "must be empty without a value")
    if request.include_merged and not is_value:
        checks.fail("include_merged", "must be absent without a value")
    if request.mode == forgetting_pb2.FORGET_MODE_REDACT_SPANS and not is_value:
        checks.fail("mode", "must not redact without a value")


def memory_selection(request: memories.ForgetMemoriesRequest) -> ForgetSelection:
    is_filter = request.WhichOneof("selector") == "filter"
    return ForgetSelection(
        memory_filter(request.filter) if is_filter else memory_ids_of(request.memory_ids),
        allow_restating=request.allow_restating,
        include_events=request.include_events,
    )


def event_selection(request: events.ForgetEventsRequest) -> ForgetSelection:
    """Events of a session, or of these ids; what they said may be said again."""
    named = selector_of(request)
    if isinstance(named, str):
        return ForgetSelection(OfSession(named), allow_restating=True)
    return ForgetSelection({"events": [str(each) for each in named]}, allow_restating=True)


def record_selection(request: lifecycle.ForgetRequest) -> ForgetSelection:
    is_value = request.WhichOneof("selector") == "value"
    return ForgetSelection(
        Repeating((request.value, *request.aliases)) if is_value else _records(request),
        allow_restating=request.allow_restating,
        include_events=request.include_events,
        include_linked=request.include_linked,
        include_merged=request.include_merged,
        redact=request.mode == forgetting_pb2.FORGET_MODE_REDACT_SPANS,
        repeats=True,
        all_scopes=request.all_scopes,
    )


def excerpt_query(request: lifecycle.ForgetRequest, call: Call, policy: ChannelPolicy) -> ExcerptQuery | None:
    """Which excerpts the caller is shown, None where it asks for none. A credential that is bound to categories sees no
    document: a forgetting looks for values in those that it may not read, too."""
    if not request.HasField("excerpts"):
        return None
    return shown_excerpts(request.excerpts, (request.value, *request.aliases), call, policy)


def shown_excerpts(
    options: forgetting_pb2.ExcerptOptions, values: Sequence[str], call: Call, policy: ChannelPolicy
) -> ExcerptQuery:
    """The excerpts of these values that the caller may see."""
    channel = member(options.channel, Channel.PRIVATE)
    return ExcerptQuery(
        values=values,
        levels=() if channel is Channel.PUBLIC else policy.allowed(channel),
        per_store=stated_or_default(options, "per_store"),
        withheld=() if call.principal.document_categories is None else ("documents",),
    )


def records_of(named: forgetting_pb2.RecordIds) -> Records:
    """Ids by store."""
    return {store: [each.lower() for each in getattr(named, name)] for store, name in FIELDS.items()}


def _records(request: lifecycle.ForgetRequest) -> Records:
    return records_of(request.records)


def forget_receipt(done: Forgotten, selection: ForgetSelection, plan_token: str) -> memory_pb2.ForgetReceipt:
    """The receipt, and what may still hold something of what went."""
    receipt = done.receipt
    memory_ids = [str(each) for each in receipt.memory_ids]
    gone = {**receipt.records, **receipt.names}
    return memory_pb2.ForgetReceipt(
        receipt_id=str(receipt.receipt_id or ""),
        memory_ids=memory_ids,
        stores=fields.store_messages(receipt.stores),
        forgotten_at=receipt.forgotten_at,
        blocked_values=receipt.blocked_values,
        unblocked_values=receipt.unblocked_values,
        records=forgetting_pb2.RecordIds(
            memory_ids=memory_ids,
            **{FIELDS[store]: ids for store, ids in gone.items() if store in FIELDS},
        ),
        scopes=receipt.scopes,
        remains=_remains(receipt, selection),
        plan_token=plan_token,
        found_nothing=not any(receipt.stores.values()),
        excerpts=map(_excerpts_message, done.found.stores if done.found else ()),
        matches=map(_match_message, done.found.matches if done.found else ()),
    )


def _excerpts_message(of_store: StoreExcerpts) -> forgetting_pb2.StoreExcerpts:
    return forgetting_pb2.StoreExcerpts(
        store=of_store.store,
        excerpts=[
            forgetting_pb2.Excerpt(id=each.record_id, agent_id=each.agent_id, texts=each.texts, places=each.places)
            for each in of_store.excerpts
        ],
        not_shown=of_store.not_shown,
        withheld=of_store.withheld,
    )


def _match_message(match: ValueMatch) -> forgetting_pb2.ValueMatch:
    return forgetting_pb2.ValueMatch(
        records=match.records,
        in_small_letters=match.in_small_letters,
        too_common=match.too_common,
        merged_name=match.merged_name,
    )


def _remains(receipt: ForgottenReplay, selection: ForgetSelection) -> Iterator[forgetting_pb2.Remainder]:
    for store, ids in sorted({**receipt.left_ids, **receipt.names}.items()):
        if store in LEFT:
            yield forgetting_pb2.Remainder(place=store, until=LEFT[store], ids=ids)
    if not selection.repeats:
        yield forgetting_pb2.Remainder(place="repeats", until=REPEATS_LEFT)
    if not selection.all_scopes:
        ids = receipt.left_ids.get("other_scopes", ())
        yield forgetting_pb2.Remainder(place="other_scopes", until=SCOPES_LEFT, ids=ids)
    for place, until in COPIES_LEFT.items():
        yield forgetting_pb2.Remainder(place=place, until=until)


def receipt_message(receipt: Receipt) -> lifecycle_pb2.Receipt:
    """A receipt as the contract has it; of a dry run without an id."""
    return lifecycle_pb2.Receipt(
        receipt_id=str(receipt.receipt_id or ""),
        cause=receipt.cause.name.lower(),
        stores=fields.store_messages(receipt.stores),
        blocked_values=receipt.blocked_values,
        at=receipt.at,
    )


def refusal_message(refusal: KeptRefusal) -> forgetting_pb2.ValueRefusal:
    return forgetting_pb2.ValueRefusal(
        refusal_id=str(refusal.refusal_id),
        at=refusal.at,
        method=refusal.method,
        field=refusal.field,
        receipt_id=str(refusal.receipt_id),
    )


def event_receipt_message(done: ForgottenEvents) -> pb.EventReceipt:
    """The proof of a forgetting."""
    message = pb.EventReceipt(
        receipt_id=str(done.receipt_id or ""),
        event_ids=[str(each) for each in done.event_ids[:MAX_NAMED_IDS]],
        stores=fields.store_messages(done.stores),
        invalidated_memory_ids=[str(each) for each in done.invalidated[:MAX_NAMED_IDS]],
        found_nothing=not any(done.stores.values()),
    )
    fields.fill_timestamp(message.forgotten_at, done.forgotten_at)
    return message


def selector_of(request: events.ForgetEventsRequest) -> list[UUID] | str:
    """These events, or those of a session."""
    if request.WhichOneof("selector") == "session_id":
        return request.session_id
    return [UUID(value) for value in dict.fromkeys(request.event_ids.ids)]
