"""Claims of tokens and client certificates; and how a credential is refused: the caller learns nothing, the
operator's log learns why."""

import logging
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import IntEnum
from time import monotonic
from typing import Any, NoReturn, TypeVar

from camillo_server.kernel.channel import Channel, ReadLimit
from camillo_server.kernel.errors import CredentialInvalid
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import Principal, Role
from camillo_server.settings.settings import MtlsSettings

Named = TypeVar("Named", bound=IntEnum)
_log = logging.getLogger(__name__)
# Between two lines with the same reason: who guesses keys does not fill the log.
WARN_EVERY_SECONDS = 10.0
_warned_at: dict[str, float] = {}
_unreported = Counter[str]()
_CATEGORY = re.compile(r"[a-z0-9_-]{1,64}")
_MAX_CATEGORIES = 16
MAX_GRANTS = 64
_PLACEHOLDER = re.compile(r"\{([A-Za-z0-9_]{1,64})\}")
_PART = re.compile(r"[A-Za-z0-9][A-Za-z0-9._@|+=~-]{0,127}")
# As FORM_GRANT of the contract.
GRANT = re.compile(
    rf"(users|projects|teams)((/{_PART.pattern}){{1,3}}|(/{_PART.pattern}){{0,2}}/[*]):(read|write|forget)"
)
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")


def refuse(reason: str) -> NoReturn:
    """Raises CredentialInvalid with one message for every reason, which the log has: as a warning once in ten seconds,
    else for debugging.

    The reason never holds any part of the credential: it may be a valid one in the wrong place.
    """
    _unreported[reason] += 1
    now, level = monotonic(), logging.DEBUG
    extra: dict[str, object] = {"reason": reason}
    if now - _warned_at.get(reason, float("-inf")) >= WARN_EVERY_SECONDS:
        _warned_at[reason], level = now, logging.WARNING
        extra["refused_count"] = _unreported.pop(reason)
    _log.log(level, "credential refused", extra=extra)
    raise CredentialInvalid("the credential is missing or not valid")


def claimed_tenant(value: object) -> TenantId:
    """The tenant that a credential names. Raises CredentialInvalid."""
    return TenantId(_claimed_id(value, "tenant"))


def claimed_agent(value: object) -> AgentId:
    """The agent that a credential names. Raises CredentialInvalid."""
    return AgentId(_claimed_id(value, "agent"))


def claimed_limit(channel: object, max_sensitivity: object) -> ReadLimit | None:
    """The read limit of a credential that names a channel or a level, else None. Raises CredentialInvalid."""
    if channel is None and max_sensitivity is None:
        return None
    return ReadLimit(_claimed_name(channel, Channel), _claimed_name(max_sensitivity, Sensitivity))


def claimed_actors(value: object) -> frozenset[str] | None:
    """The actors that a credential claims to speak for; None where it claims nothing. Raises CredentialInvalid."""
    if value is None:
        return None
    if not isinstance(value, list) or not all(isinstance(each, str) for each in value):
        refuse("the actors are not a list of texts")
    return frozenset(value)


def claimed_categories(value: object) -> frozenset[str] | None:
    """The categories of documents that a credential says it reads; None where it says nothing. Raises
    CredentialInvalid."""
    if value is None:
        return None
    # An empty list is refused: what the contract shows of a credential would read as all documents.
    if not isinstance(value, list) or not 1 <= len(value) <= _MAX_CATEGORIES:
        refuse(f"the document categories are not a list of 1 to {_MAX_CATEGORIES}")
    if not all(isinstance(each, str) and _CATEGORY.fullmatch(each) for each in value):
        refuse("a document category is not a name")
    return frozenset(value)


def claimed_spaces(value: object, templates: str | None, claims: Mapping[str, Any]) -> frozenset[str]:
    """The grants that a token claims for other spaces, and those of the settings, where `{sub}` is the claim of this
    name: one part of a path. Without that claim it has no such grant. Raises CredentialInvalid."""
    stated = [] if value is None else value
    if not isinstance(stated, list) or len(stated) > MAX_GRANTS or not all(isinstance(each, str) for each in stated):
        refuse(f"the spaces are not a list of up to {MAX_GRANTS} texts")
    grants = {*stated, *filter(None, (_filled(each.strip(), claims) for each in (templates or "").split(",")))}
    if not all(map(GRANT.fullmatch, grants)):
        refuse("a grant is not the path of a space and :read, :write or :forget")
    return frozenset(grants)


def _filled(template: str, claims: Mapping[str, Any]) -> str | None:
    names = _PLACEHOLDER.findall(template)
    if not all(isinstance(claims.get(name), str) for name in names):
        return None
    # Else a claim with a slash or a star would name another space than the template has room for.
    if not all(_PART.fullmatch(claims[name]) for name in names):
        refuse("a claim cannot be a part of the path of a space")
    return _PLACEHOLDER.sub(lambda found: str(claims[found[1]]), template)


def _claimed_name(value: object, names: type[Named]) -> Named | None:
    if value is None:
        return None
    if not isinstance(value, str) or value.upper() not in names.__members__:
        refuse(f"the claim is not the name of a {names.__name__.lower()}")
    return names[value.upper()]


def _claimed_id(value: object, noun: str) -> str:
    if not isinstance(value, str) or not _ID.fullmatch(value):
        refuse(f"the {noun} is missing or not an id")
    return value


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
