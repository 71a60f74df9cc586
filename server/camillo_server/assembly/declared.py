"""The declarations of every feature, collected: which records can be forgotten."""

from camillo_server.across.context.store.context import HANDOFFS, VIEWS
from camillo_server.across.runs.store.rows import RUN_ENTRIES, RUNS
from camillo_server.features.artifacts.store.orphaned_contents import ARTIFACT_RECORDS
from camillo_server.features.audit.actions import ACTIONS
from camillo_server.features.decisions.store import DECISIONS
from camillo_server.features.distillation.store.rows import DISTILLATION_ANSWERS, PROPOSALS
from camillo_server.features.events.store.forgetting import EVENTS
from camillo_server.features.knowledge.store.rows import DOCUMENT_RECORDS, DOCUMENT_TEXT_ROWS, SKILLS
from camillo_server.features.links.entity_store import ENTITY_ALIASES
from camillo_server.features.slots.store.rows import SLOTS
from camillo_server.features.tasks.store import TASKS
from camillo_server.rows.forgettable import Forgettables

FORGETTABLES = Forgettables(
    [
        EVENTS,
        DECISIONS,
        TASKS,
        SLOTS,
        DOCUMENT_RECORDS,
        DOCUMENT_TEXT_ROWS,
        ACTIONS,
        VIEWS,
        SKILLS,
        HANDOFFS,
        RUNS,
        RUN_ENTRIES,
        ARTIFACT_RECORDS,
        ENTITY_ALIASES,
        PROPOSALS,
        DISTILLATION_ANSWERS,
    ]
)
