"""Parts as objects of a bucket."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from itertools import groupby
from typing import TYPE_CHECKING, Any, Literal, cast
from urllib.parse import urlsplit
from uuid import UUID

import obstore
from obstore.exceptions import AlreadyExistsError, BaseError
from obstore.store import ObjectStore, from_url

from camillo_server.kernel.errors import BytesLost, BytesUnavailable, StorageFull
from camillo_server.storage.parts.object_parts import (
    CONTENT_NAME,
    MARKER_NAME,
    PART_NAME,
    TENANT_NAME,
    ObjectStoreError,
    PartName,
    StoredContent,
    content_key,
    tenant_key,
)

if TYPE_CHECKING:
    # In its stubs alone.
    from obstore import ListStream, ObjectMeta
# As many as S3 lists in one answer.
_LIST_PAGE = 1000
# Messages of full stores, and of stores without such a bucket: S3, MinIO, Ceph, Azure.
_FULL = ("507 Insufficient Storage", "<Code>XMinioStorageFull</Code>", "<Code>QuotaExceeded</Code>")
_NO_BUCKET = ("<Code>NoSuchBucket</Code>", "<Code>ContainerNotFound</Code>")
_MAX_LOGGED_CHARACTERS = 500
_logger = logging.getLogger(__name__)
SCHEMES = frozenset({"s3", "s3a", "gs", "az", "azure", "adl", "abfs", "abfss"})
# Options of the HTTP client; all others are the store's own.
CLIENT_OPTIONS = frozenset(
    {
        "allow_http",
        "allow_invalid_certificates",
        "connect_timeout",
        "http1_only",
        "http2_only",
        "pool_idle_timeout",
        "pool_max_idle_per_host",
        "proxy_ca_certificate",
        "proxy_excludes",
        "proxy_url",
        "randomize_addresses",
        "read_timeout",
        "root_certificate",
        "timeout",
        "user_agent",
    }
)
_CLIENT_DEFAULTS = {"connect_timeout": "5s", "timeout": "20s"}
_RETRIES = 3
_MAX_RETRIES = 10
_RETRY_FOR = timedelta(seconds=20)
# Shorter values are no credentials, but parts of words.
_MIN_CREDENTIAL_CHARACTERS = 4


class BucketParts:
    """`PartStore` in a bucket. Cancelling a call ends its request."""

    def __init__(self, store: ObjectStore, prefix: str = "") -> None:
        """`prefix` is empty or ends with a slash."""
        self._store = store
        self._prefix = prefix

    def folder(self, name: str) -> BucketParts:
        return BucketParts(self._store, f"{self._prefix}{name}/")

    async def has_folder(self, name: str) -> bool:
        """True: see `create_folder`."""
        return True

    async def create_folder(self, name: str) -> None:
        """Does nothing: a bucket has no folders, but keys that begin alike."""

    async def marker(self) -> bytes | None:
        with _domain_errors("read"):
            try:
                found = await obstore.get_async(self._store, self._prefix + MARKER_NAME)
                return bytes(await found.bytes_async())
            except FileNotFoundError as error:
                if _mentions(error, _NO_BUCKET):
                    raise
                return None

    async def put_marker(self, data: bytes, *, replace: bool) -> None:
        key = self._prefix + MARKER_NAME
        mode: Literal["overwrite", "create"] = "overwrite" if replace else "create"
        with _domain_errors("write"), suppress(AlreadyExistsError):
            await obstore.put_async(self._store, key, data, use_multipart=False, mode=mode)

    async def put(self, name: PartName, data: bytes) -> None:
        key = self._prefix + name.key()
        with _domain_errors("write"):
            await obstore.put_async(self._store, key, data, use_multipart=False)

    async def get(self, name: PartName, size_limit: int) -> bytes:
        key = self._prefix + name.key()
        with _domain_errors("read"):
            try:
                found = await obstore.get_async(self._store, key)
                if found.meta["size"] <= size_limit:
                    return bytes(await found.bytes_async())
            except FileNotFoundError as error:
                if _mentions(error, _NO_BUCKET):
                    raise
        _logger.warning("part %d of a content is missing, or too long", name.number)
        raise BytesLost

    async def delete_part(self, name: PartName) -> None:
        key = self._prefix + name.key()
        with _domain_errors("delete"), suppress(FileNotFoundError):
            await obstore.delete_async(self._store, key)

    async def delete_content(self, tenant_id: str, content_id: UUID) -> int:
        key = self._prefix + content_key(tenant_id, content_id)
        with _domain_errors("delete"):
            found = await self._listed(key).collect_async()
            if found:
                await obstore.delete_async(self._store, [each["path"] for each in found])
        return len(found)

    async def contents(self, tenant_id: str) -> list[StoredContent]:
        contents: dict[str, StoredContent] = {}
        with _domain_errors("list"):
            async for page in self._listed(self._prefix + tenant_key(tenant_id)):
                # A content's parts may be on several pages, and not side by side where a store does not sort keys.
                for name, parts in groupby(filter(_is_part, page), _content_of):
                    contents[name] = _with_parts(contents.get(name), name, list(parts))
        return list(contents.values())

    async def tenants(self) -> list[str]:
        with _domain_errors("list"):
            found = await obstore.list_with_delimiter_async(self._store, self._prefix or None)
        names = (key.strip("/").split("/")[-1] for key in found["common_prefixes"])
        return sorted(name for name in names if TENANT_NAME.fullmatch(name))

    def _listed(self, key: str) -> ListStream[Sequence[ObjectMeta]]:
        return obstore.list(self._store, key, chunk_size=_LIST_PAGE)


def _is_part(found: ObjectMeta) -> bool:
    _, content, number = ("", "", *found["path"].split("/"))[-3:]
    return bool(CONTENT_NAME.fullmatch(content) and PART_NAME.fullmatch(number))


def _content_of(found: ObjectMeta) -> str:
    return found["path"].split("/")[-2]


def _with_parts(known: StoredContent | None, name: str, parts: list[ObjectMeta]) -> StoredContent:
    newest = max(each["last_modified"] for each in parts)
    size = sum(each["size"] for each in parts)
    if known is None:
        return StoredContent(UUID(hex=name), newest, len(parts), size)
    return replace(
        known,
        newest=max(known.newest, newest),
        parts=known.parts + len(parts),
        bytes=known.bytes + size,
    )


@contextmanager
def _domain_errors(action: str) -> Iterator[None]:
    """Turns errors of the store into those of the domain, and logs their causes."""
    try:
        yield
    except (BaseError, OSError) as error:
        first_line = str(error).split("\n", 1)[0]
        _logger.warning("the object store failed to %s: %s", action, first_line[:_MAX_LOGGED_CHARACTERS])
        is_full = action == "write" and _mentions(error, _FULL)
        raise (StorageFull if is_full else BytesUnavailable)() from error


def _mentions(error: Exception, words: tuple[str, ...]) -> bool:
    return any(word in str(error) for word in words)


def open_bucket(url: str, options: Mapping[str, str]) -> ObjectStore:
    """Does not connect. Raises ObjectStoreError for what is no bucket or no option of it.

    `max_retries` is an option of ours, `timeout` such as `20s` one of the client; the rest is obstore's.
    """
    if urlsplit(url).scheme not in SCHEMES:
        raise ObjectStoreError("artifacts are kept under file:///path, s3://, gs:// or az:// only")
    known = {name.lower(): value for name, value in options.items()}
    retries = _retries(known.pop("max_retries", str(_RETRIES)))
    client = {name: known.pop(name) for name in CLIENT_OPTIONS & known.keys()}
    try:
        return from_url(
            url,
            config=cast(Any, known),
            client_options=cast(Any, _CLIENT_DEFAULTS | client),
            retry_config={"max_retries": retries, "retry_timeout": _RETRY_FOR},
        )
    except (BaseError, ValueError, TypeError) as error:
        # The cause is dropped, since it may contain credentials.
        raise ObjectStoreError(f"cannot use the object store: {_redacted(error, options)}") from None


def _retries(text: str) -> int:
    if not text.isdecimal() or int(text) > _MAX_RETRIES:
        raise ObjectStoreError(f"the object store's max_retries is not from 0 to {_MAX_RETRIES}")
    return int(text)


def _redacted(error: Exception, options: Mapping[str, str]) -> str:
    """The first line of the message, without the values of options."""
    text = str(error).split("\n", 1)[0]
    for value in options.values():
        if len(value) >= _MIN_CREDENTIAL_CHARACTERS:
            text = text.replace(value, "…")
    return text
