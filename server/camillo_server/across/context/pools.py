"""The candidates of the sections of one bundle, before any of them is compared or counted."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import chain, islice
from operator import attrgetter

from camillo_server.across.context import candidates
from camillo_server.across.context.bundle import BundleRequest, Candidate
from camillo_server.across.context.candidates import RecalledRow, skills_of
from camillo_server.across.context.prepared_texts import PreparedTexts
from camillo_server.across.context.recipe import SectionRecipe, SectionSource
from camillo_server.across.context.records import ContextRecords
from camillo_server.across.context.retrieval import Retrieved
from camillo_server.across.context.spaces import farness
from camillo_server.kernel.clock import earlier
from camillo_server.kernel.scope import TrustLevel

# Sources without a limit: views are few, given texts are shown if they fit, and hits of a recall may be copies.
_UNLIMITED = (
    SectionSource.VIEW,
    SectionSource.SKILLS,
    SectionSource.GIVEN_TEXT,
    SectionSource.GIVEN_TURNS,
    SectionSource.RECALL,
)
# Their candidates depend on nothing but the records and the section: they are made once for a state of the scope.
_OF_RECORDS_ALONE = (
    SectionSource.VIEW,
    SectionSource.TASKS,
    SectionSource.RECENT_EVENTS,
    SectionSource.PINNED,
    SectionSource.SLOTS,
    SectionSource.SKILLS,
)
# Names of sections that a model takes for instructions, whatever stands around them.
_TRUSTED_SECTIONS = ("identity", "rules")


@dataclass(frozen=True, slots=True)
class Pools:
    """Makes the candidates of sections from what was read, policy applied."""

    request: BundleRequest
    records: ContextRecords
    retrieved: Retrieved
    decisions: Sequence[Candidate]
    now: datetime
    prepared_texts: PreparedTexts

    def of(self, section: SectionRecipe) -> Sequence[Candidate]:
        """The candidates of one section, the most important first."""
        if section.source in _OF_RECORDS_ALONE:
            return self.records.once(section.key, lambda: [*map(self._prepared, self._chosen(section))])
        return [*self._chosen(section)]

    def _prepared(self, candidate: Candidate) -> Candidate:
        return candidate._replace(prepared=self.prepared_texts.later(candidate))

    def _chosen(self, section: SectionRecipe) -> Iterable[Candidate]:
        found = self._found(section)
        least = section.min_trust
        if section.name in _TRUSTED_SECTIONS:
            least = max(least, TrustLevel.AGENT)
        if least:
            found = (each for each in found if each.trust_level >= least)
        if self.request.beside:
            request = self.request
            found = (candidates.in_space(each, request.scope.agent_id, request.actors) for each in found)
        return found if section.source in _UNLIMITED else islice(found, section.limits[0])

    def _found(self, section: SectionRecipe) -> Iterable[Candidate]:
        records, request, now = self.records, self.request, self.now
        match section.source:
            case SectionSource.VIEW:
                views = (view for view in records.views if view.name == section.view)
                # The tenant's first: an agent adds to what its tenant says, and does not push it out.
                ordered = sorted(views, key=attrgetter("agent_id"))
                if request.beside:
                    ordered.sort(key=lambda view: farness(view.agent_id, request.scope.agent_id), reverse=True)
                return map(candidates.of_view, ordered)
            case SectionSource.GIVEN_TEXT:
                return [candidates.of_given_text(request.given_text)] if request.given_text else ()
            case SectionSource.GIVEN_TURNS:
                return map(candidates.of_turn, reversed(request.given_turns))
            case SectionSource.RECALL:
                recalled = self.retrieved.found.get(section.name, ())
                return [hit.scored(score) for hit, score in recalled if isinstance(hit, RecalledRow)]
            case SectionSource.DECISIONS:
                return self.decisions
            case SectionSource.TASKS:
                return map(candidates.of_task, records.tasks)
            case SectionSource.HANDOFFS:
                unexpired = (each for each in records.handoffs if each.expires_at > now)
                return map(candidates.of_handoff, unexpired)
            case SectionSource.RECENT_EVENTS:
                return map(candidates.of_event, reversed(records.recent_events))
            case SectionSource.EARLIER_EVENTS:
                hits = chain.from_iterable(self.retrieved.found.values())
                found = {ref for hit, _ in hits for ref in hit.source_refs}
                events = reversed(records.earlier_events)
                return (candidates.of_event(each) for each in events if str(each.event_id) not in found)
            case SectionSource.RECENT_MEMORIES:
                since = earlier(now, timedelta(hours=section.hours))
                recent = (each for each in records.recent_memories if each.occurred_at >= since)
                return map(candidates.of_memory, recent)
            case SectionSource.PINNED:
                return map(candidates.of_memory, records.pinned)
            case SectionSource.SLOTS:
                if request.beside:
                    return (candidates.of_slot(each, request.scope.agent_id) for each in records.slots)
                return map(candidates.of_slot, records.slots)
            case SectionSource.SKILLS:
                return skills_of(section, records.skills)
            case SectionSource.RESERVE:
                return ()
