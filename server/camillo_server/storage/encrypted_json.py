"""JSON of a row: as it is, or encrypted where what it tells is as secret as the bytes it is about."""

import json
import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from psycopg.types.json import Jsonb

from camillo_server.crypto.keyring import DecryptionFailed, Keyring
from camillo_server.kernel.errors import BytesLost

Json = Mapping[str, Any]

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class JsonLocation:
    """Which row's: what is sealed for one opens in no other."""

    tenant_id: str
    purpose: str
    row_id: str

    def bound_to(self) -> bytes:
        return "\0".join((self.tenant_id, self.row_id)).encode()


class EncryptedJson:
    """Writes and reads the columns `key_id`, `details` and `sealed_details`."""

    def __init__(self, keyring: Keyring) -> None:
        self._keyring = keyring

    def columns(self, value: Json, place: JsonLocation, *, is_sealed: bool) -> dict[str, Any]:
        """The parameters of these names. Raises KeyMissing where it shall be sealed and there is no key."""
        if not is_sealed:
            return {"key_id": "", "details": Jsonb(value), "sealed_details": None}
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
        key_id, sealed = self._keyring.seal(place.tenant_id, place.purpose, text, place.bound_to())
        return {"key_id": key_id, "details": None, "sealed_details": sealed}

    def read(self, row: Sequence[Any], place: JsonLocation) -> Json:
        """The value in `details`, `key_id` and `sealed_details`. Raises KeyMissing, BytesLost."""
        details, key_id, sealed = row
        if sealed is None:
            value: Json = details
            return value
        try:
            text = self._keyring.open(
                key_id, place.tenant_id, place.purpose, bytes(sealed), place.bound_to()
            )
        except DecryptionFailed as error:
            logger.warning("the %s of a row are damaged", place.purpose)
            raise BytesLost from error
        opened: Json = json.loads(text)
        return opened
