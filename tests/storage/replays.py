"""Records of requests, for tests of stores that only keep them."""

from datetime import UTC, datetime
from uuid import UUID

from camillo_server.features.artifacts.artifact import ArtifactId, ArtifactReplay, DeletionReplay
from camillo_server.features.events.event import EventsReplay
from camillo_server.rows.write_records import MemoriesReplay, UpdateReplay

AT = datetime(2030, 1, 1, tzinfo=UTC)
SOME_ID = UUID("01b8dac5-b400-7993-892f-d749574c11dc")

OF_MEMORIES = MemoriesReplay(AT, (), ())
OF_UPDATE = UpdateReplay(2)
OF_EVENTS = EventsReplay(AT, ())
OF_ARTIFACT = ArtifactReplay(ArtifactId("an artifact"))
OF_DELETION = DeletionReplay(SOME_ID, 0, AT, {}, bytes_deleted=False)
