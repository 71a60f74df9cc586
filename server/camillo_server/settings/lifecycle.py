"""Settings of lifetimes, maintenance, compaction, contradictions and masking."""

import json
from typing import Annotated, Literal

from pydantic import Field, SecretStr, field_validator

from camillo_server.settings.sources import POSITIVE_SECONDS, SettingsSection

SPACE_PATTERN = Annotated[
    str,
    Field(
        pattern=r"^(\*|@shared|[A-Za-z0-9][A-Za-z0-9._-]{0,127}|"
        r"(users|projects|teams)(/[A-Za-z0-9][A-Za-z0-9._@|+=~-]{0,127}){0,3}(/\*)?)$",
        max_length=520,
    ),
]
LIFETIME = Field(default=None, gt=0, le=36_500)
Mask = Literal["none", "partial", "full"]
TENANT = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$")]


class LifetimeSettings(SettingsSection):
    """Days after which a memory of a kind is hidden, if neither it nor its caller says otherwise; null is never."""

    fact: float | None = LIFETIME
    preference: float | None = LIFETIME
    conversation: float | None = Field(default=7, gt=0, le=36_500)
    task_outcome: float | None = Field(default=30, gt=0, le=36_500)
    decision: float | None = Field(default=90, gt=0, le=36_500)
    error: float | None = Field(default=14, gt=0, le=36_500)
    instruction: float | None = LIFETIME
    summary: float | None = LIFETIME


class LifecycleSettings(SettingsSection):
    """Maintenance. `weekly_decay`: what is left of the importance of a memory after a week in which nobody retrieved
    it. Without `cron` nothing is maintained but on request, without `vacuum_cron` deleted rows are left to autovacuum.
    `memory_quota` 0 is no bound. `forget_without_plan`: so many memories a writer removes by a filter or a selector
    that was not shown what it would remove. `forget_search_bytes`: so much of the contents of a scope's artifacts is
    searched for a forgotten value. `usage_days` and `usage_spaces`: how long tokens and prices are kept, and of how
    many spaces of each day apart."""

    lifetime_days: LifetimeSettings = LifetimeSettings()
    weekly_decay: float = Field(default=0.95, gt=0, le=1)
    archive_below: float = Field(default=0.1, ge=0, le=1)
    unimportant_below: float = Field(default=0.2, ge=0, le=1)
    unimportant_after_days: float = Field(default=7, ge=0, le=36_500)
    memory_quota: int = Field(default=1_000_000, ge=0, le=100_000_000)
    forget_without_plan: int = Field(default=100, ge=0, le=100_000_000)
    forget_search_bytes: int = Field(default=16 * 1024 * 1024, ge=0, le=1024**4)
    usage_days: int = Field(default=400, ge=1, le=36_500)
    usage_spaces: int = Field(default=1_000, ge=0, le=1_000_000)
    retention_days: float = Field(default=365, gt=0, le=36_500)
    cron: str | None = Field(default="17 * * * *", min_length=9, max_length=100)
    vacuum_cron: str | None = Field(default="47 3 * * 0", min_length=9, max_length=100)

    @field_validator("cron", "vacuum_cron")
    @classmethod
    def _five_fields(cls, cron: str | None) -> str | None:
        if cron is not None and not _is_cron(cron):
            raise ValueError("must be minute, hour, day, month and weekday, as in '17 * * * *'")
        return cron


class ChatModelSettings(SettingsSection):
    """A remote language model. Without prices, those that litellm knows, or a dollar for a million tokens; one price
    is that of requests and answers."""

    litellm_model: str | None = Field(default=None, min_length=1)
    litellm_api_base: str | None = Field(default=None, pattern=r"^https?://[^/]")
    litellm_api_key: SecretStr | None = None
    litellm_timeout_seconds: POSITIVE_SECONDS = 30.0
    usd_per_million_tokens: float | None = Field(default=None, ge=0, le=10_000)
    usd_per_million_output_tokens: float | None = Field(default=None, ge=0, le=10_000)


class CompactionSettings(ChatModelSettings):
    """Putting memories together. Without a model, by the server's rules."""

    tag_threshold: int = Field(default=50, ge=2, le=10_000)
    likeness: float = Field(default=0.92, ge=0.5, le=1)


class ContradictionSettings(ChatModelSettings):
    """The model that judges contradictions. `min_similarity`: what pairs that no rule finds have at least."""

    min_similarity: float = Field(default=0.4, ge=0, le=1)
    pairs_per_request: int = Field(default=8, ge=1, le=16)
    cache_entries: int = Field(default=10_000, ge=0, le=1_000_000)


class DistillationSettings(ChatModelSettings):
    """Memories out of what was said, by a model, in these spaces of each tenant: agents, paths such as projects/shop,
    all below one (users/*), @shared, or all (*). Turns that are older than `max_age_days` are sent on request alone.
    `run_budget_usd` and `run_budget_tokens`: so much one distillation may cost."""

    spaces: dict[TENANT, list[SPACE_PATTERN]] = Field(default_factory=dict)
    review: Literal["auto", "queue"] = "queue"
    idle_minutes: float = Field(default=10, gt=0, le=10_080)
    every_turns: int = Field(default=50, ge=1, le=1_000)
    max_age_days: float = Field(default=7, gt=0, le=36_500)
    run_budget_usd: float | None = Field(default=None, ge=0, le=1_000_000)
    run_budget_tokens: int | None = Field(default=None, ge=0, le=10**12)

    @field_validator("spaces", mode="before")
    @classmethod
    def _from_json(cls, spaces: object) -> object:
        return from_json(spaces, '{"acme": ["users/*", "projects/shop"]}')


class MaskingRules(SettingsSection):
    """The mask for a text of each sensitivity: none, one over personal data, or one over all of it."""

    public: Mask = "none"
    internal: Mask = "none"
    confidential: Mask = "partial"
    restricted: Mask = "full"


class TenantMaskingRules(SettingsSection):
    """Masking rules of one tenant; for a sensitivity that is left out, the default applies."""

    public: Mask | None = None
    internal: Mask | None = None
    confidential: Mask | None = None
    restricted: Mask | None = None


class MaskingSettings(SettingsSection):
    """Masking of recall results that leave through a tool or a trace; `tenants` have rules of their own."""

    default: MaskingRules = MaskingRules()
    tenants: dict[TENANT, TenantMaskingRules] = Field(default_factory=dict)

    @field_validator("tenants", mode="before")
    @classmethod
    def _from_json(cls, tenants: object) -> object:
        return from_json(tenants, '{"acme": {"internal": "partial"}}')


def from_json(value: object, example: str) -> object:
    """The value of a setting: a variable of the environment is a text. Raises ValueError."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except ValueError:
        raise ValueError(f"must be JSON such as {example}") from None


def _is_cron(text: str) -> bool:
    # Imported for who sets one only: it would cost every start.
    from croniter import croniter

    return len(text.split()) == 5 and bool(croniter.is_valid(text))
