"""Compactions as rows: what goes into a statement, what comes out of one."""

from typing import Any

from camillo_server.features.compaction.compaction import (
    Compaction,
    CompactionId,
    CompactionReason,
    CompactionState,
    Refusal,
)
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import Scope
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.storage.encrypted_json import MIN_ENCRYPTED, EncryptedJson, JsonLocation
from camillo_server.storage.statements import scope_parameters

PURPOSE = "compaction"


class CompactionRows:
    """Turns compactions into rows and back; what is as sensitive as its sources is encrypted as they are."""

    def __init__(self, keyring: Keyring) -> None:
        self._json = EncryptedJson(keyring)

    def parameters(self, scope: Scope, compaction: Compaction) -> dict[str, Any]:
        """Everything that a statement stores. Raises KeyMissing."""
        details = {
            "content": compaction.content,
            "tag": compaction.tag,
            "lost": list(compaction.lost),
        }
        is_encrypted = compaction.sensitivity >= MIN_ENCRYPTED
        location = _location(scope, compaction.compaction_id)
        return {
            **scope_parameters(scope),
            "compaction_id": compaction.compaction_id,
            "state": int(compaction.state),
            "reason": int(compaction.reason),
            "refusal": int(compaction.refusal or 0),
            "sensitivity": int(compaction.sensitivity),
            "source_ids": list(compaction.source_ids),
            "source_versions": list(compaction.source_versions),
            "memory_id": compaction.memory_id,
            "summary_model_id": compaction.summary_model_id,
            "created_at": compaction.created_at,
            "committed_at": compaction.committed_at,
            **self._json.columns(details, location, encrypted=is_encrypted),
        }

    def compaction(self, scope: Scope, row: Any) -> Compaction:
        """The compaction in a named row of the fragment `compaction_columns`. Raises KeyMissing, BytesLost."""
        columns = (row.details, row.key_id, row.sealed_details)
        details = self._json.read(columns, _location(scope, row.compaction_id))
        state = CompactionState(row.state)
        return Compaction(
            compaction_id=CompactionId(row.compaction_id),
            state=state,
            reason=CompactionReason(row.reason),
            refusal=Refusal(row.refusal) if row.refusal else None,
            sensitivity=Sensitivity(row.sensitivity),
            source_ids=tuple(map(MemoryId, row.source_ids)),
            source_versions=tuple(row.source_versions),
            # A reverted one goes on naming the merged memory, which is gone.
            memory_id=MemoryId(row.memory_id) if state is CompactionState.COMMITTED else None,
            summary_model_id=row.summary_model_id,
            created_at=row.created_at,
            committed_at=row.committed_at,
            reverted_at=row.reverted_at,
            content=details["content"],
            tag=details["tag"],
            lost=tuple(details["lost"]),
        )


def _location(scope: Scope, compaction_id: object) -> JsonLocation:
    return JsonLocation(scope.tenant_id, PURPOSE, f"{scope.agent_id}\0{compaction_id}")
