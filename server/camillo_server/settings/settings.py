"""The settings of a server: one frozen tree from defaults, a YAML file, the environment and flags.

Later sources win, value by value. Everything is checked at start and nothing is read again later.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, Self

from pydantic import BaseModel, Field, SecretStr, ValidationError, model_validator

from camillo_server.settings.lifecycle import (
    CompactionSettings,
    ContradictionSettings,
    DistillationSettings,
    LifecycleSettings,
    MaskingSettings,
)
from camillo_server.settings.sections import (
    ArtifactSettings,
    ChannelSettings,
    EncryptionSettings,
    KnowledgeSettings,
    QuotaSettings,
    RerankingSettings,
    ServerSettings,
    SpoolSettings,
    TlsSettings,
)
from camillo_server.settings.sources import (
    ANY_PATH,
    EXISTING_FILE,
    PORT,
    POSITIVE_SECONDS,
    POSTGRES_URL,
    SettingsError,
    SettingsSection,
    SourceValues,
    environment_name,
    from_environment,
    from_overrides,
    from_yaml,
    nested,
    validation_problems,
)

__all__ = ["Settings", "SettingsError", "describe_settings", "load_settings"]

# Never printed, neither in errors nor in descriptions.
_SECRET_PATHS = frozenset(
    {
        "database.url",
        "database.owner_url",
        "memory.litellm_api_key",
        "artifacts.store_secret_access_key",
        "encryption.keys",
        "compaction.litellm_api_key",
        "contradictions.litellm_api_key",
        "distillation.litellm_api_key",
        "reranking.api_key",
    }
)

# One for keys that anyone may have invented, one for counting what tenants have.
BACKGROUND_CONNECTIONS = 2


class DatabaseSettings(SettingsSection):
    """Postgres. Without a url, the embedded one under `data_dir`; `owner_url` is the role that migrates, `single_role`
    names one that may serve although it owns the tables."""

    url: POSTGRES_URL | None = None
    owner_url: POSTGRES_URL | None = None
    single_role: str = ""
    pool_min: int = Field(default=2, ge=0)
    pool_max: int = Field(default=8, ge=1)
    connect_timeout_seconds: POSITIVE_SECONDS = 2.0
    statement_timeout_seconds: POSITIVE_SECONDS = 30.0
    # Beyond its time-out, an answer is waited for so long: then Postgres is gone without a word.
    answer_grace_seconds: POSITIVE_SECONDS = 5.0
    idle_in_transaction_timeout_seconds: POSITIVE_SECONDS = 60.0
    keepalive_idle_seconds: int = Field(default=10, ge=1, le=86_400)
    keepalive_interval_seconds: int = Field(default=5, ge=1, le=3_600)
    keepalive_count: int = Field(default=3, ge=1, le=100)
    tcp_user_timeout_seconds: POSITIVE_SECONDS = 15.0
    migrate_at_start: bool = True

    def for_background(self) -> Self:
        """Settings of connections for work that may wait: they take none from callers and are closed when unused."""
        return self.model_copy(update={"pool_min": 0, "pool_max": BACKGROUND_CONNECTIONS})

    @property
    def migration_url(self) -> SecretStr | None:
        return self.owner_url or self.url

    @model_validator(mode="after")
    def _consistent(self) -> Self:
        if self.pool_min > self.pool_max:
            raise ValueError("pool_min must not be greater than pool_max")
        if self.owner_url is not None and self.url is None:
            raise ValueError("owner_url needs url")
        return self


class MemorySettings(SettingsSection):
    """Embedding and scoring. Without `model_dir`, `models` under `data_dir`."""

    embedding_model: Literal["auto", "onnx", "lexical", "random", "litellm"] = "auto"
    embedding_dimensions: int | None = Field(default=None, ge=8, le=4096)
    model_dir: ANY_PATH | None = None
    embedding_threads: int = Field(default=1, ge=1, le=256)
    embed_timeout_seconds: POSITIVE_SECONDS = 2.0
    embedding_cache_size: int = Field(default=10_000, ge=0, le=10_000_000)
    embedding_budget_usd: float | None = Field(default=None, ge=0, le=1_000_000)
    embedding_budget_tokens: int | None = Field(default=None, ge=0, le=10**15)
    embedding_budget_period: Literal["day", "month"] = "day"
    litellm_model: str | None = Field(default=None, min_length=1)
    litellm_api_base: str | None = Field(default=None, pattern=r"^https?://[^/]")
    litellm_api_key: SecretStr | None = None
    litellm_price_per_million_tokens: float | None = Field(default=None, ge=0, le=10_000)
    litellm_batch_texts: int = Field(default=64, ge=1, le=2048)
    litellm_batch_characters: int = Field(default=60_000, ge=1_000, le=10_000_000)
    litellm_concurrency: int = Field(default=4, ge=1, le=256)
    litellm_prefixes: bool = True
    litellm_timeout_seconds: POSITIVE_SECONDS = 10.0
    litellm_retries: int = Field(default=3, ge=0, le=20)
    litellm_breaker_failures: int = Field(default=5, ge=1, le=1_000)
    litellm_breaker_seconds: POSITIVE_SECONDS = 30.0
    time_decay_half_life_hours: float = Field(default=168.0, gt=0)
    tokenizer: Literal["", "cl100k_base", "o200k_base"] = ""
    next_embedding_model: Literal["onnx", "lexical", "random", "litellm"] | None = None
    next_model_dir: ANY_PATH | None = None

    def of_next_model(self) -> Self | None:
        """A copy with the next model in place of the one that serves; None where no next model is configured."""
        if self.next_embedding_model is None:
            return None
        return self.model_copy(
            update={
                "embedding_model": self.next_embedding_model,
                "model_dir": self.next_model_dir or self.model_dir,
            }
        )

    @model_validator(mode="after")
    def _model_of_litellm(self) -> Self:
        for name in ("embedding_model", "next_embedding_model"):
            if getattr(self, name) == "litellm" and self.litellm_model is None:
                raise ValueError(f"{name} litellm needs litellm_model")
        return self


class JobSettings(SettingsSection):
    """Work in the background. Without `enabled`, this server leaves it to others."""

    enabled: bool = True
    concurrency: int = Field(default=2, ge=1, le=64)
    max_attempts: int = Field(default=12, ge=1, le=1000)
    first_retry_seconds: POSITIVE_SECONDS = 1.0
    longest_retry_seconds: POSITIVE_SECONDS = 900.0


class RetrievalSettings(SettingsSection):
    """Scopes in memory. `cache_bytes` is for each process: by default a quarter of the memory, divided among the
    workers; 0 holds none, and Postgres answers. `row_groups`: rows of large scopes are packed beside the tables, from
    which they are loaded faster. `outage_grace_seconds`: how long they answer while Postgres is away."""

    cache_bytes: int | None = Field(default=None, ge=0)
    row_groups: bool = True
    outage_grace_seconds: float = Field(default=300.0, ge=0, le=86_400)


class JwtSettings(SettingsSection):
    """Tokens of one issuer, checked against a local key set. All of issuer, audience and keys, or none."""

    issuer: str | None = Field(default=None, min_length=1)
    audience: str | None = Field(default=None, min_length=1)
    jwks_path: EXISTING_FILE | None = None
    tenant_claim: str = Field(default="tenant", min_length=1)
    agent_claim: str = Field(default="agent", min_length=1)
    role_claim: str = Field(default="role", min_length=1)
    channel_claim: str = Field(default="channel", min_length=1)
    max_sensitivity_claim: str = Field(default="max_sensitivity", min_length=1)
    actors_claim: str = Field(default="actors", min_length=1)
    document_categories_claim: str = Field(default="document_categories", min_length=1)
    spaces_claim: str = Field(default="spaces", min_length=1)
    space_grants: str | None = Field(default=None, max_length=1_000)
    default_role: Literal["reader", "writer"] = "writer"
    leeway_seconds: float = Field(default=30.0, ge=0, le=600)

    @property
    def enabled(self) -> bool:
        return self.jwks_path is not None

    @model_validator(mode="after")
    def _complete(self) -> Self:
        given = [value is not None for value in (self.issuer, self.audience, self.jwks_path)]
        if any(given) and not all(given):
            raise ValueError("issuer, audience and jwks_path must be given together")
        return self


class MtlsSettings(SettingsSection):
    """SPIFFE identities of client certificates. Off without a trust domain. Categories are separated by commas."""

    trust_domain: str | None = Field(default=None, pattern=r"^[a-z0-9._-]{1,255}$")
    path_pattern: str = Field(default="/tenant/{tenant}/agent/{agent}", pattern=r"^/")
    role: Literal["reader", "writer", "tenant_admin"] = "writer"
    channel: Literal["public", "private", "team", "agent"] | None = None
    max_sensitivity: Literal["public", "internal", "confidential"] | None = None
    document_categories: str | None = Field(default=None, pattern=r"^[a-z0-9_-]{1,64}(,[a-z0-9_-]{1,64}){0,15}$")

    @property
    def enabled(self) -> bool:
        return self.trust_domain is not None

    @model_validator(mode="after")
    def _placeholders(self) -> Self:
        if self.path_pattern.count("{tenant}") != 1 or self.path_pattern.count("{agent}") > 1:
            raise ValueError("path_pattern must contain {tenant} once and {agent} at most once")
        # Without an agent the certificate would reach every agent of the tenant.
        if "{agent}" not in self.path_pattern and self.role != "tenant_admin":
            raise ValueError("path_pattern must contain {agent} unless role is tenant_admin")
        return self


class IdentitySettings(SettingsSection):
    """Credentials that are accepted. `outage_grace_seconds`: how long a known key is accepted while the database is
    away. `unsigned_keys`: whether keys of before there were signatures are; by default where the database had some."""

    jwt: JwtSettings = JwtSettings()
    mtls: MtlsSettings = MtlsSettings()
    key_cache_seconds: float = Field(default=5.0, ge=0, le=300)
    outage_grace_seconds: float = Field(default=300.0, ge=0, le=86_400)
    unsigned_keys: bool | None = None
    unknown_keys_per_second: int = Field(default=10, ge=1, le=100_000)


class TelemetrySettings(SettingsSection):
    """Logs, metrics and traces. Without an OTLP endpoint nothing is sent; without a port nothing listens."""

    log_level: Literal["debug", "info", "warning", "error"] = "info"
    log_format: Literal["json", "text"] = "json"
    otlp_endpoint: str | None = Field(default=None, pattern=r"^https?://[^/]")
    trace_ratio: float = Field(default=0.05, ge=0, le=1)
    prometheus_port: PORT | None = None
    prometheus_host: str = Field(default="127.0.0.1", min_length=1)
    service_name: str = Field(default="camillo", min_length=1)


class Settings(SettingsSection):
    """The whole tree."""

    data_dir: ANY_PATH
    server: ServerSettings = ServerSettings()
    tls: TlsSettings = TlsSettings()
    database: DatabaseSettings = DatabaseSettings()
    memory: MemorySettings = MemorySettings()
    retrieval: RetrievalSettings = RetrievalSettings()
    reranking: RerankingSettings = RerankingSettings()
    jobs: JobSettings = JobSettings()
    quotas: QuotaSettings = QuotaSettings()
    spool: SpoolSettings = SpoolSettings()
    artifacts: ArtifactSettings = ArtifactSettings()
    encryption: EncryptionSettings = EncryptionSettings()
    channels: ChannelSettings = ChannelSettings()
    lifecycle: LifecycleSettings = LifecycleSettings()
    compaction: CompactionSettings = CompactionSettings()
    contradictions: ContradictionSettings = ContradictionSettings()
    distillation: DistillationSettings = DistillationSettings()
    knowledge: KnowledgeSettings = KnowledgeSettings()
    masking: MaskingSettings = MaskingSettings()
    identity: IdentitySettings = IdentitySettings()
    telemetry: TelemetrySettings = TelemetrySettings()

    @property
    def model_dir(self) -> Path:
        return self.memory.model_dir or self.data_dir / "models"

    @property
    def spool_dir(self) -> Path:
        return self.spool.directory or self.data_dir / "spool"

    @model_validator(mode="after")
    def _client_certificates(self) -> Self:
        if self.identity.mtls.enabled and self.tls.client_ca_path is None:
            raise ValueError("identity.mtls.trust_domain needs tls.client_ca_path")
        return self

    @model_validator(mode="after")
    def _bounded_spending(self) -> Self:
        """A model that is asked as often as callers like is not paid without a limit."""
        paid = {
            "compaction.litellm_model": self.compaction.litellm_model,
            "contradictions.litellm_model": self.contradictions.litellm_model,
            "distillation.litellm_model": self.distillation.litellm_model,
            "reranking.provider litellm": self.reranking.provider == "litellm",
        }
        limits = (self.memory.embedding_budget_usd, self.memory.embedding_budget_tokens)
        if limits == (None, None) and any(paid.values()):
            name = next(name for name in paid if paid[name])
            raise ValueError(f"{name} needs memory.embedding_budget_usd or memory.embedding_budget_tokens")
        return self


def load_settings(config_path: Path | None, environ: Mapping[str, str], overrides: Mapping[str, object]) -> Settings:
    """Settings from all sources. Overrides are dotted paths; None means not given. Raises SettingsError."""
    known = frozenset(_leaf_paths(Settings))
    path = config_path or (Path(environ["CAMILLO_CONFIG"]) if environ.get("CAMILLO_CONFIG") else None)
    sources = [from_environment(environ, known), from_overrides(overrides, known)]
    if path is not None:
        sources.insert(0, from_yaml(path, known))
    defaults = SourceValues({"data_dir": _default_data_dir(environ)})
    merged = SourceValues.merge([defaults, *sources])
    problems = list(merged.problems)
    try:
        settings = Settings.model_validate(nested(merged.values))
    except ValidationError as error:
        problems += validation_problems(error, merged, _SECRET_PATHS)
    if problems:
        # Raised outside the except clause: the validation error holds the values, passwords among them.
        raise SettingsError(problems)
    return settings


def describe_settings(settings: Settings) -> list[tuple[str, object, str]]:
    """Each setting: its path, its value with secrets masked, the variable that sets it."""
    return [(path, _shown(settings, path), environment_name(path)) for path in _leaf_paths(Settings)]


def _shown(settings: Settings, path: str) -> object:
    value: object = settings
    for name in path.split("."):
        value = getattr(value, name)
    return "********" if path in _SECRET_PATHS and value is not None else value


def _leaf_paths(section: type[BaseModel], prefix: str = "") -> list[str]:
    paths = []
    for name, field in section.model_fields.items():
        nested_section = field.annotation
        if isinstance(nested_section, type) and issubclass(nested_section, BaseModel):
            paths += _leaf_paths(nested_section, f"{prefix}{name}.")
        else:
            paths.append(prefix + name)
    return paths


def _default_data_dir(environ: Mapping[str, str]) -> Path:
    # The specification of XDG_DATA_HOME has relative paths ignored.
    share = Path(environ.get("XDG_DATA_HOME", ""))
    home = environ.get("HOME")
    if not share.is_absolute():
        share = (Path(home) if home else Path.home()) / ".local" / "share"
    return share / "camillo"
