"""Puts marks in the place of secrets."""

from camillo_server.domain.redaction import FoundSecret
from camillo_server.redaction.detector import SecretDetector
from camillo_server.redaction.marks import mark


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
            left += mark(secret.kind, secret.end - secret.start)
            end = secret.end
        return left + encoded[end:].decode(), found
