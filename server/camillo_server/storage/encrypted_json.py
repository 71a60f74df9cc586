"""JSON of a row: in the clear, or encrypted where it reveals as much as the bytes that it describes."""

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from psycopg.types.json import Jsonb

from camillo_server.kernel.errors import BytesLost
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import Scope
from camillo_server.lib.crypto.keyring import DecryptionFailed, Keyring
from camillo_server.storage.statements import scope_parameters

# Rows of this level and above are encrypted.
MIN_ENCRYPTED = Sensitivity.CONFIDENTIAL
Json = Mapping[str, Any]

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class JsonLocation:
    """The row that the JSON is of: encrypted for one row, it decrypts in no other."""

    tenant_id: str
    purpose: str
    row_id: str

    @classmethod
    def in_scope(cls, tenant_id: str, agent_id: str, purpose: str, row_id: object) -> "JsonLocation":
        """The location of a row whose id is unique within its scope."""
        return cls(tenant_id, purpose, f"{agent_id}\0{row_id}")

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
        text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
        key_id, ciphertext = self.encrypt(text, location)
        return {"key_id": key_id, "details": None, "sealed_details": ciphertext}

    def encrypt(self, text: str, location: JsonLocation) -> tuple[str, bytes]:
        """The key's id and the encrypted JSON. Raises KeyMissing."""
        return self._keyring.encrypt(location.tenant_id, location.purpose, text.encode(), location.bound_to())

    def read(self, row: Sequence[Any], location: JsonLocation) -> Json:
        """The value in `details`, `key_id` and `sealed_details`. Raises KeyMissing, BytesLost."""
        details, key_id, ciphertext = row
        if ciphertext is None:
            value: Json = details
            return value
        try:
            text = self._keyring.decrypt(
                key_id, location.tenant_id, location.purpose, bytes(ciphertext), location.bound_to()
            )
        except DecryptionFailed as error:
            logger.warning("the %s of a row are damaged", location.purpose)
            raise BytesLost from error
        decrypted: Json = json.loads(text)
        return decrypted


class _Sensitive(Protocol):
    @property
    def sensitivity(self) -> Sensitivity: ...


Draft = TypeVar("Draft", bound=_Sensitive)


class DraftRows(Generic[Draft]):
    """Writes and reads the part of a record that its caller states: the fields named in `columns` as columns, those
    named in `texts` (texts and lists of texts) as one JSON object, encrypted where the record is sensitive."""

    def __init__(
        self,
        keyring: Keyring,
        draft_type: Callable[..., Draft],
        *,
        purpose: str,
        columns: Mapping[str, Callable[[Any], Any]],
        texts: Sequence[str],
    ) -> None:
        """`columns`: how the value of each column is read."""
        self._json = EncryptedJson(keyring)
        self._draft_type = draft_type
        self._purpose = purpose
        self._columns = columns
        self._texts = texts

    def parameters(self, scope: Scope, row_id: object, draft: Draft) -> dict[str, Any]:
        """The parameters of the columns, and of the scope. Raises KeyMissing."""
        location = JsonLocation.in_scope(scope.tenant_id, scope.agent_id, self._purpose, row_id)
        texts = {name: getattr(draft, name) for name in self._texts}
        return {
            **scope_parameters(scope),
            **{name: _parameter(getattr(draft, name)) for name in self._columns},
            **self._json.columns(texts, location, encrypted=draft.sensitivity >= MIN_ENCRYPTED),
        }

    def draft(self, tenant_id: str, row_id: object, row: Any, **others: Any) -> Draft:
        """The draft in a row; `others` are fields that are in no column. Raises KeyMissing, BytesLost."""
        texts = row.details
        if row.sealed_details is not None:
            location = JsonLocation.in_scope(tenant_id, row.agent_id, self._purpose, row_id)
            texts = self._json.read((None, row.key_id, row.sealed_details), location)
        for name, read in self._columns.items():
            others[name] = read(getattr(row, name))
        for name in self._texts:
            value = texts[name]
            others[name] = tuple(value) if isinstance(value, list) else value
        return self._draft_type(**others)


def _parameter(value: Any) -> Any:
    """The value as psycopg takes it: to it, a tuple is a composite."""
    return list(value) if isinstance(value, tuple) else value
