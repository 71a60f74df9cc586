"""A model behind litellm that does badly, against a real server on this machine: each way ends as a counted reason."""

from collections import Counter
from collections.abc import Iterator

import pytest
from camillo_server.features.distillation.answers import checked
from camillo_server.features.distillation.statement import Checked, DropReason
from camillo_server.kernel.scope import TrustLevel
from camillo_server.models.embedding.embedder import EmbeddingUnavailable
from camillo_server.models.embedding.litellm import LiteLLMChat
from camillo_server.settings.lifecycle import ChatModelSettings
from pydantic import SecretStr

from tests.cases import each_case
from tests.chat_server import Answer, ChatServer, chat_server, fails, never, says
from tests.distilling_model import (
    invents,
    invents_quote,
    is_cut,
    leaks,
    names_wrong_event,
    names_wrong_memory,
    names_wrong_speaker,
    orders,
    states,
)
from tests.unit.distillation.conversations import passage_of, turn
from tests.unit.embedding.remote import SPACE

# One worker imports the library, which takes three seconds.
pytestmark = pytest.mark.xdist_group("litellm")

TURNS = [
    turn("Ben", "I moved to Lisbon.", 1, trust_level=TrustLevel.AGENT),
    turn("小明", "我住在里斯本。", 2, trust_level=TrustLevel.AGENT),
]


@pytest.fixture
def provider() -> Iterator[ChatServer]:
    with chat_server() as running:
        yield running


def chat(provider: ChatServer, timeout_seconds: float = 10) -> LiteLLMChat:
    settings = ChatModelSettings(
        litellm_model="openai/test",
        litellm_api_base=provider.url,
        litellm_api_key=SecretStr("sk-test"),
        litellm_timeout_seconds=timeout_seconds,
    )
    return LiteLLMChat(settings, 1_000, "distillation")


async def answered(provider: ChatServer, answer: Answer, **options: float) -> Checked:
    """Asks a model that answers so, and checks what it says."""
    provider.always = answer
    passage, asked = passage_of(*TURNS)
    return checked(await chat(provider, **options).complete(asked.messages, SPACE), asked, passage)


async def test_a_model_that_does_well_is_believed(provider: ChatServer) -> None:
    found = await answered(provider, states())
    assert [each.content for each in found.statements] == ["Ben: I moved to Lisbon.", "小明: 我住在里斯本。"]
    assert not found.dropped


@each_case(
    "answer, reason, count",
    [
        (states(invents), DropReason.NOT_IN_QUOTES, 2),
        (states(invents_quote), DropReason.QUOTE_NOT_FOUND, 2),
        (states(names_wrong_speaker), DropReason.WRONG_SPEAKER, 2),
        (states(names_wrong_event), DropReason.UNKNOWN_EVENT, 2),
        (states(names_wrong_memory), DropReason.UNKNOWN_MEMORY, 2),
        (states(orders), DropReason.UNTRUSTED_INSTRUCTION, 2),
        (leaks, DropReason.CANARY, 2),
        (says("I am sorry, but I cannot help with that."), DropReason.MALFORMED, 1),
        (says(""), DropReason.MALFORMED, 1),
        (says('{"statements": [', reason="length"), DropReason.MALFORMED, 1),
    ],
)
async def test_each_way_to_do_badly_is_counted(
    provider: ChatServer, answer: Answer, reason: DropReason, count: int
) -> None:
    assert await answered(provider, answer) == Checked((), Counter({reason: count}))


async def test_a_cut_answer_counts_but_for_its_last_statement(provider: ChatServer) -> None:
    found = await answered(provider, is_cut)
    assert [each.content for each in found.statements] == ["Ben: I moved to Lisbon."]
    assert found.dropped == Counter({DropReason.MALFORMED: 1})


async def test_a_model_that_refuses_or_hangs_states_nothing(provider: ChatServer) -> None:
    with pytest.raises(EmbeddingUnavailable):
        await answered(provider, fails(429))
    with pytest.raises(TimeoutError):
        await answered(provider, never, timeout_seconds=0.2)
    assert (await answered(provider, states())).statements
