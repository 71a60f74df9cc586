"""Random messages of any type, built from its descriptor: some plausible, some with a little that is hostile in
them, some hostile throughout."""

import math
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

from camillo.v1 import actor_pb2
from camillo.v1.artifact_service_pb2 import PutArtifactRequest
from camillo.v1.event_pb2 import NewEvent
from camillo.v1.knowledge_service_pb2 import PublishDocumentFinish, PublishDocumentRequest
from camillo.v1.space_service_pb2 import ForgetSpaceRequest, ListTokenUsageRequest
from camillo.v1.task_service_pb2 import UpsertTaskRequest
from google.protobuf.descriptor import FieldDescriptor
from google.protobuf.message import Message
from google.protobuf.struct_pb2 import Struct

DEEPEST = 4
ID = "01890a5d-ac96-774b-bcce-b302099a8057"

TEXTS = (
    "",
    " ",
    "x",
    "a\0b",
    "\ufeff\u202e\u200b",
    "'; drop table memories; --",
    "%s %(tenant_id)s {{in_scope}}",
    "\\",
    "'",
    "\U0001f9e0" * 50,
    "e\u0301" * 100,
    "漢字" * 100,
    "x" * 129,
    "x" * 2001,
    "ﷺ" * 300,
    "../../etc/passwd",
    "\ud7ff\ue000\uffff\U0010ffff",
    ID,
    ID.upper(),
    "00000000-0000-0000-0000-000000000000",
    "AAAA",
    "alice",
    "acme",
    "evidence",
    "content",
    "tags",
    "metadata.x",
    "vector",
)
INTEGERS = (0, 1, -1, 2, 7, 50, 1000, 2**31 - 1, -(2**31), 2**63 - 1, -(2**63), 253402300800)
FLOATS = (0.0, -0.0, 0.5, 1.0, -1.0, 1e-45, 3.4e38, 1e308, 5e-324, math.nan, math.inf, -math.inf)


