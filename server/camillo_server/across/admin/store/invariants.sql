-- name: scope_counts
-- A scope counts its rows, the chunks among them, their terms, and the bytes of the others.
select s.agent_id, format('%%s rows, %%s chunks, %%s terms, %%s bytes; there are %%s, %%s, %%s, %%s', s.memory_count,
    s.chunk_count, s.term_count, s.memory_bytes, coalesce(m.memories, 0), coalesce(m.chunks, 0), coalesce(m.terms, 0),
    coalesce(m.bytes, 0))
from scopes s left join (
    select agent_id, count(*) as memories, count(*) filter (where kind >= 16) as chunks, sum(term_count) as terms,
        sum(octet_length(content) + coalesce(octet_length(sealed), 0)) filter (where kind < 16) as bytes
    from memories where tenant_id = %(tenant_id)s group by agent_id
) m on m.agent_id = s.agent_id
where s.tenant_id = %(tenant_id)s
    and (s.memory_count, s.chunk_count, s.term_count, s.memory_bytes) is distinct from
        (coalesce(m.memories, 0), coalesce(m.chunks, 0), coalesce(m.terms, 0), coalesce(m.bytes, 0))

-- name: revisions
-- No row was changed at a revision that its scope has not reached.
select r.agent_id, r.what from (
    select agent_id, 'memory ' || memory_id as what, revision from memories where tenant_id = %(tenant_id)s
    union all
    select agent_id, 'tombstone ' || memory_id, revision from memory_tombstones where tenant_id = %(tenant_id)s
    union all
    select agent_id, 'event ' || event_id, revision from events where tenant_id = %(tenant_id)s
    union all
    select agent_id, 'event tombstone ' || event_id, revision from event_tombstones where tenant_id = %(tenant_id)s
    union all
    select agent_id, 'decision ' || decision_id, revision from decisions where tenant_id = %(tenant_id)s
    union all
    select agent_id, 'task ' || task_id, revision from tasks where tenant_id = %(tenant_id)s
    union all
    select agent_id, 'slot ' || slot_id, revision from slot_versions where tenant_id = %(tenant_id)s
    union all
    select agent_id, 'skill ' || name, revision from skills where tenant_id = %(tenant_id)s
    union all
    select agent_id, 'document ' || document_id, revision from documents where tenant_id = %(tenant_id)s
    union all
    select agent_id, 'action ' || action_id, revision from actions where tenant_id = %(tenant_id)s
    union all
    select agent_id, 'slot tombstone ' || slot_id, revision from slot_tombstones where tenant_id = %(tenant_id)s
) r left join scopes s on s.tenant_id = %(tenant_id)s and s.agent_id = r.agent_id
where s.revision is null or r.revision > s.revision

-- name: request_revisions
-- No request was answered at a revision that its scope has not reached. That of a handoff is the receiver's.
select r.agent_id, 'request ' || r.request_id
from requests r join scopes s on s.tenant_id = r.tenant_id and s.agent_id = r.agent_id
where r.tenant_id = %(tenant_id)s and r.revision > s.revision and not r.facts ? 'handoff_id'

-- name: request_texts
-- No request was answered with a text: its record has ids, and the rest is read from the rows that are left.
select r.agent_id, 'request ' || r.request_id from requests r
where r.tenant_id = %(tenant_id)s and r.facts ?| array['text', 'content', 'prompt']

-- name: tombstones
-- Nothing is there that was removed since it was last changed. The tombstone of a redacted event tells watchers of it.
select m.agent_id, 'memory ' || m.memory_id from memories m
where m.tenant_id = %(tenant_id)s and exists (
    select from memory_tombstones t
    where t.tenant_id = m.tenant_id and t.agent_id = m.agent_id and t.memory_id = m.memory_id and t.revision >= m.revision)
union all
select e.agent_id, 'event ' || e.event_id from events e join event_tombstones t
    on t.tenant_id = e.tenant_id and t.agent_id = e.agent_id and t.event_id = e.event_id
