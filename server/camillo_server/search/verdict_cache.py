"""Verdicts that a model gave lately, by digests; the model's sentence, which may quote the texts, only for who has both texts."""

import hashlib
import os
import secrets
from typing import NamedTuple

from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from camillo_server.kernel.scope import Scope
from camillo_server.models.reranking.text_reranking import PairCache
from camillo_server.search.contradiction import Verdict
from camillo_server.search.judge import PairVerdict

NONCE_BYTES = 12


class _CachedVerdict(NamedTuple):
    verdict: Verdict
    later_is_current: bool
    encrypted_reason: bytes


class VerdictCache:
    """The verdict of each pair by all that a model was told of it.

    The sentence is encrypted by a key that follows from the texts: once they are forgotten, nobody can read it, so that forgetting has
    nothing to reach.
    """

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
