"""Embedders that need no model and no network: hashed TF-IDF, the floor that always works, and random vectors for
tests.

The features of a text are its index terms and, so that misspelt and derived words meet, the character
n-grams inside them. Each is hashed to a dimension and a sign (Weinberger et al., "Feature Hashing for
Large Scale Multitask Learning", 2009), so nothing is fitted and a vector depends on its text alone.

Without a corpus there is no inverse document frequency. A prior on the term stands in for it: function
words and single letters weigh little, everything else alike. Giving a few hundred further
frequent words a middle weight was measured: worse on dialogue, no better on long answers.
"""

import hashlib
import math
from array import array
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.off_loop import ROW, TimeSlices
from camillo_server.lib.text.index_terms import FUNCTION_TERMS, index_terms, slices_of
from camillo_server.models.embedding.embedder import NOBODY

# The most of which two vectors fit a page of Postgres; 1024 found as much, within the noise.
DEFAULT_DIMENSIONS = 960
DEFAULT_RANDOM_DIMENSIONS = 64

# Part of the model id: raise it with a change after which vectors of before compare no longer; not where texts of some
# languages get more terms (docs/adr/queries-and-readings.md).
_FEATURES_VERSION = 1

_FUNCTION_WEIGHT = 0.2
_SINGLE_LETTER_WEIGHT = 0.3
# The weight of all n-grams of one word together, beside 1 for the word itself.
_NGRAMS_WEIGHT = 0.4
_NGRAM_CHARACTERS = 4
_SHORTEST_WORD_WITH_NGRAMS = 4

_CACHED_TERMS = 32_768
_CACHED_NGRAMS = 32_768
# Texts of so many terms together are added up at once.
_EMBEDDED_AT_ONCE = 1_024
# Text behind this is left out, as a model's tokenizer does: some 1,300 words, which take a millisecond. No stored text
# is longer.
MAX_CHARACTERS = 8_000
_HASHED_AT_ONCE = 32

# Function words of other languages that are no English words. Japanese ones are recognized by their script.
_FOREIGN_FUNCTION_TERMS = frozenset(
    index_terms(
        "aber auf aus dem den der des das ein eine einen einer es für im ist mit nicht oder sich sie und "
        "von wie wir zu zum zur au aux avec ce cette dans du elle est et il ils je la le les leur ou où "
        "par pas que qui sur un une vous como con cuando del el ella en esta este las lo los más muy no "
        "para pero por porque se si sin su sus una y ya che di e ed gli della delle i il nel non per più "
        "sono ao com da do dos em foi mais mas não na nas nos o os quando são sua um uma het een van voor "
        "и в во не на что он она они с со как а то все это к у же вы за бы по ее мне есть нет о из ли"
    )
)
_FUNCTION_TERMS_OF_ALL = FUNCTION_TERMS | _FOREIGN_FUNCTION_TERMS