join event_receipts r on r.tenant_id = t.tenant_id and r.agent_id = t.agent_id and r.receipt_id = t.receipt_id
where e.tenant_id = %(tenant_id)s and not r.counts ? 'redacted'
union all
select s.agent_id, 'slot ' || s.slot_id from slots s join slot_tombstones t
    on t.tenant_id = s.tenant_id and t.agent_id = s.agent_id and t.slot_id = s.slot_id
where s.tenant_id = %(tenant_id)s

-- name: memory_parts
-- Vectors, versions, statistics and sources are of memories that are there.
select p.agent_id, p.what || ' of ' || p.memory_id from (
    select agent_id, memory_id, 'vector' as what from memory_vectors where tenant_id = %(tenant_id)s
    union all
    select agent_id, memory_id, 'version' from memory_history where tenant_id = %(tenant_id)s
    union all
    select agent_id, memory_id, 'statistics' from memory_access where tenant_id = %(tenant_id)s
    union all
    select agent_id, memory_id, 'source' from memory_sources where tenant_id = %(tenant_id)s
) p left join memories m on m.tenant_id = %(tenant_id)s and m.agent_id = p.agent_id and m.memory_id = p.memory_id
where m.memory_id is null

-- name: versions
-- The versions of a memory that are history are all earlier ones.
select h.agent_id, 'memory ' || h.memory_id || ', version ' || h.version from memory_history h join memories m
    on m.tenant_id = h.tenant_id and m.agent_id = h.agent_id and m.memory_id = h.memory_id
where h.tenant_id = %(tenant_id)s and h.version >= m.version

-- name: vectors
-- A memory that says which model its vector is of has one of it. The lexical embedder makes none of a text without a term.
select m.agent_id, 'memory ' || m.memory_id from memories m left join memory_vectors v
    on v.tenant_id = m.tenant_id and v.agent_id = m.agent_id and v.memory_id = m.memory_id
        and v.model_id = m.vector_model_id
where m.tenant_id = %(tenant_id)s and m.vector_model_id <> '' and v.memory_id is null
    and (m.term_count > 0 or m.vector_model_id not like 'lexical-%%')

-- name: memory_sources
-- What memories rest on is told twice, the same way: in the row, and in the table that forgetting looks in.
with in_rows as (
    select m.agent_id, 'memory ' || m.memory_id || ', ' || lower(r.ref) as what
    from memories m, unnest(m.source_refs) as r (ref) where m.tenant_id = %(tenant_id)s and m.kind < 16
), listed as (
    select agent_id, 'memory ' || memory_id || ', ' || source_ref as what
    from memory_sources where tenant_id = %(tenant_id)s
)
(select agent_id, what from in_rows except select agent_id, what from listed)
union all (select agent_id, what from listed except select agent_id, what from in_rows)

-- name: corrected_sources
-- No memory in force rests on one whose text, where it is not encrypted, was another when the memory was last changed.
select d.agent_id, 'memory ' || d.memory_id from memories d
join memory_sources l on l.tenant_id = d.tenant_id and l.agent_id = d.agent_id and l.memory_id = d.memory_id
join memories s on s.tenant_id = l.tenant_id and s.agent_id = l.agent_id and s.memory_id::text = l.source_ref
where d.tenant_id = %(tenant_id)s and not d.archived and s.sealed is null and exists (
    select from memory_history h
    where h.tenant_id = s.tenant_id and h.agent_id = s.agent_id and h.memory_id = s.memory_id and h.sealed is null
        and h.replaced_at > d.updated_at and h.content <> s.content)

