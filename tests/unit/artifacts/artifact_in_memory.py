"""One artifact in memory, found and changed as in the store."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, TypeVar

from camillo_server.artifacts.artifact import Artifact, ArtifactId
from camillo_server.artifacts.ports import ArtifactReplay, Content, DeletionReplay
from camillo_server.kernel.errors import NotFound
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey, Written

R = TypeVar("R")


@dataclass
class ArtifactInMemory:
    """`ArtifactReader` and `ArtifactWriter` of one artifact that may be gone; repeats are known by their id."""

    artifact: Artifact | None
    content: Content
    answers: dict[str, Written[Any]] = field(default_factory=dict)

    async def find(
        self,
        scope: Scope,
        artifact_id: ArtifactId,
        allowed: Collection[Sensitivity],
        *,
        now: datetime,
    ) -> tuple[Artifact, Content]:
        if self.artifact is None or self.artifact.stated.sensitivity not in allowed:
            raise NotFound("artifact", artifact_id)
        return self.artifact, self.content

    async def first_answer(
        self,
        scope: Scope,
        request: RequestKey | None,
        record_type: type[R],
        *,
        now: datetime,
    ) -> Written[R] | None:
        return None if request is None else self.answers.get(request.request_id)

    async def update(
        self,
        scope: Scope,
        artifact: Artifact,
        expected_version: int,
        replay: ArtifactReplay,
        request: RequestKey | None,
        *,
        stated: Mapping[str, str],
        now: datetime,
    ) -> Written[ArtifactReplay]:
        assert self.artifact is not None
        assert self.artifact.version == expected_version
        self.artifact = artifact
        return self._answered(request, replay)

    async def delete(
        self,
        scope: Scope,
        artifact: Artifact,
        replay: DeletionReplay,
        request: RequestKey | None,
        *,
        now: datetime,
    ) -> Written[DeletionReplay]:
        self.artifact = None
        removed = {"artifacts": 1, "content_parts": 2, "contents": 1}
        return self._answered(request, replace(replay, stores=removed, bytes_deleted=True))

    def _answered(self, request: RequestKey | None, replay: R) -> Written[R]:
        if request is not None:
            self.answers[request.request_id] = Written(1, replay, is_repeat=True)
        return Written(1, replay)
