"""A store that forgets, for tests of storage."""

from camillo_server.across.forgetting.store.forgetting import ForgettingStore
from camillo_server.assembly.declared import FORGETTABLES
from camillo_server.features.artifacts.repeating_artifacts import RepeatingArtifacts
from camillo_server.features.artifacts.store.contents import ContentStore
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.storage.parts.part_codec import PartCodec
from camillo_server.storage.scope_writes import ScopeWrites


def forgetting_store(writes: ScopeWrites, keyring: Keyring) -> ForgettingStore:
    """A forgetting store with contents of artifacts in Postgres."""
    contents = ContentStore(writes.database, PartCodec(keyring), None)
    artifacts = RepeatingArtifacts(writes.database, keyring, contents, 1024 * 1024)
    return ForgettingStore(writes, keyring, FORGETTABLES, artifacts.find)
