"""Finding values, as the use case asks for it."""

from collections.abc import AsyncGenerator, AsyncIterator

from camillo_server.domain.artifact_range import JsonPart
from camillo_server.json_parts.value_stream import json_value


class StreamedJson:
    """`JsonValues` over bytes as they come."""

    def value(self, blocks: AsyncIterator[bytes], wanted: JsonPart) -> AsyncGenerator[bytes]:
        return json_value(blocks, wanted.pointer, wanted.slice)
