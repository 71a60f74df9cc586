"""The base class of the sections of the settings, and the types of their fields."""

import re
from pathlib import Path
from typing import Annotated

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    FilePath,
    SecretStr,
)


def _expand_home(value: object) -> object:
    return Path(value).expanduser() if isinstance(value, str) else value


def _postgres_url(value: SecretStr) -> SecretStr:
    if not re.match(r"postgres(ql)?://", value.get_secret_value()):
        raise ValueError("must start with postgresql://")
    return value


ANY_PATH = Annotated[Path, BeforeValidator(_expand_home)]
EXISTING_FILE = Annotated[FilePath, BeforeValidator(_expand_home)]
POSTGRES_URL = Annotated[SecretStr, AfterValidator(_postgres_url)]
POSITIVE_SECONDS = Annotated[float, Field(gt=0, le=86_400)]
PORT = Annotated[int, Field(ge=0, le=65_535)]


class Section(BaseModel):
    """Frozen; knows no other names than its own; its errors quote no values."""

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        allow_inf_nan=False,
        hide_input_in_errors=True,
        protected_namespaces=(),
    )
