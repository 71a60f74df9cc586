"""Attribution: who said a text, by which credential it was stored, and how far it is to be trusted."""

import enum
from typing import NamedTuple

from camillo_server.kernel.scope import ACTOR_TYPES, Principal


class TrustLevel(enum.IntEnum):
    """How far a text is to be trusted, the least first. The numbers are those of the contract."""

    UNKNOWN = 0
    WEB = 10
    TOOL = 20
    AGENT = 30
    USER = 40


TRUST_LEVELS = {int(level): level for level in TrustLevel}
# The levels of actors for whom the credential speaks, in the order of ACTOR_TYPES.
_LEVELS_OF_ACTORS = (TrustLevel.USER, TrustLevel.AGENT, TrustLevel.TOOL, TrustLevel.TOOL)
LEVEL_OF_ACTOR = dict(zip(ACTOR_TYPES, _LEVELS_OF_ACTORS, strict=True))


class Attribution(NamedTuple):
    """The actor is `type:id`, or empty where nobody was named. The fields are those of a memory."""

    trust_level: TrustLevel = TrustLevel.UNKNOWN
    actor: str = ""
    credential: str = ""

    def at_most(self, stated: TrustLevel) -> "Attribution":
        """The attribution with the level that a caller states, if that is lower; unknown states none."""
        return self._replace(trust_level=min(self.trust_level, stated)) if stated else self


UNATTRIBUTED = Attribution()


def may_ask(level: TrustLevel, *, is_person: bool) -> bool:
    """Whether who said something may ask for it to be remembered: a person for whom the credential speaks, or an agent
    on its own behalf. A page, a tool or an unknown source may not, nor an agent in the name of a person."""
    return level is TrustLevel.USER or (level is TrustLevel.AGENT and not is_person)


def level_of(actor_type: str, *, is_verified: bool) -> TrustLevel:
    """The trust level of an actor: at most that of an agent if the credential does not speak for the actor."""
    level = LEVEL_OF_ACTOR[actor_type]
    return level if is_verified else min(level, TrustLevel.AGENT)


def attributed(caller: Principal, actor: str = "") -> Attribution:
    """The attribution to the named actor, or if none is named, to the agent that the caller is bound to. Raises
    ScopeForbidden where the caller may not name the actor."""
    if not actor:
        own = f"agent:{caller.agent_id}" if caller.agent_id else ""
        return Attribution(TrustLevel.AGENT, own, caller.credential)
    actor_type, _, actor_id = actor.partition(":")
    level = level_of(actor_type, is_verified=caller.speaks_for(actor_type, actor_id))
    return Attribution(level, actor, caller.credential)
