"""Opens a bucket by its URL, with time-outs and bounded retries."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, cast
from urllib.parse import urlsplit

from obstore.exceptions import BaseError
from obstore.store import ObjectStore, from_url

from camillo_server.contents.store_error import ObjectStoreError

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
_RETRIES_AT_MOST = 10
_RETRY_FOR = timedelta(seconds=20)
# Shorter values are no credentials, and parts of words.
_TOLD_APART_FROM = 4


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
        # Without the cause: it may tell credentials.
        raise ObjectStoreError(f"cannot use the object store: {_said(error, options)}") from None


def _retries(given: str) -> int:
    if not given.isdecimal() or int(given) > _RETRIES_AT_MOST:
        raise ObjectStoreError(
            f"the object store's max_retries is not from 0 to {_RETRIES_AT_MOST}"
        )
    return int(given)


def _said(error: Exception, options: Mapping[str, str]) -> str:
    """The first line, without what the options hold."""
    text = str(error).split("\n", 1)[0]
    for value in options.values():
        if len(value) >= _TOLD_APART_FROM:
            text = text.replace(value, "…")
    return text