-- name: chunk_origins
-- What a chunk is of is there: a slot with content and in the version of the chunk, a document and an artifact in its version.
select m.agent_id, 'chunk ' || m.memory_id from memories m
where m.tenant_id = %(tenant_id)s and m.kind >= 16 and not exists (
    select from events e
    where e.tenant_id = m.tenant_id and e.agent_id = m.agent_id and e.event_id::text = m.source_refs[1]
) and not exists (
    select from decisions d
    where d.tenant_id = m.tenant_id and d.agent_id = m.agent_id and d.decision_id::text = m.source_refs[1]
) and not exists (
    select from slots s
    where s.tenant_id = m.tenant_id and s.agent_id = m.agent_id and s.slot_id::text = m.source_refs[1]
        and s.kind = m.kind and s.version = m.version
) and not exists (
    select from documents d
    where d.tenant_id = m.tenant_id and d.agent_id = m.agent_id and d.document_id::text = m.source_refs[1]
        and m.kind = 33 and d.version = m.version and d.archived = m.archived
) and not exists (
    select from actions a
    where a.tenant_id = m.tenant_id and a.agent_id = m.agent_id and a.action_id::text = m.source_refs[1]
) and not exists (
    select from artifacts a
    where a.tenant_id = m.tenant_id and a.agent_id = m.agent_id and a.artifact_id = m.source_refs[1]
        and m.kind = 113 and a.version = m.version
)

-- name: slot_versions
-- The versions of a slot are numbered from 1 without a gap, and the last is the one in force.
select s.agent_id, 'slot ' || s.slot_id from slots s left join (
    select agent_id, slot_id, count(*) as versions, min(version) as first, max(version) as last, max(revision) as revision
    from slot_versions where tenant_id = %(tenant_id)s group by agent_id, slot_id
) v on v.agent_id = s.agent_id and v.slot_id = s.slot_id
where s.tenant_id = %(tenant_id)s
    and (v.versions, v.first, v.last, v.revision) is distinct from (s.version, 1::bigint, s.version, s.revision)

-- name: skill_versions
-- The kept versions of a skill are numbered without a gap, and the last is the one in force.
select s.agent_id, 'skill ' || s.name from skills s left join (
    select agent_id, name, count(*) as versions, min(version) as first, max(version) as last
    from skill_versions where tenant_id = %(tenant_id)s group by agent_id, name
) v on v.agent_id = s.agent_id and v.name = s.name
where s.tenant_id = %(tenant_id)s
    and (v.versions, v.last) is distinct from (s.version - v.first + 1, s.version)

-- name: document_versions
-- The versions of a document are numbered from 1 without a gap, the last is the one in force, and its passages are there; each has
-- its text, or that of an earlier one.
select d.agent_id, 'document ' || d.document_id from documents d left join (
    select agent_id, document_id, count(*) as versions, min(version) as first, max(version) as last
    from document_versions where tenant_id = %(tenant_id)s group by agent_id, document_id
) v on v.agent_id = d.agent_id and v.document_id = d.document_id
where d.tenant_id = %(tenant_id)s and (
    (v.versions, v.first, v.last) is distinct from (d.version, 1::bigint, d.version)
    or exists (
        select from document_versions w left join document_texts t
            on t.tenant_id = w.tenant_id and t.agent_id = w.agent_id and t.document_id = w.document_id
            and t.version = w.text_version
        where w.tenant_id = d.tenant_id and w.agent_id = d.agent_id and w.document_id = d.document_id
            and t.version is null)
    or (select w.passages from document_versions w
        where w.tenant_id = d.tenant_id and w.agent_id = d.agent_id and w.document_id = d.document_id and w.version = d.version
    ) <> (select count(*) from memories m
        where m.tenant_id = d.tenant_id and m.agent_id = d.agent_id and m.kind = 33 and m.source_refs[1] = d.document_id::text))

-- name: merged_memories
-- Of a committed compaction the merged memory is there, or was removed and left a tombstone.
select c.agent_id, 'compaction ' || c.compaction_id from compactions c
where c.tenant_id = %(tenant_id)s and c.state = 2 and not exists (
    select from memories m
    where m.tenant_id = c.tenant_id and m.agent_id = c.agent_id and m.memory_id = c.memory_id
) and not exists (
    select from memory_tombstones t
    where t.tenant_id = c.tenant_id and t.agent_id = c.agent_id and t.memory_id = c.memory_id
)

