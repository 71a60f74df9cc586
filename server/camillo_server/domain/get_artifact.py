"""GetArtifact: what is known of one artifact."""

from dataclasses import dataclass

from camillo_server.domain.artifact import Artifact, ArtifactId
from camillo_server.domain.artifact_ports import ArtifactReader, Content
from camillo_server.domain.channel import Channel, ChannelPolicy
from camillo_server.domain.clock import Clock
from camillo_server.domain.errors import ScopeForbidden
from camillo_server.domain.scope import Scope


@dataclass(frozen=True, slots=True)
class ArtifactAsked:
    """Which artifact is asked for, by whom, and where it will be shown."""

    scope: Scope
    artifact_id: ArtifactId
    channel: Channel = Channel.PRIVATE


class GetArtifact:
    """Finds an artifact of the scope, or of the tenant's shared scope, that the channel may load."""

    def __init__(self, reader: ArtifactReader, policy: ChannelPolicy, clock: Clock) -> None:
        self._reader = reader
        self._policy = policy
        self._clock = clock

    async def __call__(self, asked: ArtifactAsked) -> Artifact:
        """Raises NotFound, KeyMissing, StorageUnavailable."""
        artifact, _ = await self.found(asked)
        return artifact

    async def to_change(
        self, scope: Scope, artifact_id: ArtifactId, *, is_operator: bool
    ) -> Artifact:
        """One that the caller may change or delete: any of its own scope, of the shared scope what it put there.
        Raises ScopeForbidden too."""
        artifact = await self(ArtifactAsked(scope, artifact_id))
        if not (is_operator or artifact.created_by == scope.agent_id):
            raise ScopeForbidden("the artifact was put there by another agent")
        return artifact

    async def found(self, asked: ArtifactAsked) -> tuple[Artifact, Content]:
        """The same, and where its bytes are."""
        return await self._reader.find(
            asked.scope,
            asked.artifact_id,
            self._policy.allowed(asked.channel),
            now=self._clock.now(),
        )
