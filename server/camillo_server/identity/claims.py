"""How a credential is refused: the caller learns nothing, the operator's debug log learns why."""

import logging
import re
from typing import NoReturn

from camillo_server.kernel.errors import CredentialInvalid
from camillo_server.kernel.ids import AgentId, TenantId

_log = logging.getLogger(__name__)
_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,127}")


def refuse(reason: str) -> NoReturn:
    """Raises CredentialInvalid with one message for every reason.

    The reason never holds any part of the credential: it may be a valid one in the wrong place.
    """
    _log.debug("credential refused", extra={"reason": reason})
    raise CredentialInvalid("the credential is missing or not valid")


def claimed_tenant(value: object) -> TenantId:
    """The tenant that a credential names. Raises CredentialInvalid."""
    return TenantId(_claimed_id(value, "tenant"))


def claimed_agent(value: object) -> AgentId:
    """The agent that a credential names. Raises CredentialInvalid."""
    return AgentId(_claimed_id(value, "agent"))


def _claimed_id(value: object, noun: str) -> str:
    if not isinstance(value, str) or not _ID.fullmatch(value):
        refuse(f"the {noun} is missing or not an id")
    return value
