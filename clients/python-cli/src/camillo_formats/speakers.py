"""Names of speakers wherever texts are shown, by the trust levels of the contract."""

_AGENT = 30
UNKNOWN = "unknown"
_SPEAKERS = {0: UNKNOWN, 10: "web", 20: "tool", _AGENT: "agent", 40: "person"}
AGENT_SPEAKS = _SPEAKERS[_AGENT]


def speaker(level: int, *, is_person: bool) -> str:
    """The name of a speaker: `person` is one for whom the credential spoke, `reported person` one whose words an agent
    tells; `unknown` for a level of a later release."""
    if is_person and level == _AGENT:
        return "reported person"
    return _SPEAKERS.get(level, UNKNOWN)