class LexicalEmbedder:
    """Embeds on the event loop: a short text takes some tens of microseconds."""

    def __init__(self, dimensions: int = DEFAULT_DIMENSIONS) -> None:
        if dimensions < 1:
            raise ValueError("dimensions must be at least 1")
        self.dimensions = dimensions
        self.model_id = f"lexical-{_FEATURES_VERSION}-{dimensions}"
        self._hashed_term = lru_cache(_CACHED_TERMS)(self._hash_term)

    async def embed(
        self, texts: Sequence[str], tenant_id: TenantId = NOBODY, agent_ids: Sequence[AgentId] = ()
    ) -> NDArray[np.float32]:
        counted, slices = list[Mapping[str, int]](), TimeSlices()
        for text in texts:
            counts = Counter[str]()
            for part in slices_of(text[:MAX_CHARACTERS]):
                counts.update(index_terms(part))
                await slices.spend(len(part))
            counted.append(counts)
        return await self.embed_terms(counted)

    async def embed_terms(self, texts: Sequence[Mapping[str, int]]) -> NDArray[np.float32]:
        """The rows that `embed` gives for texts of so many characters as it takes whole, from the counts of their
        terms."""
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        slices, start, terms = TimeSlices(), 0, 0
        for end, counts in enumerate(texts, 1):
            terms += len(counts)
            if terms >= _EMBEDDED_AT_ONCE or end == len(texts):
                rows[start:end] = await self._vectors(texts[start:end], slices)
                start, terms = end, 0
        return rows

    async def embed_query(self, terms: Sequence[str]) -> NDArray[np.float32]:
        """The row that `embed` gives for a text of these terms."""
        counts = dict.fromkeys(terms, 1) if len(set(terms)) == len(terms) else Counter(terms)
        row: NDArray[np.float32] = (await self._vectors([counts]))[0].astype(np.float32)
        return row

    async def close(self) -> None:
        self._hashed_term.cache_clear()

    async def _vectors(
        self, texts: Sequence[Mapping[str, int]], slices: TimeSlices | None = None
    ) -> NDArray[np.float64]:
        """The unit vector of each text, or zeros: shape (texts, dimensions)."""
        slots: list[bytes] = []
        weights: list[bytes] = []
        terms, known, misses = [*chain.from_iterable(texts)], self._hashed_term.cache_info, 0
        if len(terms) > _HASHED_AT_ONCE:
            slices, misses = slices or TimeSlices(), known().misses
        for start in range(0, len(terms), _HASHED_AT_ONCE):
            if start and slices is not None:
                # Counts the terms of the last round that were hashed anew.
                hashed_before, misses = misses, known().misses
                await slices.spend((misses - hashed_before) * ROW)
            hashed = [*map(self._hashed_term, terms[start : start + _HASHED_AT_ONCE])]
            slots += [term_slots for term_slots, _ in hashed]
            weights += [term_weights for _, term_weights in hashed]
        # Joined as bytes: to join many short arrays takes numpy several times as long.
        of_slots, of_weights = np.frombuffer(b"".join(slots), np.intp), np.frombuffer(b"".join(weights))
        features = [len(each) // of_weights.itemsize for each in weights]
        counts = [*chain.from_iterable([each.values() for each in texts])]
        if len(counts) < sum(counts):
            of_weights = of_weights * np.repeat([1 + math.log(count) for count in counts], features)
        if len(texts) > 1:
            rows = np.repeat(np.arange(len(texts)), [*map(len, texts)])
            of_slots = of_slots + np.repeat(rows * self.dimensions, features)
        flat = np.bincount(of_slots, of_weights, len(texts) * self.dimensions)
        # Without any feature, there are whole numbers.
        vectors = np.asarray(flat, np.float64).reshape(len(texts), self.dimensions)
        for vector in vectors:
            # Features of opposite sign may cancel each other out altogether.
            vector /= math.sqrt(vector @ vector) or 1.0
        return vectors

    def _hash_term(self, term: str) -> tuple[bytes, bytes]:
        """The dimensions of a term's features (intp) and their signed weights (float64), as the bytes of arrays."""
        weight, ngrams = _prior_weight(term), _ngrams(term)
        # Shared so that the n-grams of a long word are together no louder than those of a short one.
        ngram_weight = weight * _NGRAMS_WEIGHT / math.sqrt(len(ngrams) or 1)
        # For some ten numbers, Python's own arithmetic takes a third of the time of arrays.
        hashes = [_hash(term), *map(_hash_of_ngram, ngrams)]
        slots = [(each >> 1) % self.dimensions for each in hashes]
        weights = [ngram_weight if each & 1 else -ngram_weight for each in hashes]
        weights[0] = weight if hashes[0] & 1 else -weight
        return array("q", slots).tobytes(), array("d", weights).tobytes()


def _hash(feature: str) -> int:
    """31 evenly spread bits. From the standard library: the hashing of scikit-learn does the same, and takes a
    second and a half to import (docs/adr/packaging.md)."""
    digest = hashlib.blake2b(feature.encode("utf-8", "surrogatepass"), digest_size=4).digest()
    return int.from_bytes(digest, "big") >> 1


# Words share their n-grams: a word that was not seen lately has most of its own in here.
_hash_of_ngram = lru_cache(_CACHED_NGRAMS)(_hash)


def _prior_weight(term: str) -> float:
    """The weight of a term, from the term alone."""
    if term in _FUNCTION_TERMS_OF_ALL or _is_hiragana(term):
        return _FUNCTION_WEIGHT
    return _SINGLE_LETTER_WEIGHT if len(term) == 1 and term.isalpha() else 1.0


def _is_hiragana(term: str) -> bool:
    """Japanese writes particles and endings in hiragana, most words of content with other characters."""
    return all("\u3041" <= character <= "\u309f" for character in term)


def _ngrams(term: str) -> list[str]:
    """The n-grams of a word, its ends marked by a control character, which no term contains."""
    if len(term) < _SHORTEST_WORD_WITH_NGRAMS or not term.isalpha():
        return []
    if term in _FUNCTION_TERMS_OF_ALL:
        return []
    marked = f"\x02{term}\x03"
    starts = range(len(marked) - _NGRAM_CHARACTERS + 1)
    # Apart from whole terms: the n-gram `land` of `island` is not the word `land`.
    return [f"\x01{marked[start : start + _NGRAM_CHARACTERS]}" for start in starts]


class RandomEmbedder:
    """Gives each text a pseudo-random direction, the same on every machine: equal texts are alike, all others are
    not."""

    def __init__(self, dimensions: int = DEFAULT_RANDOM_DIMENSIONS) -> None:
        if dimensions < 1:
            raise ValueError("dimensions must be at least 1")
        self.dimensions = dimensions
        self.model_id = f"random-{dimensions}"

    async def embed(
        self, texts: Sequence[str], tenant_id: TenantId = NOBODY, agent_ids: Sequence[AgentId] = ()
    ) -> NDArray[np.float32]:
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for row, text in enumerate(texts):
            if text.strip():
                rows[row] = self._direction(text)
        return rows

    async def close(self) -> None:
        pass

    def _direction(self, text: str) -> NDArray[np.float64]:
        digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
        vector = np.random.default_rng(int.from_bytes(digest)).standard_normal(self.dimensions)
        return vector / np.linalg.norm(vector)
