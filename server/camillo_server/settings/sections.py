"""Sections of the settings: ports, quotas, documents, the spool, reranking, artifacts."""

from ipaddress import ip_address
from typing import Literal, Self

from pydantic import Field, SecretStr, model_validator

from camillo_server.settings.sources import (
    ANY_PATH,
    EXISTING_FILE,
    PORT,
    POSITIVE_SECONDS,
    SettingsSection,
)

_ORIGIN = r"https?://[^,\s/]+"


class ServerSettings(SettingsSection):
    """The gRPC server, and the same by HTTP. Port 0 takes any free one; `http_port` 0 none, and nothing stated the one
    behind `port`, or none where `port` is 0. `http_hosts` and `http_origins` are separated by commas."""

    host: str = Field(default="127.0.0.1", min_length=1)
    port: PORT = 7070
    http_port: PORT | None = None
    http_hosts: str = Field(default="", pattern=r"^(\*|[A-Za-z0-9.:\[\]-]+)?(,[A-Za-z0-9.:\[\]-]+)*$")
    http_origins: str = Field(default="", pattern=rf"^(\*|{_ORIGIN}(,{_ORIGIN})*)?$")
    workers: int = Field(default=1, ge=1, le=256)
    max_in_flight: int = Field(default=512, ge=1)
    max_streams: int = Field(default=512, ge=1)
    stream_idle_seconds: POSITIVE_SECONDS = 300.0
    max_connections: int = Field(default=4096, ge=1, le=1_000_000)
    max_connection_age_seconds: float = Field(default=900.0, gt=0, le=1_000_000)
    max_connection_grace_seconds: float = Field(default=3600.0, gt=0, le=1_000_000)
    max_message_bytes: int = Field(default=16 * 1024 * 1024, ge=64 * 1024, le=2**31 - 1)
    max_bytes_in_flight: int = Field(default=256 * 1024 * 1024, ge=64 * 1024)
    leave_seconds: float = Field(default=0.0, ge=0, le=3600)
    drain_seconds: float = Field(default=10.0, ge=0, le=3600)
    default_deadline_seconds: POSITIVE_SECONDS = 30.0
    reflection: bool | None = None
    keepalive_seconds: POSITIVE_SECONDS = 60.0
    idle_exit_seconds: float | None = Field(default=None, gt=0, le=31_536_000)

    @model_validator(mode="after")
    def _idle_in_one_process(self) -> Self:
        if self.idle_exit_seconds is not None and self.workers > 1:
            raise ValueError("idle_exit_seconds needs workers 1")
        return self

    @property
    def http_listens_on(self) -> int:
        """The port for HTTP, 0 for none."""
        if self.http_port is not None:
            return self.http_port
        return self.port + 1 if 0 < self.port < 65_535 else 0

    @property
    def accepted_hosts(self) -> frozenset[str]:
        """The names under which callers by HTTP may reach this server, beside those of this machine; `*` for any."""
        return frozenset(self.http_hosts.lower().split(",")) - {""}

    @property
    def accepted_origins(self) -> frozenset[str]:
        """The origins whose pages may call by HTTP; `*` for any."""
        return frozenset(self.http_origins.split(",")) - {""}

    @property
    def has_reflection(self) -> bool:
        """Whoever reaches the port may ask by reflection: unless it is set, only callers on this machine."""
        return self.is_loopback if self.reflection is None else self.reflection

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine reaches the port."""
        try:
            return self.host == "localhost" or ip_address(self.host.strip("[]")).is_loopback
        except ValueError:
            return False

    @property
    def stop_seconds(self) -> float:
        """The longest time between a signal to stop and the end of the last call."""
        return self.leave_seconds + self.drain_seconds


class TlsSettings(SettingsSection):
    """Server certificate; with `client_ca_path`, callers must show a certificate of that authority."""

    certificate_path: EXISTING_FILE | None = None
    private_key_path: EXISTING_FILE | None = None
    client_ca_path: EXISTING_FILE | None = None

    @property
    def enabled(self) -> bool:
        return self.certificate_path is not None

    @model_validator(mode="after")
    def _complete(self) -> Self:
        if (self.certificate_path is None) != (self.private_key_path is None):
            raise ValueError("certificate_path and private_key_path must be given together")
        if self.client_ca_path is not None and self.certificate_path is None:
            raise ValueError("client_ca_path needs certificate_path and private_key_path")
        return self


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


class KnowledgeSettings(SettingsSection):
    """How much a document may have: bytes as it is sent, and bytes of the text that is read out of it."""

    max_upload_bytes: int = Field(default=32 * 1024 * 1024, ge=1024, le=1024**3)
    max_text_bytes: int = Field(default=8 * 1024 * 1024, ge=1024, le=64 * 1024 * 1024)


METHODS = ("remember", "record_event", "set_memory", "append_run")
_METHOD = f"({'|'.join(METHODS)})"


class SpoolSettings(SettingsSection):
    """Writes that are acknowledged while Postgres is away. `methods` are separated by commas; without `directory`,
    `spool` under `data_dir`; `max_bytes` is for each process."""

    enabled: bool = True
    methods: str = Field(default=",".join(METHODS), pattern=rf"^{_METHOD}(,{_METHOD})*$")
    directory: ANY_PATH | None = None
    max_bytes: int = Field(default=256 * 1024 * 1024, ge=1024 * 1024, le=1024**4)

    @property
    def spooled_methods(self) -> frozenset[str]:
        """None of them where the spool is not enabled."""
        return frozenset(self.methods.split(",")) if self.enabled else frozenset()


class RerankingSettings(SettingsSection):
    """`model`: with `onnx`, a directory or the name of one in `rerankers` under `data_dir`, without it the first that
    loads; with `litellm`, the library's name of it. `weight`: None for what the model states, or 0.7."""

    provider: Literal["none", "onnx", "litellm"] = "none"
    model: str | None = Field(default=None, min_length=1)
    threads: int = Field(default=1, ge=1, le=256)
    candidates: int = Field(default=30, ge=1, le=100)
    budget_ms: int = Field(default=150, ge=1, le=10_000)
    weight: float | None = Field(default=None, ge=0, le=1)
    cache_entries: int = Field(default=50_000, ge=0, le=10_000_000)
    api_base: str | None = Field(default=None, pattern=r"^https?://[^/]")
    api_key: SecretStr | None = None
    timeout_seconds: POSITIVE_SECONDS = 10.0
    usd_per_request: float | None = Field(default=None, ge=0, le=100)

    @model_validator(mode="after")
    def _model_of_litellm(self) -> Self:
        if self.provider == "litellm" and self.model is None:
            raise ValueError("provider litellm needs model")
        return self


