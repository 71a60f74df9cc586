"""Settings of the reranker, which reads the best candidates of a recall again."""

from typing import Literal, Self

from pydantic import Field, SecretStr, model_validator

from camillo_server.settings.sources import POSITIVE_SECONDS, SettingsSection


class RerankingSettings(SettingsSection):
    """`model`: with `onnx`, a directory or the name of one in `rerankers` under `data_dir`, without it the first that loads; with
    `litellm`, the library's name of it. `weight`: None for what the model states, or 0.7."""

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
    usd_per_request: float = Field(default=0.002, ge=0, le=100)

    @model_validator(mode="after")
    def _model_of_litellm(self) -> Self:
        if self.provider == "litellm" and self.model is None:
            raise ValueError("provider litellm needs model")
        return self
