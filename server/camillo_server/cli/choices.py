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
