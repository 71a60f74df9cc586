"""Decisions as rows: what goes into a statement, what comes out of one."""

from collections.abc import Sequence
from typing import Any

from camillo_server.contents.keyring import Keyring
from camillo_server.domain.channel import Channel
from camillo_server.domain.decisions.decision import (
    Decision,
    DecisionDraft,
    DecisionFilter,
    DecisionId,
    DecisionReach,
    DecisionStatus,
)
from camillo_server.domain.ids import AgentId, TenantId
from camillo_server.domain.memory import Sensitivity
from camillo_server.domain.off_loop import off_loop
from camillo_server.domain.scope import Scope
from camillo_server.storage.rows import scope_parameters
from camillo_server.storage.sealed_json import JsonPlace, SealedJson
from camillo_server.storage.sealed_rows import LEAST_SEALED

Row = Sequence[Any]

PURPOSE = "decision"
# Reading one, most of it decryption and JSON.
DECISION_MICROSECONDS = 30.0


class DecisionRows:
    """Turns decisions into rows and back; what is sensitive is encrypted on the way."""

    def __init__(self, keyring: Keyring) -> None:
        self._sealed = SealedJson(keyring)

    def parameters(self, scope: Scope, decision: Decision) -> dict[str, Any]:
        """Everything that a statement stores of a new decision, but for the revision. Raises KeyMissing."""
        stated = decision.stated
        details = {
            "decision": stated.decision,
            "rationale": list(stated.rationale),
            "constraints": list(stated.constraints),
            "alternatives": list(stated.alternatives),
            "consequences": list(stated.consequences),
        }
        place = _place(scope.tenant_id, scope.agent_id, decision.decision_id)
        return {
            **scope_parameters(scope),
            "decision_id": decision.decision_id,
            "version": decision.version,
            "reach": int(stated.reach),
            "channel": int(stated.channel),
            "sensitivity": int(stated.sensitivity),
            "session_id": stated.session_id,
            "tags": list(stated.tags),
            "refs": list(stated.refs),
            "decided_at": stated.decided_at or decision.created_at,
            "created_at": decision.created_at,
            **self._sealed.columns(details, place, is_sealed=stated.sensitivity >= LEAST_SEALED),
        }

    async def decisions(self, tenant_id: TenantId, rows: Sequence[Row]) -> list[Decision]:
        """The decisions in the columns of the fragment `decision_columns`. Raises KeyMissing, BytesLost."""
        return await off_loop(
            len(rows) * DECISION_MICROSECONDS,
            lambda: [self.decision(tenant_id, row) for row in rows],
        )

    def decision(self, tenant_id: TenantId, row: Row) -> Decision:
        """The decision of one row. Raises KeyMissing, BytesLost."""
        place = _place(tenant_id, row[1], row[0])
        details = self._sealed.read((row[15], row[16], row[17]), place)
        return Decision(
            decision_id=DecisionId(row[0]),
            agent_id=AgentId(row[1]),
            version=row[2],
            status=DecisionStatus(row[3]),
            stated=DecisionDraft(
                decision=details["decision"],
                refs=tuple(row[9]),
                reach=DecisionReach(row[4]),
                rationale=tuple(details["rationale"]),
                constraints=tuple(details["constraints"]),
                alternatives=tuple(details["alternatives"]),
                consequences=tuple(details["consequences"]),
                session_id=row[7],
                channel=Channel(row[5]),
                sensitivity=Sensitivity(row[6]),
                tags=tuple(row[8]),
                decided_at=row[10],
            ),
            created_at=row[11],
            superseded_by=DecisionId(row[12]) if row[12] else None,
            superseded_at=row[13],
            supersedes=tuple(map(DecisionId, row[14])),
        )


def filter_parameters(wanted: DecisionFilter) -> dict[str, Any]:
    """The parameters of the statement `page`, but for scope, cursor and size."""
    return {
        "statuses": [int(status) for status in wanted.statuses],
        "reaches": [int(reach) for reach in wanted.reaches] or None,
        "session_id": wanted.session_id or None,
        "tags_any": list(wanted.tags_any) or None,
        "ref": wanted.ref.lower() or None,
        "sensitivities": [int(level) for level in wanted.sensitivities],
        "is_public": wanted.is_public,
    }


def _place(tenant_id: str, agent_id: str, decision_id: object) -> JsonPlace:
    return JsonPlace(tenant_id, PURPOSE, f"{agent_id}\0{decision_id}")