Level = Literal["public", "internal", "confidential"]


class ArtifactSettings(SettingsSection):
    """Large outputs. Without `store_url` their bytes are in Postgres.

    `store_url` is `file:///DIRECTORY`, `s3://BUCKET/PREFIX` or another that obstore knows. Settings of the
    store that are left out are taken from its own environment variables, such as AWS_REGION.
    """

    max_bytes: int = Field(default=1024**3, ge=1024, le=1024**4)
    quota_bytes: int | None = Field(default=None, ge=0)
    retention_days: float | None = Field(default=None, gt=0, le=36_500)
    collect_seconds: POSITIVE_SECONDS = 3600.0
    store_url: str | None = Field(default=None, pattern=r"^[a-z0-9]+://")
    store_endpoint: str | None = Field(default=None, pattern=r"^https?://[^/]")
    store_region: str | None = Field(default=None, min_length=1)
    store_access_key_id: str | None = Field(default=None, min_length=1)
    store_secret_access_key: SecretStr | None = None
    store_timeout_seconds: POSITIVE_SECONDS = 20.0


class EncryptionSettings(SettingsSection):
    """Keys for what is encrypted at rest: `id:base64,id:base64`, the first of which encrypts; or a file of such lines.
    Without either, the embedded database gets a key of its own under `data_dir`."""

    keys: SecretStr | None = None
    key_file: EXISTING_FILE | None = None

    @model_validator(mode="after")
    def _one_of_them(self) -> Self:
        if self.keys is not None and self.key_file is not None:
            raise ValueError("keys and key_file must not be given together")
        return self


class ChannelSettings(SettingsSection):
    """The most sensitive level that each channel loads. RESTRICTED is for its own agent's private channel alone."""

    public: Level = "public"
    private: Level = "confidential"
    team: Level = "confidential"
    agent: Level = "internal"
