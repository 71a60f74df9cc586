"""UpdateArtifact: change what is said about an artifact."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from camillo_server.domain.artifact import Artifact, ArtifactId
from camillo_server.domain.artifact_ports import ArtifactReplay, ArtifactWriter
from camillo_server.domain.clock import Clock
from camillo_server.domain.draft_redaction import redacted_values
from camillo_server.domain.errors import VersionConflict
from camillo_server.domain.forgetting.stated import OF_ARTIFACTS, stated_in
from camillo_server.domain.get_artifact import GetArtifact
from camillo_server.domain.redaction import Redaction, Redactor
from camillo_server.domain.scope import Scope
from camillo_server.domain.writes import RequestKey


@dataclass(frozen=True, slots=True)
class ArtifactChange:
    """New values by the names of fields of ArtifactDraft, for an artifact of this version."""

    scope: Scope
    artifact_id: ArtifactId
    expected_version: int
    values: Mapping[str, Any]


class UpdateArtifact:
    """Puts new values in the place of fields, their secrets taken out."""

    def __init__(
        self, get: GetArtifact, writer: ArtifactWriter, redactor: Redactor, clock: Clock
    ) -> None:
        self._get = get
        self._writer = writer
        self._redactor = redactor
        self._clock = clock

    async def __call__(
        self, wanted: ArtifactChange, request: RequestKey | None, *, is_operator: bool
    ) -> tuple[Artifact, Sequence[Redaction]]:
        """Of a repeated request, the artifact as it is by now. Raises NotFound, ScopeForbidden, VersionConflict,
        ValueRejected, RequestIdReused, KeyMissing, StorageUnavailable."""
        now = self._clock.now()
        scope, expected_version = wanted.scope, wanted.expected_version
        cleaned, redactions = redacted_values(wanted.values, self._redactor)
        artifact = await self._current(wanted, is_operator=is_operator)
        if await self._writer.first_answer(scope, request, ArtifactReplay, now=now) is not None:
            # Read anew: the first may have ended since.
            return await self._current(wanted, is_operator=is_operator), redactions
        if artifact.version != expected_version:
            raise VersionConflict("artifact", expected_version, artifact.version)
        changed = replace(
            artifact,
            stated=replace(artifact.stated, **cleaned),
            updated_at=now,
            version=expected_version + 1,
        )
        replay = ArtifactReplay(wanted.artifact_id)
        stated = stated_in({name: cleaned[name] for name in OF_ARTIFACTS if name in cleaned})
        written = await self._writer.update(
            scope, changed, expected_version, replay, request, stated=stated, now=now
        )
        if written.is_repeat:
            changed = await self._current(wanted, is_operator=is_operator)
        return changed, redactions

    async def _current(self, wanted: ArtifactChange, *, is_operator: bool) -> Artifact:
        return await self._get.to_change(wanted.scope, wanted.artifact_id, is_operator=is_operator)
