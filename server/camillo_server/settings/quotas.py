"""Settings of what each tenant may have."""

from pydantic import Field

from camillo_server.settings.sources import SettingsSection

MAX_WEIGHT = 100


class QuotaSettings(SettingsSection):
    """The quotas and the call rate of each tenant, unless it has bounds of its own; 0 is no bound. `weight`: how
    many turns it has for one of another tenant."""

    memories: int = Field(default=10_000_000, ge=0)
    events: int = Field(default=100_000_000, ge=0)
    agents: int = Field(default=100_000, ge=0)
    keys: int = Field(default=10_000, ge=0)
    tasks: int = Field(default=1_000_000, ge=0)
    handoffs: int = Field(default=1_000_000, ge=0)
    runs: int = Field(default=1_000_000, ge=0)
    slot_versions: int = Field(default=10_000_000, ge=0)
    documents: int = Field(default=100_000, ge=0)
    bytes: int = Field(default=2**40, ge=0)
    calls_per_second: int = Field(default=0, ge=0)
    weight: int = Field(default=1, ge=1, le=MAX_WEIGHT)
