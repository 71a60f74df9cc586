"""Settings of the ports: gRPC, HTTP, TLS."""

from ipaddress import ip_address
from typing import Self

from pydantic import Field, model_validator

from camillo_server.settings.sources import (
    EXISTING_FILE,
    PORT,
    POSITIVE_SECONDS,
    SettingsSection,
)

_ORIGIN = r"https?://[^,\s/]+"


class ServerSettings(SettingsSection):
    """The gRPC server, and the same by HTTP. Port 0 takes any free one; `http_port` 0 none, and nothing stated the one behind `port`,
    or none where `port` is 0. `http_hosts` and `http_origins` are separated by commas."""

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
