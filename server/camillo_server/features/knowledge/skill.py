"""Skills: instructions that an agent loads by name, of one of three levels."""

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import replay_record

# Names that a request, or a recipe, may load whole; and lines of a list of skills in a bundle.
MAX_LOADED, MAX_LISTED = 16, 200
# The maximum number of skills in a level, and of versions of a skill: the oldest versions beyond it are deleted.
MAX_SKILLS, MAX_VERSIONS = 256, 100
# The scope that is notified when global skills change: no tenant has this scope, and every tenant reads global skills.
OF_EVERY_TENANT = Scope(TenantId(""), AgentId(""))


class SkillLevel(enum.IntEnum):
    """Who owns a skill; a skill of a higher level replaces one of a lower level. The numbers are those of the
    contract."""

    GLOBAL = 1
    TENANT = 2
    AGENT = 3


@dataclass(frozen=True, slots=True)
class SkillDraft:
    """A skill as a caller writes it, parsed from its text; `is_data`: nothing in it is taken for an instruction."""

    name: str
    description: str
    text: str
    allowed_tools: Sequence[str]
    front_matter: Mapping[str, Any]
    sha256: bytes
    tokens: int
    is_data: bool
    credential: str = ""


@dataclass(frozen=True, slots=True)
class Skill:
    """A stored skill in one version. `text` is empty where it was not asked for."""

    name: str
    level: SkillLevel
    agent_id: AgentId
    version: int
    updated_at: datetime
    description: str
    allowed_tools: Sequence[str]
    front_matter: Mapping[str, Any]
    sha256: bytes
    tokens: int
    is_data: bool
    text: str = ""

    def says(self, draft: SkillDraft) -> bool:
        """Whether there is nothing to store of the draft: what was data becomes instructions by being put again."""
        is_same = self.sha256 == draft.sha256 and self.description == draft.description
        return is_same and (draft.is_data or not self.is_data)


@dataclass(frozen=True, slots=True)
class SkillsQuery:
    """Skills for a bundle: those of these names with their texts, and the first so many of all by name without."""

    names: tuple[str, ...]
    listed: int


@replay_record
@dataclass(frozen=True, slots=True)
class SkillReplay:
    """The version of a skill that holds what was put, and whether it was there before."""

    version: int
    at: datetime
    is_data: bool
    is_unchanged: bool = False


def level_scope(scope: Scope, level: SkillLevel) -> Scope:
    """The scope that holds the rows of a level, for a caller in a scope."""
    match level:
        case SkillLevel.GLOBAL:
            return OF_EVERY_TENANT
        case SkillLevel.TENANT:
            return Scope(scope.tenant_id, AgentId(""))
        case SkillLevel.AGENT:
            return scope
