"""The comments of the contract, which descriptors in Python do not have: `make generate` takes them out of proto/."""

import json
import re
from collections.abc import Mapping
from pathlib import Path

FILE = Path(__file__).with_name("comments.json")
# Stands in comments of fields that many requests have, and sends the reader to the comment of the service.
_ELSEWHERE = re.compile(r"See (the service|MemoryService)\.")
_SHARED = {
    "request_id": "Chosen by the client. The same id with the same content within 24 hours returns the first answer "
    "and writes nothing; "
    "with other content it is `REQUEST_ID_REUSED`.",
    "agent_id": "For credentials that reach any agent of the tenant: whose it is; `@shared` means the tenant's shared "
    "scope. Empty: the "
    "agent of the credential, else that of the header `camillo-default-agent`, else `default`.",
    "tenant_id": "Another than the caller's own only with `ROLE_ROOT`. Empty: the caller's own.",
}


class Comments:
    """Comments by full name; a value of an enumeration is named after its enumeration."""

    def __init__(self, texts: Mapping[str, str]) -> None:
        self._texts = texts

    @classmethod
    def load(cls) -> "Comments":
        """Loads the comments of this version."""
        return cls(json.loads(FILE.read_text()))

    def __getitem__(self, name: str) -> str:
        """Raises KeyError for a name that the contract does not have."""
        text, last = self._texts[name], name.rpartition(".")[2]
        return _ELSEWHERE.sub(_SHARED[last], text) if last in _SHARED else text

    def of_choice(self, name: str) -> str:
        """The comment of a oneof; empty if it has none."""
        return self._texts.get(name, "")
