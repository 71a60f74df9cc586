"""Views and handoffs as rows: what goes into a statement, what comes out of one."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from psycopg.types.json import Jsonb

from camillo_server.contents.keyring import Keyring
from camillo_server.domain.context.view import Handoff, HandoffPacket, View
from camillo_server.domain.ids import AgentId, TenantId
from camillo_server.domain.memory import Sensitivity
from camillo_server.domain.scope import Scope
from camillo_server.storage.rows import scope_parameters
from camillo_server.storage.sealed_json import JsonPlace, SealedJson
from camillo_server.storage.sealed_rows import LEAST_SEALED

Row = Sequence[Any]

PURPOSE = "view"


class ViewRows:
    """Turns views into rows and back; what is sensitive is encrypted on the way."""

    def __init__(self, keyring: Keyring) -> None:
        self._sealed = SealedJson(keyring)

    def parameters(self, scope: Scope, view: View) -> dict[str, Any]:
        """Everything that a statement stores of a view. Raises KeyMissing."""
        return {
            **scope_parameters(scope),
            "name": view.name,
            "sensitivity": int(view.sensitivity),
            "version": view.version,
            "updated_at": view.updated_at,
            **self._sealed.columns(
                {"text": view.text},
                _place(scope.tenant_id, scope.agent_id, view.name),
                is_sealed=view.sensitivity >= LEAST_SEALED,
            ),
        }

    def view(self, tenant_id: TenantId, row: Row) -> View:
        """The view in the columns of the fragment `view_columns`. Raises KeyMissing, BytesLost."""
        name, agent_id, sensitivity, version, updated_at, *sealed = row
        details = self._sealed.read(sealed, _place(tenant_id, agent_id, name))
        return View(
            name, AgentId(agent_id), details["text"], Sensitivity(sensitivity), version, updated_at
        )


def handoff_parameters(scope: Scope, handoff: Handoff) -> dict[str, Any]:
    """Everything that a statement stores of a handoff, in the scope of the agent that it is for."""
    packet = handoff.packet
    return {
        "tenant_id": scope.tenant_id,
        "agent_id": handoff.to_agent_id,
        "handoff_id": handoff.handoff_id,
        "from_agent_id": handoff.from_agent_id,
        "session_id": handoff.session_id,
        "created_at": handoff.created_at,
        "expires_at": handoff.expires_at,
        "details": Jsonb(
            {
                "text": handoff.text,
                "tokens": handoff.tokens,
                "goal": packet.goal,
                "plan_step": packet.plan_step,
                "note": packet.note,
                "task_ids": [str(task_id) for task_id in packet.task_ids],
                "decision_ids": [str(decision_id) for decision_id in packet.decision_ids],
                "constraints": list(packet.constraints),
            }
        ),
    }


def handoff_from(row: Row) -> Handoff:
    """The handoff in the columns of the fragment `handoff_columns`."""
    handoff_id, from_agent_id, to_agent_id, session_id, created_at, expires_at, details = row
    return Handoff(
        handoff_id=handoff_id,
        from_agent_id=AgentId(from_agent_id),
        to_agent_id=AgentId(to_agent_id),
        session_id=session_id,
        packet=HandoffPacket(
            goal=details["goal"],
            plan_step=details["plan_step"],
            note=details["note"],
            task_ids=tuple(map(UUID, details["task_ids"])),
            decision_ids=tuple(map(UUID, details["decision_ids"])),
            constraints=tuple(details["constraints"]),
        ),
        text=details["text"],
        tokens=details["tokens"],
        created_at=created_at,
        expires_at=expires_at,
    )


def _place(tenant_id: str, agent_id: str, name: str) -> JsonPlace:
    return JsonPlace(tenant_id, PURPOSE, f"{agent_id}\0{name}")
