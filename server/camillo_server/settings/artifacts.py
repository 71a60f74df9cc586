"""Settings of artifacts, encryption and channels."""

from typing import Literal, Self

from pydantic import Field, SecretStr, model_validator

from camillo_server.settings.sources import EXISTING_FILE, POSITIVE_SECONDS, SettingsSection

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
