"""JSON of a row: in the clear, or encrypted where it reveals as much as the bytes that it describes."""

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
    """The row that the JSON is of: encrypted for one row, it decrypts in no other."""

    tenant_id: str
    purpose: str
    row_id: str

    def bound_to(self) -> bytes:
        return "\0".join((self.tenant_id, self.row_id)).encode()


class EncryptedJson:
    """Writes and reads the columns `key_id`, `details` and `sealed_details`."""

    def __init__(self, keyring: Keyring) -> None:
        self._keyring = keyring

    def columns(self, value: Json, location: JsonLocation, *, encrypted: bool) -> dict[str, Any]:
        """The parameters of these names. Raises KeyMissing where it is to be encrypted and there is no key."""
        if not encrypted:
            return {"key_id": "", "details": Jsonb(value), "sealed_details": None}
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
        key_id, ciphertext = self._keyring.seal(
            location.tenant_id, location.purpose, text, location.bound_to()
        )
        return {"key_id": key_id, "details": None, "sealed_details": ciphertext}

    def read(self, row: Sequence[Any], location: JsonLocation) -> Json:
        """The value in `details`, `key_id` and `sealed_details`. Raises KeyMissing, BytesLost."""
        details, key_id, ciphertext = row
        if ciphertext is None:
            value: Json = details
            return value
        try:
            text = self._keyring.open(
                key_id, location.tenant_id, location.purpose, bytes(ciphertext), location.bound_to()
            )
        except DecryptionFailed as error:
            logger.warning("the %s of a row are damaged", location.purpose)
            raise BytesLost from error
        decrypted: Json = json.loads(text)
        return decrypted
