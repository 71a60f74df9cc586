"""Client certificates: a SPIFFE identity is a principal, by trust domain and the pattern of its path."""

import re
from collections.abc import Sequence
from datetime import datetime

from camillo_server.doors.identity.claims import (
    claimed_agent,
    claimed_categories,
    claimed_limit,
    claimed_tenant,
    refuse,
)
from camillo_server.kernel.scope import Principal, Role
from camillo_server.settings.settings import MtlsSettings

_SCHEME = "spiffe://"


class SpiffeIdentities:
    """Reads `spiffe://<trust domain>/<path>`, the path as in `/tenant/{tenant}/agent/{agent}`."""

    def __init__(self, settings: MtlsSettings) -> None:
        """Raises ValueError where the settings name no trust domain."""
        if settings.trust_domain is None:
            raise ValueError("trust_domain is needed")
        self._pattern = re.compile(
            re.escape(f"{_SCHEME}{settings.trust_domain}") + _path_expression(settings.path_pattern)
        )
        # Root is no role of the settings: whoever runs the authority does not thereby run the server.
        self._role = Role[settings.role.upper()]
        self._read_limit = claimed_limit(settings.channel, settings.max_sensitivity)
        categories = settings.document_categories
        self._document_categories = claimed_categories(categories and categories.split(","))

    def principal(self, uris: Sequence[str], ends: datetime | None = None) -> Principal:
        """The principal of a verified certificate with these URIs, which ends with it. Raises CredentialInvalid."""
        uris = [uri for uri in uris if uri.startswith(_SCHEME)]
        # The SPIFFE X.509-SVID standard allows exactly one: with two, which speaks would be our choice.
        if len(uris) != 1:
            refuse("the certificate does not hold exactly one SPIFFE identity")
        match = self._pattern.fullmatch(uris[0])
        if match is None:
            refuse("the SPIFFE identity is of another trust domain or path")
        parts = match.groupdict()
        agent_id = claimed_agent(parts["agent"]) if "agent" in parts else None
        return Principal(
            claimed_tenant(parts["tenant"]),
            agent_id,
            self._role,
            expires_at=ends,
            read_limit=self._read_limit,
            document_categories=self._document_categories,
            subject=uris[0],
        )


def _path_expression(path_pattern: str) -> str:
    literal_and_names = re.split(r"(\{tenant\}|\{agent\})", path_pattern)
    return "".join(
        f"(?P<{part[1:-1]}>[^/]+)" if part in ("{tenant}", "{agent}") else re.escape(part) for part in literal_and_names
    )
