package dev.camillo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.camillo.client.errors.Unavailable;
import dev.camillo.v1.AdminServiceGrpc;
import dev.camillo.v1.WhoAmIResponse;
import io.grpc.TlsServerCredentials;
import java.io.ByteArrayInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Encrypted connections, and who is trusted. */
class TlsTest {
  private static final String NAME = "camillo.test";
  private static final List<Duration> PAUSES = new ArrayList<>();

  @TempDir static Path directory;
  private static Certificates ofServer;
  private static Certificates ofClient;
  private static ScriptedServer server;

  @BeforeAll
  static void start() throws Exception {
    Process toServer = Certificates.start(NAME, directory);
    Process toClient = Certificates.start("client.test", directory);
    ofServer = Certificates.made(toServer, NAME, directory);
    ofClient = Certificates.made(toClient, "client.test", directory);
    var credentials =
        TlsServerCredentials.newBuilder()
            .keyManager(
                new ByteArrayInputStream(ofServer.certificate()),
                new ByteArrayInputStream(ofServer.key()))
            .trustManager(new ByteArrayInputStream(ofClient.certificate()))
            .clientAuth(TlsServerCredentials.ClientAuth.REQUIRE)
            .build();
    server = new ScriptedServer(credentials, 0);
    server.on(
        AdminServiceGrpc.getWhoAmIMethod(),
        ScriptedServer.messages(WhoAmIResponse.newBuilder().setTenantId("acme").build()));
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  private static String tenant(Tls tls) {
    try (Camillo camillo = server.client(PAUSES).tls(tls).connect()) {
      return camillo.whoAmI().getTenantId();
    }
  }

  @Test
  void bothEndsProveWhoTheyAre() throws Exception {
    Path chain = Files.write(directory.resolve("chain.pem"), ofClient.certificate());
    Path key = Files.write(directory.resolve("key.pem"), ofClient.key());
    Path roots = Files.write(directory.resolve("roots.pem"), ofServer.certificate());
    assertEquals("acme", tenant(Tls.standard().roots(roots).identity(chain, key).serverName(NAME)));
  }

  @Test
  void aServerThatIsNotTrustedIsUnavailable() {
    Tls identified =
        Tls.standard().identity(ofClient.certificate(), ofClient.key()).serverName(NAME);
    assertThrows(Unavailable.class, () -> tenant(identified));
    assertThrows(Unavailable.class, () -> tenant(identified.roots(ofClient.certificate())));
  }

  @Test
  void aServerOfAnotherNameIsUnavailable() {
    Tls tls =
        Tls.standard()
            .roots(ofServer.certificate())
            .identity(ofClient.certificate(), ofClient.key());
    assertThrows(Unavailable.class, () -> tenant(tls));
  }

  @Test
  void aClientThatDoesNotProveItselfIsUnavailable() {
    Tls tls = Tls.standard().roots(ofServer.certificate()).serverName(NAME);
    assertThrows(Unavailable.class, () -> tenant(tls));
  }

  @Test
  void plainTextToAnEncryptedPortIsUnavailable() {
    assertThrows(Unavailable.class, () -> tenant(null));
  }
}