AHEAD_SECONDS = 4_000_000_000
# By the name of the field; what is not named gets a value by its type.
PLAUSIBLE: Mapping[str, tuple[Any, ...]] = {
    "memory_id": (ID, "", "01890a5d-ac96-774b-bcce-b302099a8058"),
    "ids": (ID, "01890a5d-ac96-774b-bcce-b302099a8058"),
    "key_id": (ID,),
    "agent_id": ("", "alice", "bob"),
    "confirm_agent_id": ("bob",),
    "tenant_id": ("acme", "rival", "third"),
    "confirm_tenant_id": ("third",),
    "content": ("a plain text", "漢字かな", "known"),
    "document_id": (ID,),
    "paths": ("content", "tags", "title", "pinned", "metadata", "kind", "description", "source_refs"),
    "upload_id": ("", ID),
    "data": (b"one\ntwo\n", b"\x00\x01", "漢字\n".encode()),
    "output": (b"short", b"ERROR: long\n" * 2_000),
    "prefix_sha256": (b"",),
    "offset": (0,),
    "pointer": ("", "/a", "/a/0"),
    "max_tokens": (0, 16, 1_000),
    "size_bytes": (8,),
    "resume_after_bytes": (0, 3),
    "name": ("", "evidence", "blended", "rules"),
    "model_id": ("", "mine"),
    "page_token": ("",),
    "resume_token": ("",),
    "seconds": (0, 1, 1_893_456_000),
    "nanos": (0, 1000),
    "page_size": (0, 1, 50),
    "limit": (0, 1, 200),
    "sources": (1,),
    "tags_any": ("alike", "茶"),
    "tags_all": ("alike", "茶"),
    "tags": ("alike", "茶"),
    "turns": ("what was known?",),
    "document_categories": ("hr", "legal"),
    "space": ("users/42", "bob"),
    "session_id": ("s", "other"),
    "to_agent_id": ("bob",),
    "recipe": ("", "active_context", "run_snapshot", "digest", "own"),
    "intent": ("", "answer"),
    "skills": ("known",),
    "query_text": ("", "what was known?"),
    "speaker": ("user", "agent"),
    "time_zone": ("", "Europe/Berlin"),
    "goal": ("a goal",),
    "title": ("a title",),
    "decision": ("use Postgres",),
    "trigger_event": ("a mail",),
    "confirm": ("bob", "acme"),
    "plan_token": ("",),
    "max_access_count": (0, 3),
    "tag_threshold": (0, 2),
    "likeness": (0.0, 0.9),
    "job_id": ("1",),
    "run_id": (ID,),
    "compaction_id": (ID,),
    "distillation_id": (ID, ""),
    "proposal_id": (ID,),
    "proposal_ids": (ID,),
    "receipt_id": (ID,),
    "spool_ids": (ID,),
    "supersedes": (ID,),
    "superseded_by": ("", ID),
    "successor_id": (ID.replace("0", "1", 1),),
    "idle_seconds": (0, 60),
    "snapshot_max_tokens": (0, 500),
    "llm_response": ("an answer",),
    "key": ("/known", "/a//b/"),
    "prefix": ("", "/", "/known"),
    "json_content": ("null", '{"type": "note"}', '"known"', "[1.0, {}]"),
    "if_version": (0, 1),
    "version": (1, 2),
    "instruction": ("be brief",),
    "yaml": ("name: own\nbudget: 1000\nsections:\n  - {name: rules, source: view, view: rules, budget: 1000}\n",),
}
# By the name of the message: what a plausible one always has.
REQUIRED: Mapping[str, tuple[str, ...]] = {
    "NewEvent": ("session_id", "actor"),
    "Actor": ("type", "id"),
    "ToolCall": ("tool",),
    "ToolResult": ("tool", "excerpt_text"),
    "NewDecision": ("decision", "refs"),
    "NewTask": ("title",),
    "View": ("name", "text"),
    "HandoffPacket": ("goal",),
    "Turn": ("speaker", "text"),
    "RecordEventRequest": ("event",),
    "RetrySpooledRequest": ("spool_ids",),
    "DiscardSpooledRequest": ("spool_ids",),
    "SetSpoolPolicyRequest": ("policy",),
    "RecordDecisionRequest": ("decision",),
    "SupersedeDecisionRequest": ("decision_id", "expected_version"),
    "SupersedeMemoryRequest": ("memory_id", "expected_version", "successor_id"),
    "UpsertTaskRequest": ("task",),
    "PutViewRequest": ("view",),
    "HandOffRequest": ("to_agent_id", "packet"),
    "PruneRequest": ("selector",),
    "ArchiveRequest": ("selector",),
    "LifecycleSelector": ("max_access_count",),
    "StartRunRequest": ("trigger",),
    "Trigger": ("type",),
    "AppendRunRequest": ("run_id", "steps"),
    "RunStep": ("llm_response",),
    "InjectInstructionRequest": ("instruction",),
    "NewMemory": ("content",),
    "Vector": ("values",),
    "SetMemoryRequest": ("key", "json_content", "source"),
    "BatchSetMemoryRequest": ("slots",),
    "NewSlot": ("key", "json_content", "source"),
    "SlotSource": ("text",),
    "SlotProvenance": ("kind",),
    "GetSlotRequest": ("key",),
    "ListSlotHistoryRequest": ("key",),
    "RestoreSlotRequest": ("key", "version"),
    "NewDocument": ("name",),
    "PublishDocumentHeader": ("document",),
    "UpdateDocumentRequest": ("document_id", "expected_version", "update_mask"),
    "ArchiveDocumentRequest": ("document_id",),
    "DeleteDocumentRequest": ("document_id",),
    "AddLinksRequest": ("links",),
    "RemoveLinksRequest": ("links",),
    "NewLink": ("type", "from", "to"),
    "LinkEnd": ("source", "id"),
    "Entity": ("type", "name"),
    "ListRelatedRequest": ("entity",),
    "ForgetSpaceRequest": ("agent_id", "confirm_agent_id", "also_named"),
}
FULL_TEXTS = ("text", "excerpt_text", "tool", "id", "type")
CONTENT_OF = {actor_pb2.EVENT_KIND_TOOL_CALL: "tool_call", actor_pb2.EVENT_KIND_TOOL_RESULT: "tool_result"}


