"""Base64 that has one text for the same bytes. The decoders of the standard library pass over characters of no
alphabet, and over the bits behind the last byte: so several texts would be one token."""

import base64


def from_base64(text: str) -> bytes | None:
    """The bytes of a text with padding (RFC 4648, 4); None where encoding them gives another text."""
    try:
        decoded = base64.b64decode(text)
    except ValueError:
        return None
    return decoded if base64.b64encode(decoded).decode() == text else None


def from_base64url(text: str) -> bytes | None:
    """The bytes of a text of the URL-safe alphabet without padding (RFC 4648, 5); None where encoding them gives
    another text."""
    try:
        decoded = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except ValueError:
        return None
    return decoded if base64.urlsafe_b64encode(decoded).rstrip(b"=").decode() == text else None
