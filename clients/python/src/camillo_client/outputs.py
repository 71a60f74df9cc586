"""Outputs of tools: their bytes, and the text that is put before a model in their place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import BinaryIO

from camillo.v1.artifact_pb2 import Artifact, ArtifactPreview
from camillo.v1.artifact_service_pb2 import GetArtifactResponse, OffloadOutputResponse

# In one message; what is longer is sent as a stream.
MAX_MESSAGE_OUTPUT_BYTES = 3 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class Offloaded:
    """An output after offloading; `artifact` is None where the output was short and is in `text` itself."""

    # To be put before the model.
    text: str
    artifact: Artifact | None
    response: OffloadOutputResponse


def output_bytes(output: str | bytes) -> bytes:
    """The bytes of an output; bytes that Python could not decode come back as they were."""
    if not isinstance(output, str):
        return bytes(output)
    try:
        return output.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return output.encode("utf-8", "replace")


def message_bytes(output: str | bytes | BinaryIO) -> bytes | None:
    """The bytes of an output that fits in one message; None if it is longer. The position of a file stays as it is."""
    if isinstance(output, str | bytes):
        data = output_bytes(output)
    else:
        origin = output.tell()
        data = output.read(MAX_MESSAGE_OUTPUT_BYTES + 1)
        output.seek(origin)
    return data if len(data) <= MAX_MESSAGE_OUTPUT_BYTES else None


def checked_output(output: object) -> str | bytes:
    """The output of a tool; TypeError for anything but text or bytes."""
    if not isinstance(output, str | bytes):
        raise TypeError(f"a tool returns text or bytes here, not {type(output).__name__}")
    return output


def offloaded(response: OffloadOutputResponse) -> Offloaded:
    """The server's answer as an Offloaded."""
    artifact = response.artifact if response.HasField("artifact") else None
    return Offloaded(response.text, artifact, response)


def kept(known: GetArtifactResponse) -> Offloaded:
    """An artifact that was sent as a stream, as an Offloaded."""
    return offloaded(
        OffloadOutputResponse(
            artifact=known.artifact,
            text=text_for_model(known.artifact, known.preview),
            preview=known.preview,
            redactions=known.redactions,
        )
    )


def empty() -> Offloaded:
    """An output without bytes, about which the server is not called."""
    return Offloaded("", None, OffloadOutputResponse(inline=""))


def text_for_model(artifact: Artifact, preview: ArtifactPreview) -> str:
    """Ref, summary and preview, as far as they exist."""
    parts = [
        artifact.memory_ref,
        artifact.summary,
        preview.head and f"--- head\n{preview.head}",
        preview.tail and f"--- tail\n{preview.tail}",
    ]
    return "\n".join(part.rstrip("\n") for part in parts if part)