-- name: compacted_sources
-- A source of a committed compaction is archived, unless somebody brought it back: then its version tells.
select c.agent_id, 'compaction ' || c.compaction_id || ', memory ' || m.memory_id
from compactions c cross join lateral unnest(c.source_ids, c.source_versions) as s (memory_id, version) join memories m
    on m.tenant_id = c.tenant_id and m.agent_id = c.agent_id and m.memory_id = s.memory_id
where c.tenant_id = %(tenant_id)s and c.state = 2
    and (m.version <= s.version or m.version = s.version + 1 and not m.archived)

-- name: sources_once
-- No version of a memory is a source of two committed compactions.
select c.agent_id, 'memory ' || s.memory_id || ', version ' || s.version
from compactions c cross join lateral unnest(c.source_ids, c.source_versions) as s (memory_id, version)
where c.tenant_id = %(tenant_id)s and c.state = 2
group by c.agent_id, s.memory_id, s.version having count(*) > 1

-- name: reverted_compactions
-- Of a compaction that was undone the merged memory is gone.
select c.agent_id, 'compaction ' || c.compaction_id from compactions c join memories m
    on m.tenant_id = c.tenant_id and m.agent_id = c.agent_id and m.memory_id = c.memory_id
where c.tenant_id = %(tenant_id)s and c.state = 3

-- name: decision_chains
-- From every decision that was superseded the chain leads to one in force.
with recursive reached as (
    select agent_id, decision_id from decisions where tenant_id = %(tenant_id)s and status = 1
    union
    select d.agent_id, d.decision_id from reached r join decisions d
        on d.tenant_id = %(tenant_id)s and d.agent_id = r.agent_id and d.superseded_by = r.decision_id and d.status = 2
)
select agent_id, 'decision ' || decision_id from decisions where tenant_id = %(tenant_id)s
    and (agent_id, decision_id) not in (select agent_id, decision_id from reached)

-- name: run_counters
-- A run counts its rounds and instructions, which are numbered without a gap.
select r.agent_id, 'run ' || r.run_id from runs r left join (
    select agent_id, run_id,
        count(*) filter (where kind = 1) as rounds, count(*) filter (where kind = 2) as instructions,
        max(place) filter (where kind = 1) - min(place) filter (where kind = 1) + 1 as round_places,
        max(place) filter (where kind = 2) - min(place) filter (where kind = 2) + 1 as instruction_places
    from run_entries where tenant_id = %(tenant_id)s group by agent_id, run_id
) e on e.agent_id = r.agent_id and e.run_id = r.run_id
where r.tenant_id = %(tenant_id)s
    and (r.rounds, r.instructions, r.rounds, r.instructions) is distinct from (
        coalesce(e.rounds, 0), coalesce(e.instructions, 0), coalesce(e.round_places, 0), coalesce(e.instruction_places, 0))

-- name: run_entries
-- An entry's run is there.
select e.agent_id, 'run ' || e.run_id from run_entries e left join runs r
    on r.tenant_id = e.tenant_id and r.agent_id = e.agent_id and r.run_id = e.run_id
where e.tenant_id = %(tenant_id)s and r.run_id is null

-- name: receipt_blocks
-- No more values are blocked for a receipt than it tells.
select r.agent_id, 'receipt ' || r.receipt_id from receipts r join (
    select agent_id, receipt_id, count(*) as blocks from value_blocks where tenant_id = %(tenant_id)s
    group by agent_id, receipt_id
) b on b.agent_id = r.agent_id and b.receipt_id = r.receipt_id
where r.tenant_id = %(tenant_id)s and b.blocks > r.blocked_values

-- name: event_places
-- An event and the tombstone of one that was removed never stand in the same place.
select e.agent_id, 'event ' || e.event_id from events e join event_tombstones t
    on t.tenant_id = e.tenant_id and t.agent_id = e.agent_id and t.revision = e.revision and t.place = e.place
