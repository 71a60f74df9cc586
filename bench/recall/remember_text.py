"""A durable Remember of a text that the server embeds, against the echo."""

from camillo.v1 import memory_pb2 as pb

from bench.material.texts import Texts
from bench.measure.client import Material, echo_call, remember_call
from bench.measure.recall_rounds import latencies_within, percentiles, rounds_of
from bench.measure.timing import Figure
from bench.recall.calls import Recaller, by_texts, connected
from bench.recall.stage import Stage

AGENT = "remembering"
WARM_UP_CALLS = 100
# Beyond the echo and a commit: what embedding may cost.
ECHOES, MILLISECONDS = 2.5, 1.5


async def measure(stage: Stage) -> dict[str, Figure]:
    """Milliseconds, and the share of the time that the goal allows."""
    options, repeats = stage.options, stage.options.repeats
    async with connected(stage.app.port) as channel:
        secret = stage.app.secret
        calls = {
            "remember_echo": echo_call(channel, secret),
            "remember_text": remember_call(channel, secret, _material(options.known_words), AGENT),
        }
        for call in calls.values():
            await latencies_within(call, WARM_UP_CALLS, options.round_seconds)
        # A scope in use: what is remembered goes into the cache as well.
        question = next(by_texts(AGENT, Texts().queries(1)))
        await Recaller(channel, secret, AGENT).until_warm(question, stage.warm_seconds)
        found = await rounds_of(calls, repeats.rounds, repeats.calls_a_round, options.round_seconds)
    echo, remember = (percentiles(found[name], 50) for name in calls)
    return {
        "remember_echo_p50_ms": echo,
        "remember_text_p50_ms": remember,
        "remember_text_ratio": remember.over(echo),
        "remember_text_of_allowed": remember.over(
            Figure(tuple(ECHOES * each + MILLISECONDS for each in echo.rounds))
        ),
    }


def _material(known_words: tuple[str, ...]) -> Material:
    """Texts without vectors, each another one: no cache of embeddings helps."""
    sentences = Texts(7, known=known_words).sentences(5_000)
    return Material([pb.NewMemory(content=sentence) for sentence in sentences])
