"""Judging as a best effort: batches within a time, bounded, cached; a model that fails or is slow fails no list."""

import hashlib
import json
import logging
import os
import secrets
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from camillo_server.kernel.background import LateWork
from camillo_server.kernel.clock import remaining_seconds
from camillo_server.kernel.off_loop import FairSlots
from camillo_server.kernel.scope import Scope
from camillo_server.models.embedding.embedder import EmbeddingUnavailable
from camillo_server.models.embedding.limits import BudgetExhausted
from camillo_server.models.reranking.text_reranking import PairCache
from camillo_server.search.contradiction import Contradiction, Judgement, UnjudgedReason, Verdict
from camillo_server.search.judge import LiteLLMJudge, PairVerdict, statement
from camillo_server.settings.lifecycle import ContradictionSettings

REQUESTS_AT_ONCE, REQUESTS_AT_ONCE_OF_TENANT = 8, 4
# Characters of one request's texts in JSON, where an escaped character takes six: a dozen pairs of the longest
# unescaped texts.
MAX_REQUEST_CHARACTERS = 50_000
# Pairs of one tenant, and of all, that are judged or wait to be judged.
MAX_WAITING_OF_TENANT, MAX_WAITING = 200, 2_000
# The longest wait if the caller has no deadline; and the part of a deadline that is reserved for the answer.
LONGEST_SECONDS, ANSWER_SECONDS = 120.0, 0.25

logger = logging.getLogger(__name__)

Found = dict[str, PairVerdict | UnjudgedReason]


class Judging:
    """Judges contradictions within the caller's time; later verdicts are cached. Without a model, none is judged."""

    def __init__(
        self,
        judge: LiteLLMJudge | None,
        settings: ContradictionSettings,
        on_outcome: Callable[[str, int], None],
    ) -> None:
        """`on_outcome` receives how many pairs were judged, cached, or why they were not."""
        self.min_similarity = settings.min_similarity
        self._judge = judge
        self._pairs_per_request = settings.pairs_per_request
        self._cache = VerdictCache(settings.cache_entries)
        self._on_outcome = on_outcome
        self._slots = FairSlots(REQUESTS_AT_ONCE, REQUESTS_AT_ONCE_OF_TENANT)
        self._work = LateWork(MAX_WAITING_OF_TENANT, MAX_WAITING)

    @property
    def has_model(self) -> bool:
        return self._judge is not None

    async def close(self) -> None:
        await self._work.close()

    async def __call__(self, pairs: Sequence[Contradiction], scope: Scope) -> list[Contradiction]:
        """The pairs in their order, each with a judgement."""
        told = {_statement_of(pair): pair for pair in pairs if pair.may_be_sent}
        found: Found = {}
        for each in told:
            if verdict := self._cache.get(scope, each):
                found[each] = verdict
        self._count("cached", len(found))
        if self._judge is None:
            found = dict.fromkeys(told, UnjudgedReason.NO_MODEL)
        else:
            missing = {each: pair for each, pair in told.items() if each not in found}
            found |= await self._read_in_time(self._judge, missing, scope)
        return [replace(pair, judgement=_judgement(pair, found)) for pair in pairs]

    async def _read_in_time(self, judge: LiteLLMJudge, missing: Mapping[str, Contradiction], scope: Scope) -> Found:
        """The verdict of each pair before the caller's deadline, or why it has none."""
        found: Found = {}
        tasks = set()
        for batch in _batches(missing, self._pairs_per_request):
            pairs = {each: missing[each] for each in batch}
            work = self._read(judge, pairs, scope, found)
            task = self._work.start(work, scope.tenant_id, len(pairs))
            if task is None:
                found |= dict.fromkeys(pairs, UnjudgedReason.UNAVAILABLE)
            else:
                tasks.add(task)
        if tasks:
            longest = LONGEST_SECONDS + ANSWER_SECONDS
            await self._work.wait(tasks, remaining_seconds(longest) - ANSWER_SECONDS)
        for task in tasks:
            if task.done():
                # Raises unexpected errors.
                task.result()
        # Verdicts that come later only go into the cache.
        in_time = {each: found.get(each, UnjudgedReason.TIMEOUT) for each in missing}
        self._count_all(in_time)
        return in_time

    async def _read(
        self,
        judge: LiteLLMJudge,
        pairs: Mapping[str, Contradiction],
        scope: Scope,
        found: Found,
    ) -> None:
        """Judges pairs in one request, then those with invalid answers one by one: no text spoils another's verdict."""
        asked = await self._asked(judge, pairs, scope)
        invalid = [told for told in pairs if asked[told] is UnjudgedReason.INVALID_ANSWER]
        alone = invalid if len(pairs) > 1 else []
        found |= {told: asked[told] for told in pairs if told not in alone}
        for told in alone:
            found |= await self._asked(judge, {told: pairs[told]}, scope)

    async def _asked(self, judge: LiteLLMJudge, pairs: Mapping[str, Contradiction], scope: Scope) -> Found:
        """Sends one request. Returns the verdict of each pair, or why it has none."""
        try:
            verdicts = await self._in_turn(judge, [*pairs.values()], scope)
        except BudgetExhausted:
            return dict.fromkeys(pairs, UnjudgedReason.BUDGET)
        except TimeoutError:
            return dict.fromkeys(pairs, UnjudgedReason.TIMEOUT)
        except EmbeddingUnavailable as error:
            logger.warning("judging failed", extra={"cause": error.reason})
            return dict.fromkeys(pairs, UnjudgedReason.UNAVAILABLE)
        found: Found = dict.fromkeys(pairs, UnjudgedReason.INVALID_ANSWER)
        for index, told in enumerate(pairs):
            if index in verdicts:
                found[told] = verdicts[index]
                self._cache.put(scope, told, verdicts[index])
        return found

    async def _in_turn(
        self, judge: LiteLLMJudge, pairs: Sequence[Contradiction], scope: Scope
    ) -> Mapping[int, PairVerdict]:
        if not self._slots.take(scope.tenant_id):
            await self._slots.wait(scope.tenant_id)
        try:
            return await judge.judge(pairs, scope)
        finally:
            self._slots.release(scope.tenant_id)

    def _count_all(self, found: Found) -> None:
        for each in found.values():
            self._count(each.name.lower() if isinstance(each, UnjudgedReason) else "judged", 1)

    def _count(self, outcome: str, pairs: int) -> None:
        if pairs:
            self._on_outcome(outcome, pairs)


