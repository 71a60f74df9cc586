"""A real model over chats: how much of what it states counts. `MODEL` names it as LiteLLM does; `MODEL_API_BASE` and
`MODEL_API_KEY` say where it is."""

import asyncio
import os
from collections import Counter
from collections.abc import Mapping, Sequence

from camillo_server.features.distillation.answers import checked
from camillo_server.features.distillation.prompt import prompt
from camillo_server.features.distillation.selection import passages
from camillo_server.features.distillation.statement import Checked, Passage
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.models.embedding.litellm import LiteLLMChat
from camillo_server.settings.lifecycle import ChatModelSettings
from pydantic import SecretStr

from bench.distillation.extractor import is_verified
from bench.distillation.share import turns_of
from bench.material.chats import Chat
from bench.measure.command import say
from bench.measure.timing import Figure, Figures

TIMEOUT_SECONDS = 300.0
MAX_ANSWER_TOKENS = 8_000
# Passages of each chat: enough to see what a model does, at a price that one looks at before.
PASSAGES = 3


def measure_live(collections: Mapping[str, Sequence[Chat]]) -> Figures:
    """The shares kept and verified of what the model states of the beginning of each chat, and what was dropped."""
    found = asyncio.run(_ask([chat for chats in collections.values() for chat in chats]))
    kept = [(each, passage) for passage, answer in found for each in answer.statements]
    dropped = sum((answer.dropped for _, answer in found), Counter())
    stated = len(kept) + dropped.total()
    return {
        "live_stated": Figure((float(stated),)),
        "live_kept": Figure((len(kept) / max(1, stated),)),
        "live_verified": Figure((sum(is_verified(*each) for each in kept) / max(1, len(kept)),)),
        **{f"live_dropped_{reason.name.lower()}": Figure((float(count),)) for reason, count in dropped.items()},
    }


async def _ask(chats: Sequence[Chat]) -> list[tuple[Passage, Checked]]:
    key = os.environ.get("MODEL_API_KEY")
    settings = ChatModelSettings(
        litellm_model=os.environ["MODEL"],
        litellm_api_base=os.environ.get("MODEL_API_BASE"),
        litellm_api_key=SecretStr(key) if key else None,
        litellm_timeout_seconds=TIMEOUT_SECONDS,
    )
    model = LiteLLMChat(settings, MAX_ANSWER_TOKENS, "distillation")
    scope = Scope(TenantId("default"), AgentId("bench"))
    found: list[tuple[Passage, Checked]] = []
    for chat in chats:
        say(chat.name)
        for passage in passages(turns_of(chat), {}).passages[:PASSAGES]:
            asked = prompt(passage)
            answer = await model.complete(asked.messages, scope)
            found.append((passage, checked(answer, asked, passage)))
    return found
