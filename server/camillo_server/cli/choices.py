"""The values of options that choose from a list: the names of the contract's enums in lower case."""

from enum import StrEnum


class KindChoice(StrEnum):
    """The kind of a memory."""

    FACT = "fact"
    PREFERENCE = "preference"
    CONVERSATION = "conversation"
    TASK_OUTCOME = "task_outcome"
    DECISION = "decision"
    ERROR = "error"
    INSTRUCTION = "instruction"
    SUMMARY = "summary"


class SensitivityChoice(StrEnum):
    """How sensitive a text is."""

    PUBLIC = "public"
    INTERNAL = "internal"
    CONFIDENTIAL = "confidential"
    RESTRICTED = "restricted"


class ChannelChoice(StrEnum):
    """Where a text will be shown, or where something happened."""

    PUBLIC = "public"
    PRIVATE = "private"
    TEAM = "team"
    AGENT = "agent"


class ContentKindChoice(StrEnum):
    """What the bytes of an artifact are."""

    TEXT = "text"
    LOG = "log"
    JSON = "json"
    TABLE = "table"
    CODE = "code"
    BINARY = "binary"


class ArchivedChoice(StrEnum):
    """Which archived memories a filter lets through."""

    EXCLUDE = "exclude"
    INCLUDE = "include"
    ONLY = "only"


class ProfileChoice(StrEnum):
    """How hits are ordered."""

    RELEVANCE = "relevance"
    SIMILARITY = "similarity"
    RECENCY_WEIGHTED = "recency_weighted"
    EVIDENCE = "evidence"
    BLENDED = "blended"


class RoleChoice(StrEnum):
    """What a key allows."""

    READER = "reader"
    WRITER = "writer"
    TENANT_ADMIN = "tenant_admin"
    ROOT = "root"


class OnConflictChoice(StrEnum):
    """What an import does with a memory whose id exists already."""

    SKIP = "skip"
    REPLACE = "replace"


class SourceChoice(StrEnum):
    """Where a recall looks."""

    MEMORY = "memory"
    EVENT = "event"
    DECISION = "decision"
    WORKFLOW_STEP = "workflow_step"


class EventKindChoice(StrEnum):
    """The kind of an event."""

    MESSAGE = "message"
    TOOL_CALL = "tool_call"
    TOOL_RESULT = "tool_result"
    DECISION = "decision"
    TASK_UPDATE = "task_update"
    WORKFLOW_STEP = "workflow_step"
    ARTIFACT = "artifact"


class ActorTypeChoice(StrEnum):
    """The type of actor that caused an event."""

    HUMAN = "human"
    AGENT = "agent"
    TOOL = "tool"
    SYSTEM = "system"


class ReachChoice(StrEnum):
    """How far a decision reaches."""

    PROJECT = "project"
    USER = "user"
    GLOBAL = "global"


class DecisionStatusChoice(StrEnum):
    """Whether a decision is in force."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"


class TaskStatusChoice(StrEnum):
    """The status of a task."""

    OPEN = "open"
    DOING = "doing"
    BLOCKED = "blocked"
    DONE = "done"
    CANCELLED = "cancelled"


class CompactionStateChoice(StrEnum):
    """The state of a compaction."""

    PROPOSED = "proposed"
    COMMITTED = "committed"
    REVERTED = "reverted"
    REFUSED = "refused"


class JobStateChoice(StrEnum):
    """The state of a background job."""

    WAITING = "waiting"
    RUNNING = "running"
    DEAD = "dead"
