"""GetDecision: one decision by its id."""

from camillo_server.domain.channel import Channel, ChannelPolicy
from camillo_server.domain.decisions.decision import Decision, DecisionId
from camillo_server.domain.decisions.ports import DecisionStore
from camillo_server.domain.errors import NotFound
from camillo_server.domain.events.loading import may_load
from camillo_server.domain.scope import Scope


class GetDecision:
    """Reads a decision that the channel may load, of the agent's own or shared."""

    def __init__(self, store: DecisionStore, policy: ChannelPolicy) -> None:
        self._store = store
        self._policy = policy

    async def __call__(self, scope: Scope, decision_id: DecisionId, channel: Channel) -> Decision:
        """Raises NotFound, KeyMissing, StorageUnavailable."""
        decision = (await self._store.get(scope, [decision_id])).get(decision_id)
        if decision is None or not decision_may_load(self._policy, channel, decision):
            raise NotFound("decision", decision_id)
        return decision


def decision_may_load(policy: ChannelPolicy, channel: Channel, decision: Decision) -> bool:
    """Whether the channel may load it."""
    stated = decision.stated
    return may_load(policy, channel, stated.sensitivity, stated.channel)
