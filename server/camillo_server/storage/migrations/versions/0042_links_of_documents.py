"""Links of an agent's scope with documents of its tenant's shared scope."""

from alembic import op

revision = "0042"
down_revision = "0041"
branch_labels = None
depends_on = None

# A foreign key, since an agent's links are out of reach for whoever deletes a document, and a document may be deleted while it is
# being linked: keys are checked beside policies. Within the shared scope, the trigger of documents goes on to take links along.
COLUMNS = """
alter table links
    add column documents_of text collate "C" generated always as ('') stored,
    add column from_document uuid
        generated always as (case when from_source = 3 and agent_id <> '' then from_id end) stored,
    add column to_document uuid
        generated always as (case when to_source = 3 and agent_id <> '' then to_id end) stored,
    add constraint links_from_document_fkey foreign key (tenant_id, documents_of, from_document)
        references documents on delete cascade,
    add constraint links_to_document_fkey foreign key (tenant_id, documents_of, to_document)
        references documents on delete cascade;
create index links_from_document_idx on links (tenant_id, from_document) where from_document is not null;
create index links_to_document_idx on links (tenant_id, to_document) where to_document is not null;
"""


def upgrade() -> None:
    op.execute(COLUMNS)


def downgrade() -> None:
    op.execute(
        "alter table links drop column documents_of, drop column from_document, drop column to_document"
    )
