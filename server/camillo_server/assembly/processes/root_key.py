"""The root key of an embedded database: in the data directory, for its owner's eyes, found by the command line."""

import asyncio
import os
from pathlib import Path
from uuid import uuid4

from camillo_server.across.admin.store.admin_store import AdminStore
from camillo_server.across.admin.store.tenant_store import TenantStore
from camillo_server.across.admin.tenants import Tenant
from camillo_server.assembly.declared import FORGETTABLES
from camillo_server.doors.identity.key_cache import ApiKey, KeySigner, digest, is_secret
from camillo_server.kernel.clock import SystemClock
from camillo_server.kernel.errors import AlreadyExists
from camillo_server.kernel.ids import KeyId, TenantId
from camillo_server.kernel.scope import Role
from camillo_server.kernel.system import OperatorError
from camillo_server.settings.settings import DatabaseSettings
from camillo_server.storage.change_notifier import ChangeNotifier
from camillo_server.storage.database import Database

ROOT_KEY_FILE = "root.key"
DEFAULT_TENANT = TenantId("default")


class RootKeyError(OperatorError):
    """The key file is not what this server wrote."""


class ForeignKey(Exception):
    """A key that this database has not issued, and does not accept."""


def ensure_root_key(data_dir: Path, server_url: str, *, accepts_unsigned: bool | None = None) -> Path:
    """Makes sure that the file holds a key that works; returns its path. Raises RootKeyError."""
    path = data_dir / ROOT_KEY_FILE
    found = _read(path)
    try:
        secret = asyncio.run(store_root_key(server_url, found, accepts_unsigned=accepts_unsigned))
    except ForeignKey:
        raise RootKeyError(
            f"{path} holds a key that this database has not issued: delete it, and the server makes a new one"
        ) from None
    if found is None:
        # After the database has it: a key that is on disk works.
        _write(path, secret)
    return path


async def store_root_key(server_url: str, secret: str | None = None, *, accepts_unsigned: bool | None = None) -> str:
    """Makes the secret, or a new one, the key of a root of the tenant `default`, which is made if it is missing.
    Returns it. Raises ForeignKey."""
    database = Database(server_url, DatabaseSettings(pool_min=1, pool_max=1, connect_timeout_seconds=5))
    await database.open()
    clock, keys = SystemClock(), TenantStore(database)
    signer = KeySigner(keys, clock, accepts_unsigned=accepts_unsigned)
    try:
        await signer.refresh()
        secret = secret or signer.new_secret()
        if not (signer.accepts_unsigned or signer.is_signed(secret)):
            raise ForeignKey
        if await keys.find(digest(secret)) is not None:
            return secret
        now = clock.now()
        administration = AdminStore(database, ChangeNotifier(server_url), FORGETTABLES)
        try:
            tenant = Tenant(DEFAULT_TENANT, "", now)
            await administration.create_tenant(DEFAULT_TENANT, tenant, None)
        except AlreadyExists:
            pass
        key = ApiKey(
            key_id=KeyId(str(uuid4())),
            tenant_id=DEFAULT_TENANT,
            agent_id=None,
            role=Role.ROOT,
            description="root key",
            created_at=now,
            expires_at=None,
            revoked_at=None,
        )
        await administration.create_key(DEFAULT_TENANT, key, digest(secret), None)
        return secret
    finally:
        await database.close()


def _read(path: Path) -> str | None:
    try:
        secret = path.read_text("ascii").strip()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise RootKeyError(f"cannot read the root key {path}: {error}") from error
    if not is_secret(secret):
        raise RootKeyError(f"{path} does not hold a key: delete it, and the server makes a new one")
    return secret


def _write(path: Path, secret: str) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w") as file:
        file.write(secret + "\n")
