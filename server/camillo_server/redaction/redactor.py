"""Puts marks in the place of secrets."""

from camillo_server.domain.redaction import FoundSecret
from camillo_server.redaction.detector import Secret, SecretDetector


class SecretRedactor:
    """`Redactor` by the rules that come with the server."""

    def __init__(self) -> None:
        self._detector = SecretDetector()

    def redact(self, text: str) -> tuple[str, list[FoundSecret]]:
        encoded = text.encode()
        secrets = self._detector.find(encoded)
        if not secrets:
            return text, []
        left, found, end = "", [], 0
        for secret in secrets:
            left += encoded[end : secret.start].decode()
            found.append(FoundSecret(secret.kind, len(left)))
            left += mark(secret)
            end = secret.end
        return left + encoded[end:].decode(), found


def mark(secret: Secret) -> str:
    """What stands in its place: as much as fits of what there is to say, so that no text grows beyond its limit."""
    length = secret.end - secret.start
    for said in (f"[redacted: {secret.kind}]", "[redacted]"):
        if len(said) <= length:
            return said
    return "*" * length