class RandomMessages:
    """Makes random messages, the same for the same seed."""

    def __init__(
        self, seed: int, known: Mapping[str, Sequence[Any]], hostilities: Sequence[float] = (0.0, 0.03, 0.2, 1.0)
    ) -> None:
        """`known` are values of what is there, by the name of the field; `hostilities` the parts of a message's values
        that are hostile, one of them for each."""
        self._dice = random.Random(seed)  # noqa: S311
        self._texts = (*TEXTS, *(each for each, *_ in known.values() if isinstance(each, str)))
        self._plausible = {**PLAUSIBLE, **{name: tuple(values) for name, values in known.items()}}
        self._hostilities = hostilities
        self._hostility = 1.0

    def new(self, message: Message) -> None:
        """Gives values to some of the fields of an empty message, plausible ones or hostile ones."""
        self.choose_hostility()
        self.fill(message)

    def choose_hostility(self) -> None:
        """How many of the values that follow are hostile."""
        self._hostility = self._dice.choice(self._hostilities)

    def document(self) -> Iterator[PublishDocumentRequest]:
        """A document that is published, or one with something else at some of its places."""
        request = PublishDocumentRequest()
        self.fill(request.header)
        if not self._is_hostile():
            stated = request.header.document
            stated.name = self._dice.choice(("handbook/茶.md", "travel.md", "notes"))
            for field in ("media_type", "effective_until", "sensitivity"):
                stated.ClearField(field)
            stated.categories[:] = ["hr"]
            request.header.ClearField("expected_version")
        yield request
        for _ in range(self._dice.choice((0, 1, 1, 2))):
            data = self._dice.randbytes(9) if self._is_hostile() else "茶 is served. ".encode()
            yield PublishDocumentRequest(data=data)
        if not self._is_hostile():
            yield PublishDocumentRequest(finish=PublishDocumentFinish())

    def upload(self) -> Iterator[PutArtifactRequest]:
        """An upload that is right, or one with something else at some of its places."""
        request = PutArtifactRequest()
        self.fill(request.header)
        yield request
        sent = b""
        for _ in range(self._dice.choice((1, 1, 2, 3))):
            part = PutArtifactRequest()
            data: Any = part.bytes.DESCRIPTOR.fields_by_name["data"]
            self._set(part.bytes, data, 1)
            part.bytes.offset = self.int64() if self._is_hostile() else len(sent)
            sent += part.bytes.data
            yield part
        last = PutArtifactRequest()
        if self._is_hostile():
            self.fill(last)
        else:
            last.finish.sha256 = sha256(sent).digest()
        yield last

    def fill(self, message: Message, depth: int = 0) -> None:
        """Gives values to some of the fields."""
        if isinstance(message, Struct):
            self._fill_struct(message)
            return
        likely = 0.5 if depth else 0.8
        fields: Sequence[Any] = message.DESCRIPTOR.fields
        for field in fields:
            if self._dice.random() < likely and not (field.message_type and depth == DEEPEST):
                self._set(message, field, depth)
        if not self._is_hostile():
            self._complete(message, depth)

    def _complete(self, message: Message, depth: int) -> None:
        """Gives values to the fields without which the message would say nothing."""
        fields: Mapping[str, Any] = message.DESCRIPTOR.fields_by_name
        for name in REQUIRED.get(message.DESCRIPTOR.name, ()):
            field = fields[name]
            if field.is_repeated or field.message_type or not getattr(message, name):
                self._set(message, field, depth)
        if isinstance(message, NewEvent):
            name = CONTENT_OF.get(message.kind, self._dice.choice(("text", "json")))
            self._set(message, fields[name], depth)
        if isinstance(message, ForgetSpaceRequest):
            for field_name in ("keep", *(("excerpts",) if not message.dry_run else ())):
                message.ClearField(field_name)
        if isinstance(message, ListTokenUsageRequest):
            message.ClearField("until" if message.HasField("since") else "since")
        if isinstance(message, UpsertTaskRequest) and not message.task_id:
            message.ClearField("expected_version")
            message.ClearField("update_mask")

    def _set(self, message: Message, field: FieldDescriptor, depth: int) -> None:
        if field.is_repeated:
            values = getattr(message, field.name)
            for _ in range(self._count(field)):
                if field.message_type:
                    self.fill(values.add(), depth + 1)
                else:
                    values.append(self._scalar(field))
        elif field.message_type:
            part = getattr(message, field.name)
            part.SetInParent()
            self.fill(part, depth + 1)
            if field.name == "expires_at" and part.seconds in (0, 1, 2):
                # A plausible expiry is ahead: one that is over is refused.
                part.seconds += AHEAD_SECONDS
        else:
            setattr(message, field.name, self._scalar(field))

    def _is_hostile(self) -> bool:
        return self._dice.random() < self._hostility

    def _count(self, field: FieldDescriptor) -> int:
        if not self._is_hostile():
            return 16 if field.type == FieldDescriptor.TYPE_FLOAT else self._dice.choice((1, 2))
        if field.message_type:
            return self._dice.choice((0, 1, 1, 2, 3))
        if field.type == FieldDescriptor.TYPE_FLOAT:
            return self._dice.choice((0, 1, 16, 16, 16, 17, 4097))
        return self._dice.choice((0, 1, 1, 2, 2, 65))

    def _scalar(self, field: FieldDescriptor) -> Any:
        known = [value.number for value in field.enum_type.values] if field.enum_type else []
        if self._is_hostile():
            if field.type == FieldDescriptor.TYPE_BYTES:
                return self.raw_bytes()
            return self._dice.choice([*known, 99, -1]) if known else SCALARS[field.cpp_type](self)
        if field.name in self._plausible:
            return self._dice.choice(self._plausible[field.name])
        if known:
            return self._dice.choice(known)
        if field.name in FULL_TEXTS and field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
            return self._dice.choice(("word", "two words"))
        if field.type == FieldDescriptor.TYPE_BYTES:
            return self.raw_bytes()
        if field.cpp_type == FieldDescriptor.CPPTYPE_STRING:
            return self._dice.choice(("", "word", "two words"))
        if field.cpp_type in WHOLE_NUMBERS:
            return self._dice.choice((1, 2))
        return self._dice.random() < 0.5 if field.type == FieldDescriptor.TYPE_BOOL else self._dice.random()

    def text(self) -> str:
        return self._dice.choice(self._texts)

    def raw_bytes(self) -> bytes:
        return self._dice.randbytes(self._dice.randrange(20))

    def truth(self) -> bool:
        return self._dice.random() < 0.5

    def real(self) -> float:
        return self._dice.choice((self._dice.random(), self._dice.choice(FLOATS)))

    def single(self) -> float:
        return min(max(self.real(), -3.4e38), 3.4e38) if self.truth() else self.real()

    def int32(self) -> int:
        return self._dice.choice([number for number in INTEGERS if -(2**31) <= number < 2**31])

    def uint32(self) -> int:
        return self._dice.choice((0, 1, 2**31, 2**32 - 1))

    def int64(self) -> int:
        return self._dice.choice(INTEGERS)

    def _fill_struct(self, struct: Struct) -> None:
        for _ in range(self._dice.choice((0, 1, 2, 3))):
            if not self._is_hostile():
                struct.update({"key": self._dice.choice(("text", 1.5, True, None))})
                continue
            value: Any = self._dice.choice((self.text(), self.real(), self.truth(), None, {"deep": "er"}, [1, "two"]))
            struct.update({self.text(): value})


WHOLE_NUMBERS = {FieldDescriptor.CPPTYPE_INT32, FieldDescriptor.CPPTYPE_INT64, FieldDescriptor.CPPTYPE_UINT32}
SCALARS: Mapping[int, Callable[[RandomMessages], Any]] = {
    FieldDescriptor.CPPTYPE_STRING: RandomMessages.text,
    FieldDescriptor.CPPTYPE_BOOL: RandomMessages.truth,
    FieldDescriptor.CPPTYPE_DOUBLE: RandomMessages.real,
    FieldDescriptor.CPPTYPE_FLOAT: RandomMessages.single,
    FieldDescriptor.CPPTYPE_INT32: RandomMessages.int32,
    FieldDescriptor.CPPTYPE_UINT32: RandomMessages.uint32,
    FieldDescriptor.CPPTYPE_INT64: RandomMessages.int64,
}
