"""A row in every table of ground truth, for tests that look at all tables."""

from datetime import UTC, datetime
from uuid import uuid4

import psycopg

from tests.postgres_fixtures import TestDatabase

STATEMENTS = (
    "insert into camillo.events select tenant_id, agent_id, %(id)s, 1, 0, 's', 2, 1, 'user', 1, 2, '{}', %(now)s, "
    "%(now)s,"
    " '{log_1}', null, 2, '', '{}', null",
    "insert into camillo.event_refs select tenant_id, agent_id, 'log_1', 1, 0",
    "insert into camillo.workflow_steps select tenant_id, agent_id, %(id)s, 'w', 1, 0, %(now)s, '', 'one', 2",
    "insert into camillo.event_receipts select tenant_id, agent_id, %(id)s, %(now)s, '{}'",
    "insert into camillo.event_tombstones select tenant_id, agent_id, %(other)s, 1, 0, %(id)s",
    "insert into camillo.decisions select tenant_id, agent_id, %(id)s, 1, 1, 1, 1, 2, 2, '', '{}', '{}', %(now)s, "
    "%(now)s,"
    " null, null, '', '{}', null",
    "insert into camillo.tasks select tenant_id, agent_id, %(id)s, 1, 1, 1, 2, 2, '', '{}', '{}', %(now)s, %(now)s, '',"
    " '{}', null",
    "insert into camillo.slots select tenant_id, agent_id, %(id)s, chr(1) || 'a', 1, 1, 49, 2, '', '{}', 0.5, null, "
    "null,"
    " %(now)s, 2",
    "insert into camillo.slot_versions select tenant_id, agent_id, %(id)s, 1, 1, 49, 2, 0, '', %(now)s, 2, '', '{}', "
    "null",
    "insert into camillo.slot_tombstones select tenant_id, agent_id, 1, %(other)s",
    "insert into camillo.documents select tenant_id, agent_id, %(id)s, 'a.md', 1, 1, false, %(now)s",
    "insert into camillo.document_versions select tenant_id, agent_id, %(id)s, 1, 1, 1, 2, '{}', '{}', null, null, "
    "'s', 1, 0,"
    " '', %(now)s, '', '{}', null",
    "insert into camillo.document_texts select tenant_id, agent_id, %(id)s, 1, '', '{}', null",
    "insert into camillo.actions select tenant_id, agent_id, %(id)s, 1, 2, '', %(now)s, 's', '', '{}', null",
    "insert into camillo.views select tenant_id, agent_id, 'rules', 2, 1, %(now)s, '', '{}', null",
    "insert into camillo.skills select tenant_id, agent_id, 'review', 1, 1",
    "insert into camillo.skill_versions select tenant_id, agent_id, 'review', 1, %(now)s, 'd', '{}', '{}', 'x', 1, "
    "true, '', 1,"
    " 't'",
    "insert into camillo.links select tenant_id, agent_id, %(id)s, %(other)s, 1, 1, 2, %(now)s, ''",
    "insert into camillo.links select tenant_id, agent_id, %(other)s, %(id)s, 1, 1, 3, %(now)s, ''",
    "insert into camillo.entity_aliases select tenant_id, agent_id, %(id)s, %(other)s, 1, 0, %(now)s, null, '', '',"
    " '{}', null",
    "insert into camillo.distillations select tenant_id, agent_id, %(id)s, 1, 1, '', 'm', 'x', 1, 1, 1, 1, 1, 1, 1, 1,"
    " %(id)s, %(id)s, '{}', '{}', %(now)s, null",
    "insert into camillo.distillation_answers select tenant_id, agent_id, %(id)s, %(id)s, 0, 2, '{}', '{}', '', '{}',"
    " null",
    "insert into camillo.distilled_events select tenant_id, agent_id, %(id)s, %(id)s",
    "insert into camillo.proposals select tenant_id, agent_id, %(id)s, %(id)s, 0, 1, 1, 1, 1, 2, 40, 1, '{}', null,"
    " null, null, false, false, '', '', %(now)s, null, null, %(now)s, null, '', '{}', null",
    "insert into camillo.distillation_cursors select tenant_id, agent_id, 1, 0, null, null",
    "insert into camillo.handoffs select tenant_id, agent_id, %(id)s, 'bob', '', %(now)s, %(now)s, '{}'",
)
RECIPE = "insert into camillo.recipes select tenant_id, 'mine', '', %(now)s from camillo.tenants"


def keep_ground(database: TestDatabase) -> None:
    """Stores ground truth in each scope that there is."""
    values = {"id": uuid4(), "other": uuid4(), "now": datetime(2030, 1, 1, tzinfo=UTC)}
    with psycopg.connect(database.superuser_url) as superuser:
        for statement in STATEMENTS:
            superuser.execute(f"{statement} from camillo.scopes", values)
        superuser.execute(RECIPE, values)
