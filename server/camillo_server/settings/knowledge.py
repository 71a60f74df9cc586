"""Settings of what a tenant knows: documents."""

from pydantic import Field

from camillo_server.settings.sources import SettingsSection


class KnowledgeSettings(SettingsSection):
    """How much a document may have: bytes as it is sent, and bytes of the text that is read out of it."""

    max_upload_bytes: int = Field(default=32 * 1024 * 1024, ge=1024, le=1024**3)
    max_text_bytes: int = Field(default=8 * 1024 * 1024, ge=1024, le=64 * 1024 * 1024)
