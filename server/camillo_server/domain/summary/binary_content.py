"""Content that is no text: what little is known of it."""

import re

from camillo_server.domain.content_kind import ContentKind
from camillo_server.domain.summary.recognized import Recognized
from camillo_server.domain.summary.sample import Sample
from camillo_server.domain.summary.shorten import counted

BINARY_MEDIA = re.compile(
    r"(?:image/(?!svg)|video/|audio/|font/)|application/(?:pdf|zip|gzip|x-tar|x-bzip2|x-7z|vnd\.|x-executable|x-sharedlib|wasm|msword)"
)
BINARY_NAMES = re.compile(
    r"(?i)\.(?:png|jpe?g|gif|webp|ico|bmp|tiff?|pdf|zip|gz|tgz|bz2|xz|zst|7z|tar|jar|class|so|dll|exe|o|a|pyc|whl|woff2?|ttf|mp[34]|wav|avi|mov|sqlite3?|db|parquet|npy|npz|pkl|pt|onnx)$"
)
UNDECODED = re.compile(r"[\x00-\x06\x0e-\x1a\x1c-\x1f\ufffd]")


def is_binary(sample: Sample) -> bool:
    """By its media type, its name, or the share of characters that no text has."""
    start = sample.head[:4_096]
    strange = len(UNDECODED.findall(start))
    if strange > 0.1 * len(start) or start.count("\x00") > 2:
        return True
    named = BINARY_MEDIA.match(sample.media_type) or BINARY_NAMES.search(sample.name)
    return (bool(named) and strange > 0) or (bool(named) and not sample.head)


def binary(sample: Sample) -> Recognized:
    """Nothing but its type and size is known."""
    kind = sample.media_type or (
        f"of type {sample.name.rpartition('.')[2]}" if "." in sample.name else ""
    )
    told = f"binary content{', ' + kind if kind else ''}, {counted(sample.size, 'byte')}"
    return Recognized(ContentKind.BINARY, told, (told,))
