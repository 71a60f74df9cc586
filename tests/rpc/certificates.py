"""An authority for tests, and the certificates that it signs."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

# The clock of the tests' servers is ahead of the machine's.
LIFETIME = timedelta(days=3650)
PEM = serialization.Encoding.PEM


@dataclass(frozen=True, slots=True)
class Certificate:
    """PEM, as files take it."""

    certificate: bytes
    private_key: bytes

    def write(self, directory: Path, name: str) -> tuple[Path, Path]:
        """The files of certificate and key."""
        paths = directory / f"{name}.pem", directory / f"{name}.key"
        paths[0].write_bytes(self.certificate)
        paths[1].write_bytes(self.private_key)
        return paths


class Authority:
    """Signs for any names."""

    def __init__(self) -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = _named("test authority")
        builder = _builder(self._name, self._name, self._key.public_key())
        basic = x509.BasicConstraints(ca=True, path_length=None)
        signed = builder.add_extension(basic, critical=True).sign(self._key, hashes.SHA256())
        self.certificate = signed.public_bytes(PEM)

    def sign(self, *names: str) -> Certificate:
        """A certificate for host names and URIs."""
        return self.sign_for(
            *(x509.UniformResourceIdentifier(name) if "://" in name else x509.DNSName(name) for name in names)
        )

    def sign_for(self, *alternatives: x509.GeneralName) -> Certificate:
        """A certificate for names of any kind."""
        key = ec.generate_private_key(ec.SECP256R1())
        builder = _builder(_named("holder"), self._name, key.public_key())
        builder = builder.add_extension(x509.SubjectAlternativeName(alternatives), critical=False)
        private = key.private_bytes(PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
        return Certificate(builder.sign(self._key, hashes.SHA256()).public_bytes(PEM), private)


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])


def _builder(subject: x509.Name, issuer: x509.Name, key: ec.EllipticCurvePublicKey) -> x509.CertificateBuilder:
    # TLS looks at the machine's clock.
    now = datetime.now(UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + LIFETIME)
    )