def _batches(told: Iterable[str], size: int) -> Iterator[list[str]]:
    """The statements of one request each: up to `size` pairs, fewer where their texts are long in JSON."""
    batch, characters = list[str](), 0
    for each in told:
        characters += len(each)
        if batch and (len(batch) == size or characters > MAX_REQUEST_CHARACTERS):
            yield batch
            batch, characters = [], len(each)
        batch.append(each)
    if batch:
        yield batch


def _statement_of(pair: Contradiction) -> str:
    """The cache key of a pair: everything that the model reads of it, so that equal statements get equal verdicts."""
    return json.dumps(statement(pair), ensure_ascii=False)


def _judgement(pair: Contradiction, found: Found) -> Judgement:
    read = found[_statement_of(pair)] if pair.may_be_sent else UnjudgedReason.SENSITIVITY
    if isinstance(read, UnjudgedReason):
        return Judgement(Verdict.UNJUDGED, unjudged_reason=read)
    current = pair.newer if read.later_is_current else pair.older
    is_current = read.verdict is Verdict.SUPERSEDES
    return Judgement(read.verdict, current.memory_id if is_current else None, read.reason)


NONCE_BYTES = 12


class _CachedVerdict(NamedTuple):
    verdict: Verdict
    later_is_current: bool
    encrypted_reason: bytes


class VerdictCache:
    """The verdict of each pair by all that a model was told of it.

    The sentence is encrypted by a key that follows from the texts: once they are forgotten, nobody can read it, so that
    forgetting has nothing to reach."""

    def __init__(self, max_entries: int) -> None:
        self._entries = PairCache[_CachedVerdict](max_entries)
        self._secret = secrets.token_bytes(32)

    def get(self, scope: Scope, told: str) -> PairVerdict | None:
        entry = self._entries.get(self._digest(scope, told))
        if entry is None:
            return None
        nonce, encrypted = (
            entry.encrypted_reason[:NONCE_BYTES],
            entry.encrypted_reason[NONCE_BYTES:],
        )
        reason = self._cipher(told).decrypt(nonce, encrypted, None).decode()
        return PairVerdict(entry.verdict, entry.later_is_current, reason)

    def put(self, scope: Scope, told: str, verdict: PairVerdict) -> None:
        nonce = os.urandom(NONCE_BYTES)
        reason = self._cipher(told).encrypt(nonce, verdict.reason.encode(), None)
        entry = _CachedVerdict(verdict.verdict, verdict.later_is_current, nonce + reason)
        self._entries.put(self._digest(scope, told), entry)

    def _digest(self, scope: Scope, told: str) -> bytes:
        [digest] = self._entries.digests(scope, "", [told])
        return digest

    def _cipher(self, told: str) -> AESGCM:
        return AESGCM(hashlib.blake2b(told.encode(), digest_size=32, key=self._secret).digest())