where e.tenant_id = %(tenant_id)s

-- name: event_refs
-- What events name is told twice, the same way: in the row, and in the table that lists look in.
with in_rows as (
    select e.agent_id, e.revision || '/' || e.place || ', ' || lower(r.ref) as what
    from events e, unnest(e.refs) as r (ref) where e.tenant_id = %(tenant_id)s
), listed as (
    select agent_id, revision || '/' || place || ', ' || ref as what from event_refs where tenant_id = %(tenant_id)s
)
(select agent_id, what from in_rows except select agent_id, what from listed)
union all (select agent_id, what from listed except select agent_id, what from in_rows)

-- name: workflow_steps
-- A step stands where its event does.
select w.agent_id, 'event ' || w.event_id from workflow_steps w join events e
    on e.tenant_id = w.tenant_id and e.agent_id = w.agent_id and e.event_id = w.event_id
where w.tenant_id = %(tenant_id)s
    and (e.kind <> 6 or (e.revision, e.place, e.occurred_at) <> (w.revision, w.place, w.occurred_at))

-- name: equal_fingerprints
-- No two memories of a scope say exactly the same.
select agent_id, 'memory ' || min(memory_id::text) || ' and ' || count(*) - 1 || ' more' from memories
where tenant_id = %(tenant_id)s and fingerprint is not null group by agent_id, fingerprint having count(*) > 1

-- name: audit_chains
-- Every entry of the audit trail has the hash that it should have behind the one before, and the last one is the end of its chain.
select e.agent_id, 'audit entry ' || e.position from (
    select a.*, lag(a.position, 1, c.pruned_position) over chain as position_before,
        lag(a.hash, 1, c.pruned_hash) over chain as hash_before
    from audit_entries a join audit_chains c on c.tenant_id = a.tenant_id and c.agent_id = a.agent_id
    where a.tenant_id = %(tenant_id)s
    window chain as (partition by a.agent_id order by a.position, a.at)
) e
where e.position <> e.position_before + 1 or e.hash <> audit_hash(
    e.hash_before, e.tenant_id, e.agent_id, e.position, e.at, e.revision, e.method, e.credential, e.facts, e.action_id,
    e.action_digest)
union all
select c.agent_id, 'end of the audit trail at ' || c.position from audit_chains c left join lateral (
    select e.position, e.hash from audit_entries e where e.tenant_id = c.tenant_id and e.agent_id = c.agent_id
    order by e.position desc limit 1
) last on true
where c.tenant_id = %(tenant_id)s and (c.position, c.hash) is distinct from
    (coalesce(last.position, c.pruned_position), coalesce(last.hash, c.pruned_hash))

-- name: ends_of_links
-- A link leads from and to what is there, and its scope knows that it has links.
select l.agent_id, 'link ' || l.from_id || ' ' || l.to_id
from links l left join scopes s on s.tenant_id = l.tenant_id and s.agent_id = l.agent_id
where l.tenant_id = %(tenant_id)s and (coalesce(s.links_revision, 0) = 0 or exists (
    select from (values (l.from_source, l.from_id), (l.to_source, l.to_id)) as e (source, id)
    where not case e.source
        when 1 then exists (select from memories m where m.tenant_id = l.tenant_id and m.agent_id = l.agent_id and m.memory_id = e.id)
        when 2 then exists (select from events v where v.tenant_id = l.tenant_id and v.agent_id = l.agent_id and v.event_id = e.id)
        when 3 then exists (select from documents d where d.tenant_id = l.tenant_id and d.agent_id = '' and d.document_id = e.id)
        when 4 then exists (select from slots t where t.tenant_id = l.tenant_id and t.agent_id = l.agent_id and t.slot_id = e.id)
        when 5 then exists (select from decisions d where d.tenant_id = l.tenant_id and d.agent_id = l.agent_id and d.decision_id = e.id)
    end))
