"""Fingerprints that identify exact repeats, and how often a memory was stated."""

from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

# `fingerprint` is the same for memories of a scope that say exactly the same (domain/repeats.py); null for chunks.
REPEATS = """
alter table memories add column fingerprint bytea;
create unique index memories_fingerprint_key on memories (fingerprint, tenant_id) where fingerprint is not null;
alter table memory_access add column stated_count bigint not null default 1;
"""

# The oldest of several that say the same is the one to which repeats are added; the others stay, without a fingerprint,
# and so does what is sealed: nobody can read it here.
FINGERPRINTS = r"""
do $$
declare each_tenant text;
begin
    perform set_config('camillo.tenant_list', 'on', true);
    for each_tenant in select tenant_id from tenants order by tenant_id loop
        perform set_config('camillo.tenant', each_tenant, true);
        update memories m set fingerprint = told.fingerprint
        from (
            select distinct on (s.tenant_id, s.agent_id, s.fingerprint) s.* from (
                select tenant_id, agent_id, memory_id, created_at, sha256(
                    convert_to(agent_id, 'UTF8') || '\x00' || convert_to(kind::text, 'UTF8') || '\x00'
                    || convert_to(sensitivity::text, 'UTF8') || '\x00'
                    || case when kind = 3 then convert_to(to_json(session_id)::text, 'UTF8') || '\x00' || convert_to(
                        (extract(epoch from occurred_at) * 1000000)::bigint::text, 'UTF8') || '\x00' else '' end
                    || convert_to(btrim(regexp_replace(normalize(content, NFC), '[\u0009-\u000d\u001c-\u0020\u0085\u00a0'
                        '\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+', ' ', 'g')), 'UTF8')) as fingerprint
                from memories where kind < 16 and sealed is null
            ) s order by s.tenant_id, s.agent_id, s.fingerprint, s.created_at, s.memory_id
        ) told
        where m.tenant_id = told.tenant_id and m.agent_id = told.agent_id and m.memory_id = told.memory_id;
    end loop;
end $$;
"""

BACK = """
alter table memory_access drop column stated_count;
drop index memories_fingerprint_key;
alter table memories drop column fingerprint;
"""


def upgrade() -> None:
    op.execute(REPEATS)
    op.execute(FINGERPRINTS)


def downgrade() -> None:
    op.execute(BACK)
