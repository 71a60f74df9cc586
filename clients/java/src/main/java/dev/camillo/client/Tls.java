package dev.camillo.client;

import io.grpc.ChannelCredentials;
import io.grpc.TlsChannelCredentials;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * An encrypted connection. Without more, the roots that Java trusts are trusted. Certificates and
 * keys are PEM; a private key is PKCS#8.
 */
public final class Tls {
  private final byte[] roots;
  private final byte[] certificateChain;
  private final byte[] privateKey;
  private final String serverName;

  private Tls(byte[] roots, byte[] certificateChain, byte[] privateKey, String serverName) {
    this.roots = roots;
    this.certificateChain = certificateChain;
    this.privateKey = privateKey;
    this.serverName = serverName;
  }

  /** With the roots that Java trusts. */
  public static Tls standard() {
    return new Tls(null, null, null, "");
  }

  /** Trusts these root certificates alone. */
  public Tls roots(byte[] pem) {
    return new Tls(pem.clone(), certificateChain, privateKey, serverName);
  }

  /** Trusts the root certificates of this file alone. */
  public Tls roots(Path file) {
    return roots(read(file));
  }

  /** Proves who the client is. */
  public Tls identity(byte[] certificateChainPem, byte[] privateKeyPem) {
    return new Tls(roots, certificateChainPem.clone(), privateKeyPem.clone(), serverName);
  }

  /** Proves who the client is, with the PEM of these files. */
  public Tls identity(Path certificateChain, Path privateKey) {
    return identity(read(certificateChain), read(privateKey));
  }

  /** The name in the server's certificate, where it is not that of the address. */
  public Tls serverName(String name) {
    return new Tls(roots, certificateChain, privateKey, name);
  }

  boolean hasIdentity() {
    return certificateChain != null;
  }

  String serverName() {
    return serverName;
  }

  /** Returns what gRPC takes; IllegalArgumentException for what is no PEM. */
  ChannelCredentials credentials() {
    TlsChannelCredentials.Builder credentials = TlsChannelCredentials.newBuilder();
    try {
      if (roots != null) {
        credentials.trustManager(new ByteArrayInputStream(roots));
      }
      if (certificateChain != null) {
        credentials.keyManager(
            new ByteArrayInputStream(certificateChain), new ByteArrayInputStream(privateKey));
      }
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return credentials.build();
  }

  private static byte[] read(Path file) {
    try {
      return Files.readAllBytes(file);
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
