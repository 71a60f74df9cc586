"""The words that stand for the contract's enums on the command line."""

from enum import StrEnum


class Kind(StrEnum):
    """What a memory is about."""

    FACT = "fact"
    PREFERENCE = "preference"
    CONVERSATION = "conversation"
    TASK_OUTCOME = "task_outcome"
    DECISION = "decision"
    ERROR = "error"
    INSTRUCTION = "instruction"
    SUMMARY = "summary"


class Sensitivity(StrEnum):
    """Who may be shown a text."""

    PUBLIC = "public"
    INTERNAL = "internal"
    CONFIDENTIAL = "confidential"
    RESTRICTED = "restricted"


class Archived(StrEnum):
    """Which archived memories a filter lets through."""

    EXCLUDE = "exclude"
    INCLUDE = "include"
    ONLY = "only"


class Profile(StrEnum):
    """How hits are ordered."""

    RELEVANCE = "relevance"
    SIMILARITY = "similarity"
    RECENCY_WEIGHTED = "recency_weighted"
    EVIDENCE = "evidence"
    BLENDED = "blended"


class Role(StrEnum):
    """What a key allows."""

    READER = "reader"
    WRITER = "writer"
    TENANT_ADMIN = "tenant_admin"
    ROOT = "root"


class OnConflict(StrEnum):
    """What an import does with a memory whose id is there already."""

    SKIP = "skip"
    REPLACE = "replace"


class Source(StrEnum):
    """Where a recall looks."""

    MEMORY = "memory"
    EVENT = "event"
    DECISION = "decision"
    WORKFLOW_STEP = "workflow_step"


class EventKind(StrEnum):
    """What an event tells."""

    MESSAGE = "message"
    TOOL_CALL = "tool_call"
    TOOL_RESULT = "tool_result"
    DECISION = "decision"
    TASK_UPDATE = "task_update"
    WORKFLOW_STEP = "workflow_step"
    ARTIFACT = "artifact"


class ActorType(StrEnum):
    """What kind of actor caused an event."""

    HUMAN = "human"
    AGENT = "agent"
    TOOL = "tool"
    SYSTEM = "system"


class Reach(StrEnum):
    """How far a decision reaches."""

    PROJECT = "project"
    USER = "user"
    GLOBAL = "global"


class DecisionStatus(StrEnum):
    """Whether a decision is in force."""

    ACTIVE = "active"
    SUPERSEDED = "superseded"


class TaskStatus(StrEnum):
    """How far a task has come."""

    OPEN = "open"
    DOING = "doing"
    BLOCKED = "blocked"
    DONE = "done"
    CANCELLED = "cancelled"


class CompactionState(StrEnum):
    """How far a compaction has come."""

    PROPOSED = "proposed"
    COMMITTED = "committed"
    REVERTED = "reverted"
    REFUSED = "refused"


class JobState(StrEnum):
    """How work in the background stands."""

    WAITING = "waiting"
    RUNNING = "running"
    DEAD = "dead"
