"""Client certificates: a SPIFFE identity is a principal, by trust domain and the pattern of its path."""

import re
from collections.abc import Sequence

from camillo_server.domain.scope import Principal, Role
from camillo_server.identity.refusal import claimed_agent, claimed_tenant, refuse

_SCHEME = "spiffe://"


class SpiffeIdentities:
    """Reads `spiffe://<trust domain>/<path>`, the path as in `/tenant/{tenant}/agent/{agent}`."""

    def __init__(self, trust_domain: str, path_pattern: str, role: Role) -> None:
        if role > Role.TENANT_ADMIN:
            raise ValueError("a certificate does not make its holder root")
        if "{agent}" not in path_pattern and role < Role.TENANT_ADMIN:
            raise ValueError(
                "a pattern without {agent} reaches every agent: only for tenant admins"
            )
        self._pattern = re.compile(
            re.escape(f"{_SCHEME}{trust_domain}") + _path_expression(path_pattern)
        )
        self._role = role

    def principal(self, peer_identities: Sequence[str]) -> Principal:
        """The principal of a verified certificate's alternative names. Raises CredentialInvalid."""
        uris = [name for name in peer_identities if name.startswith(_SCHEME)]
        # The SPIFFE X.509-SVID standard allows exactly one: with two, which speaks would be our choice.
        if len(uris) != 1:
            refuse("the certificate does not hold exactly one SPIFFE identity")
        match = self._pattern.fullmatch(uris[0])
        if match is None:
            refuse("the SPIFFE identity is of another trust domain or path")
        parts = match.groupdict()
        agent_id = claimed_agent(parts["agent"]) if "agent" in parts else None
        return Principal(claimed_tenant(parts["tenant"]), agent_id, self._role)


def _path_expression(path_pattern: str) -> str:
    literal_and_names = re.split(r"(\{tenant\}|\{agent\})", path_pattern)
    return "".join(
        f"(?P<{part[1:-1]}>[^/]+)" if part in ("{tenant}", "{agent}") else re.escape(part)
        for part in literal_and_names
    )
