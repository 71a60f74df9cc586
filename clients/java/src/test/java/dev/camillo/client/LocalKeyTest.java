package dev.camillo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.camillo.client.errors.CamilloError;
import dev.camillo.client.errors.CredentialInvalid;
import dev.camillo.v1.MemoryServiceGrpc;
import dev.camillo.v1.RecallRequest;
import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The key of a server on this machine is found, told where it is from, and sent nowhere else. */
class LocalKeyTest {
  @TempDir private Path directory;
  private ScriptedServer server;

  @BeforeEach
  void start() throws IOException {
    server = new ScriptedServer();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private Path file() {
    return directory.resolve(LocalKey.FILE);
  }

  private CamilloBuilder at(String address) {
    return new CamilloBuilder(Map.of("CAMILLO_DATA_DIR", directory.toString())).address(address);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "localhost:7070",
        "127.1.2.3:1",
        "[::1]:7070",
        "dns:///localhost:1",
        "unix:/run/camillo.sock"
      })
  void itIsForAServerOnThisMachine(String address) throws IOException {
    Files.writeString(file(), "cam_local\n");
    assertEquals("cam_local", at(address).resolvedCaller().key());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "example.org:7070",
        "10.0.0.1:1",
        "[2001:db8::1]:7070",
        "localhost.example.org:1",
        "127.evil.example:7070",
        "dns:///localhost:1@example.org",
        "dns:///example.org#/localhost"
      })
  void itGoesNowhereElse(String address) throws IOException {
    Files.writeString(file(), "cam_local\n");
    assertEquals(new Caller("", "default", ""), at(address).resolvedCaller());
  }

  @Test
  void itIsNotForCallersWhoShowSomethingElse() throws IOException {
    Files.writeString(file(), "cam_local\n");
    Tls proven = Tls.standard().identity(new byte[0], new byte[0]);
    assertEquals("", at("localhost:1").tls(proven).resolvedCaller().key());
    assertEquals("cam_local", at("localhost:1").tls(Tls.standard()).resolvedCaller().key());
    for (String given : List.of("", "k-1")) {
      assertEquals(new Caller(given, "default", ""), at("localhost:1").key(given).resolvedCaller());
    }
    Map<String, String> told =
        Map.of("CAMILLO_DATA_DIR", directory.toString(), "CAMILLO_KEY", "k-2");
    assertEquals(new Caller("k-2", "default", ""), new CamilloBuilder(told).resolvedCaller());
  }

  @Test
  void aServerThatTakesItIsToldIt() throws IOException {
    Files.writeString(file(), "cam_local\n");
    refuse(Refusals.of(Code.NOT_FOUND, "AGENT_NOT_FOUND"));
    assertEquals("refused", failure().message());
    assertEquals("Bearer cam_local", server.header("authorization"));
  }

  @Test
  void oneThatIsWrongIsToldWithItsFile() throws IOException {
    Files.writeString(file(), "cam_local\n");
    assertRefused("the server at " + server.address() + " does not accept the key in " + file());
  }

  @Test
  void oneThatIsMissingIsToldWithItsFile() {
    assertRefused("no key was given, and there is none in " + file());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "\n", "cam local", "k\u00e9y"})
  void oneThatIsNoneIsToldWithItsFile(String content) throws IOException {
    Files.writeString(file(), content);
    assertRefused("no key was given, and " + file() + " holds none");
  }

  @Test
  void oneThatCannotBeReadIsToldWithItsFile() throws IOException {
    Files.createDirectory(file());
    assertRefused("no key was given, and " + file() + " cannot be read: Is a directory");
  }

  @Test
  void aPathThatCannotBeIsToldToo() {
    LocalKey none = LocalKey.find("localhost:1", Map.of("CAMILLO_DATA_DIR", "/srv/\0"));
    assertTrue(none.refusal().startsWith("no key was given, and /srv/"), none.refusal());
  }

  @Test
  void ofAKeyThatWasGivenTheServerSaysWhatIsWrong() {
    refuse(Refusals.of(Code.UNAUTHENTICATED, "CREDENTIAL_INVALID"));
    try (Camillo camillo = at(server.address()).key("k-1").connect()) {
      CamilloError error = assertThrows(CredentialInvalid.class, () -> camillo.recall("tea"));
      assertEquals("refused", error.message());
    }
  }

  @Test
  void bareStubsAndStreamsTellTheFile() {
    refuse(Refusals.of(Code.UNAUTHENTICATED, "CREDENTIAL_INVALID"));
    try (Camillo camillo = at(server.address()).connect()) {
      var stub = MemoryServiceGrpc.newBlockingStub(camillo.channel());
      StatusRuntimeException refused =
          assertThrows(
              StatusRuntimeException.class, () -> stub.recall(RecallRequest.getDefaultInstance()));
      assertTrue(refused.getStatus().getDescription().contains(file().toString()));
      CamilloError watched =
          assertThrows(CredentialInvalid.class, () -> camillo.watch().iterator().next());
      assertTrue(watched.message().contains(file().toString()));
    }
  }

  @Test
  void theDataDirectoryIsThatOfTheUser() {
    Map<String, String> ada = Map.of("HOME", "/home/ada");
    assertEquals(Path.of("/home/ada/.local/share/camillo"), LocalKey.dataDirectory(ada));
    assertEquals(
        Path.of(System.getProperty("user.home"), ".local", "share", "camillo"),
        LocalKey.dataDirectory(Map.of()));
    assertEquals(
        LocalKey.dataDirectory(ada),
        LocalKey.dataDirectory(Map.of("HOME", "/home/ada", "XDG_DATA_HOME", "relative")));
    assertEquals(
        Path.of("/srv/camillo"),
        LocalKey.dataDirectory(Map.of("HOME", "/home/ada", "XDG_DATA_HOME", "/srv")));
    assertEquals(
        Path.of("/srv/mine"),
        LocalKey.dataDirectory(Map.of("XDG_DATA_HOME", "/srv", "CAMILLO_DATA_DIR", "/srv/mine")));
    assertEquals(
        Path.of("/home/ada/mine"),
        LocalKey.dataDirectory(Map.of("HOME", "/home/ada", "CAMILLO_DATA_DIR", "~/mine")));
  }

  @Test
  void whatIsPrintedTellsNoKey() {
    assertFalse(new Caller("k-1", "default", "").toString().contains("k-1"));
    assertFalse(new LocalKey("k-1", "").toString().contains("k-1"));
  }

  private void assertRefused(String told) {
    refuse(Refusals.of(Code.UNAUTHENTICATED, "CREDENTIAL_INVALID"));
    CamilloError error = failure();
    assertEquals(CredentialInvalid.class, error.getClass());
    assertEquals(told, error.message());
    assertEquals("CREDENTIAL_INVALID: " + told, error.getMessage());
  }

  private CamilloError failure() {
    try (Camillo camillo = at(server.address()).connect()) {
      return assertThrows(CamilloError.class, () -> camillo.recall("tea"));
    }
  }

  private void refuse(StatusRuntimeException refusal) {
    server.on(MemoryServiceGrpc.getRecallMethod(), ScriptedServer.broken(refusal));
    server.on(MemoryServiceGrpc.getWatchMemoriesMethod(), ScriptedServer.broken(refusal));
  }
}
