"""Short ways to say what most tests of skills do."""

from collections.abc import Awaitable
from typing import Any

from camillo.v1.knowledge_pb2 import Skill
from camillo.v1.knowledge_service_pb2 import (
    DeleteSkillRequest,
    GetSkillRequest,
    ListSkillsRequest,
    PutSkillRequest,
    PutSkillResponse,
)

from tests.server_fixtures import Caller, refused


def skill_text(name: str = "review", body: str = "Read the change twice.", **front_matter: str) -> str:
    """A SKILL.md; further keys of its front matter as YAML."""
    front = {"name": name, "description": f"How to {name}.", **front_matter}
    lines = "".join(f"{key.replace('_', '-')}: {value}\n" for key, value in front.items())
    return f"---\n{lines}---\n\n# {name}\n\n{body}\n"


async def put(caller: Caller, text: str | None = None, **fields: Any) -> PutSkillResponse:
    answer: PutSkillResponse = await caller(PutSkillRequest(text=skill_text() if text is None else text, **fields))
    return answer


async def get(caller: Caller, name: str = "review", **fields: Any) -> Skill:
    skill: Skill = (await caller(GetSkillRequest(name=name, **fields))).skill
    return skill


async def names(caller: Caller, **fields: Any) -> list[str]:
    """The names of the skills of a list, in its order."""
    answer = await caller(ListSkillsRequest(**fields))
    return [skill.name for skill in answer.skills]


async def delete(caller: Caller, name: str = "review", **fields: Any) -> None:
    await caller(DeleteSkillRequest(name=name, **fields))


async def refusal(call: Awaitable[object]) -> tuple[str, str]:
    """The code and the reason for which a call was refused."""
    found = await refused(call)
    return found.code.name, found.reason
