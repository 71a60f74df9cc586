"""Packing of candidates that are new and that are known, and what it would take in another process: `python -m
bench.decisions.packing`.

Another process needs the candidates, and returns the bundle: both are pickled, and read again on the other side. With
them kept there instead, it would need the ids alone, and one index more."""

import pickle
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from uuid import UUID

from camillo_server.across.context.bundle import Candidate, ItemType
from camillo_server.across.context.packing import PackingOrder, pack
from camillo_server.across.context.prepared_texts import PreparedTextCache
from camillo_server.across.context.recipes import built_in_recipes
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.lib.text.tokens import ESTIMATE

from bench.material.texts import Texts

RECIPE = built_in_recipes()["active_context"]
SCOPE = Scope(TenantId("tenant"), AgentId("agent"))
BEGIN = datetime(2026, 1, 1, tzinfo=UTC)
COUNT, ROUNDS, WARM_ROUNDS = 200, 8, 8


def candidates(texts: Sequence[str], first: int) -> list[Candidate]:
    """Passages of events, as a bundle retrieves them."""
    return [
        Candidate(
            ItemType.CHUNK,
            text,
            (str(UUID(int=first + number)), str(UUID(int=1_000_000 + first + number))),
            prefix="2026-01-01 10:00 (agent)",
            score=1 - number / 1_000,
            occurred_at=BEGIN + timedelta(minutes=number),
        )
        for number, text in enumerate(texts)
    ]


def order_of(pool: Sequence[Candidate]) -> PackingOrder:
    pools = {section.name: pool if section.name == "retrieved_evidence" else () for section in RECIPE.sections}
    return PackingOrder(RECIPE, 65_000, pools, "tenant/agent")


def batches(sentences: int) -> Iterator[list[Candidate]]:
    """Candidates of so many sentences each, none of them twice."""
    texts = Texts(5).sentences(COUNT * ROUNDS * sentences)
    for number in range(ROUNDS):
        own = texts[number * COUNT * sentences : (number + 1) * COUNT * sentences]
        joined = [" ".join(own[begin : begin + sentences]) for begin in range(0, len(own), sentences)]
        yield candidates(joined, number * COUNT)


def milliseconds(work: Callable[[], object]) -> float:
    began = time.thread_time()
    work()
    return (time.thread_time() - began) * 1_000


def packed_in(pool: Sequence[Candidate]) -> tuple[float, float]:
    """Milliseconds of packing these for the first time, and at best again."""
    cache, order, took = PreparedTextCache(), order_of(pool), []
    for _ in range(WARM_ROUNDS):
        with cache.of_scopes(SCOPE) as prepared_texts:
            took.append(milliseconds(lambda: pack(order, ESTIMATE, prepared_texts)))
    return took[0], min(took[1:])


def carried_in(pool: Sequence[Candidate]) -> float:
    """Milliseconds of carrying the candidates to another process and the items back, on both sides together."""
    order = order_of(pool)
    packed = pack(order, ESTIMATE)
    shown = [(item.label, item.tokens, item.refs) for section in packed.sections for item in section.items]

    def carry() -> None:
        for each in (order.pools, (packed.prompt, shown)):
            pickle.loads(pickle.dumps(each, pickle.HIGHEST_PROTOCOL))  # noqa: S301

    return min(milliseconds(carry) for _ in range(WARM_ROUNDS))


def main() -> None:
    for sentences in (1, 5):
        pools = [*batches(sentences)]
        packed_in(pools[0])
        new, known = (min(each) for each in zip(*map(packed_in, pools[1:]), strict=True))
        carried = min(map(carried_in, pools[1:]))
        length = sum(len(each.text) for each in pools[0]) // COUNT
        print(f"{COUNT} candidates of {length} characters: {new:.2f} ms new, {known:.2f} ms known;", end=" ")
        print(f"{carried:.2f} ms to carry them to another process and back")


if __name__ == "__main__":
    main()
