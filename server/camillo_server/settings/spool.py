"""Settings of the spool: what is acknowledged while Postgres is away."""

from pydantic import Field

from camillo_server.settings.sources import ANY_PATH, SettingsSection

METHODS = ("remember", "record_event", "set_memory", "append_run")
_METHOD = f"({'|'.join(METHODS)})"


class SpoolSettings(SettingsSection):
    """Writes that are acknowledged while Postgres is away. `methods` are separated by commas; without `directory`, `spool`
    under `data_dir`; `max_bytes` is for each process."""

    enabled: bool = True
    methods: str = Field(default=",".join(METHODS), pattern=rf"^{_METHOD}(,{_METHOD})*$")
    directory: ANY_PATH | None = None
    max_bytes: int = Field(default=256 * 1024 * 1024, ge=1024 * 1024, le=1024**4)

    @property
    def spooled_methods(self) -> frozenset[str]:
        """None of them where the spool is not enabled."""
        return frozenset(self.methods.split(",")) if self.enabled else frozenset()
