package dev.camillo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.camillo.client.errors.CamilloError;
import dev.camillo.client.errors.DeadlineExceeded;
import dev.camillo.client.errors.MethodUnknown;
import dev.camillo.client.errors.Overloaded;
import dev.camillo.client.errors.QuotaExceeded;
import dev.camillo.client.errors.ResourceExhausted;
import dev.camillo.client.errors.Unavailable;
import dev.camillo.v1.AdminServiceGrpc;
import dev.camillo.v1.CreateAgentRequest;
import dev.camillo.v1.CreateAgentResponse;
import dev.camillo.v1.CreateKeyRequest;
import dev.camillo.v1.CreateKeyResponse;
import dev.camillo.v1.GetMemoryRequest;
import dev.camillo.v1.GetMemoryResponse;
import dev.camillo.v1.GetUsageRequest;
import dev.camillo.v1.GetUsageResponse;
import dev.camillo.v1.LifecycleServiceGrpc;
import dev.camillo.v1.Memory;
import dev.camillo.v1.MemoryServiceGrpc;
import dev.camillo.v1.RememberRequest;
import dev.camillo.v1.RememberResponse;
import io.grpc.InsecureServerCredentials;
import io.grpc.Status.Code;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Holds what every call with one answer has. */
class UnaryCallsTest {
  private static final ScriptedServer.Reply REMEMBERED =
      ScriptedServer.answer(
          (RememberRequest request) ->
              RememberResponse.newBuilder()
                  .setMemory(Memory.newBuilder().setContent(request.getMemory().getContent()))
                  .build());
  private static final ScriptedServer.Reply UNAVAILABLE =
      ScriptedServer.broken(Refusals.UNAVAILABLE);

  private final List<Duration> pauses = new ArrayList<>();
  private ScriptedServer server;
  private Camillo camillo;

  @BeforeEach
  void connect() throws IOException {
    server = new ScriptedServer();
    camillo = server.client(pauses).agentId("ada").connect();
    server.on(MemoryServiceGrpc.getRememberMethod(), REMEMBERED);
  }

  @AfterEach
  void close() {
    camillo.close();
    server.close();
  }

  @Test
  void callsCarryTheKeyAndTheDigestOfTheirScope() {
    camillo.remember("tea");
    assertEquals("Bearer k-1", server.header("authorization"));
    // The first digits of the SHA-256 of the key, a zero byte and the agent.
    assertEquals(Headers.scope("k-1", "ada"), server.header("camillo-scope"));
    assertEquals(16, server.header("camillo-scope").length());
    camillo.forAgent("bob").remember("tea");
    assertEquals(Headers.scope("k-1", "bob"), server.header("camillo-scope"));
  }

  @Test
  void withoutAKeyThereIsNoCredential() {
    try (Camillo nobody = server.client(pauses).key(" \n").connect()) {
      nobody.remember("tea");
    }
    assertNull(server.header("authorization"));
    assertEquals(Headers.scope("", ""), server.header("camillo-scope"));
    assertEquals("6e340b9cffb37a98", server.header("camillo-scope"));
  }

  @Test
  void anEmptyAgentAndRequestIdAreFilledIn() {
    camillo.remember("tea");
    RememberRequest request = server.of(RememberRequest.class).get(0);
    assertEquals("ada", request.getAgentId());
    assertTrue(request.getRequestId().matches("[0-9a-f]{32}"));
  }

  @Test
  void whatTheCallerNamesStays() {
    RememberRequest request =
        RememberRequest.newBuilder().setAgentId("bob").setRequestId("r-1").build();
    camillo.call(MemoryServiceGrpc.getRememberMethod(), request);
    assertEquals(request, server.of(RememberRequest.class).get(0));
    assertEquals(Headers.scope("k-1", "bob"), server.header("camillo-scope"));
  }

  @Test
  void anAgentIsNotFilledInWhereItWouldMeanSomethingElse() {
    server.on(
        AdminServiceGrpc.getCreateKeyMethod(),
        ScriptedServer.messages(CreateKeyResponse.getDefaultInstance()));
    server.on(
        AdminServiceGrpc.getCreateAgentMethod(),
        ScriptedServer.messages(CreateAgentResponse.getDefaultInstance()));
    server.on(
        LifecycleServiceGrpc.getGetUsageMethod(),
        ScriptedServer.messages(GetUsageResponse.getDefaultInstance()));
    camillo.call(
        AdminServiceGrpc.getCreateKeyMethod(),
        CreateKeyRequest.newBuilder().setAnyAgent(true).build());
    camillo.call(AdminServiceGrpc.getCreateAgentMethod(), CreateAgentRequest.getDefaultInstance());
    camillo.call(
        LifecycleServiceGrpc.getGetUsageMethod(),
        GetUsageRequest.newBuilder().setAllScopes(true).build());
    assertTrue(server.of(CreateKeyRequest.class).get(0).getAnyAgent());
    assertEquals("", server.of(CreateAgentRequest.class).get(0).getAgentId());
    assertEquals("", server.of(GetUsageRequest.class).get(0).getAgentId());
  }

  @Test
  void whileTheServerIsUnavailableACallIsRepeatedWithItsRequestId() {
    server.on(MemoryServiceGrpc.getRememberMethod(), UNAVAILABLE, UNAVAILABLE, REMEMBERED);
    assertEquals("tea", camillo.remember("tea").value().getContent());
    List<RememberRequest> requests = server.of(RememberRequest.class);
    assertEquals(3, requests.size());
    assertEquals(1, requests.stream().distinct().count());
  }

  @Test
  void aCallIsTriedFourTimes() {
    server.on(MemoryServiceGrpc.getRememberMethod(), UNAVAILABLE);
    Unavailable error = assertThrows(Unavailable.class, () -> camillo.remember("tea"));
    List<RememberRequest> requests = server.of(RememberRequest.class);
    assertEquals(4, requests.size());
    assertEquals(requests.get(0).getRequestId(), error.requestId());
  }

  @Test
  void anOverloadedServerIsAskedAgainWhenItSays() {
    var busy = ScriptedServer.broken(Refusals.overloaded(70));
    server.on(MemoryServiceGrpc.getRememberMethod(), busy, busy, busy, REMEMBERED);
    camillo.remember("tea");
    assertEquals(Collections.nCopies(3, Duration.ofMillis(70)), pauses);
    server.on(MemoryServiceGrpc.getRememberMethod(), busy);
    assertThrows(Overloaded.class, () -> camillo.remember("tea"));
    assertEquals(6, pauses.size());
  }

  @Test
  void nothingIsWaitedForThatComesAfterTheDeadline() {
    server.on(
        MemoryServiceGrpc.getRememberMethod(), ScriptedServer.broken(Refusals.overloaded(900)));
    Camillo hasty = camillo.withTimeout(Duration.ofMillis(800));
    assertThrows(Overloaded.class, () -> hasty.remember("tea"));
    assertTrue(pauses.isEmpty());
  }

  @Test
  void aUsedUpQuotaIsNotAskedForAgain() {
    var refusal = Refusals.of(Code.RESOURCE_EXHAUSTED, "QUOTA_EXCEEDED", Map.of("limit", "5"));
    server.on(MemoryServiceGrpc.getRememberMethod(), ScriptedServer.broken(refusal));
    QuotaExceeded error = assertThrows(QuotaExceeded.class, () -> camillo.remember("tea"));
    assertEquals(5, error.limit().orElseThrow());
    assertEquals(1, server.requests.size());
  }

  @Test
  void aCallEndsAtItsTimeout() {
    server.on(MemoryServiceGrpc.getRememberMethod(), ScriptedServer.open());
    Camillo hasty = camillo.withTimeout(Duration.ofMillis(100));
    DeadlineExceeded error = assertThrows(DeadlineExceeded.class, () -> hasty.remember("tea"));
    assertFalse(error.requestId().isEmpty());
  }

  @Test
  void aMethodThatTheServerDoesNotHaveIsSaidToBeUnknown() {
    assertThrows(MethodUnknown.class, () -> camillo.whoAmI());
  }

  @Test
  void whatCannotBeReachedIsUnavailable() {
    server.close();
    assertThrows(Unavailable.class, () -> camillo.get("m-1"));
    try (Camillo lost = server.client(pauses).address("nowhere.invalid:1").connect()) {
      assertThrows(Unavailable.class, () -> lost.get("m-1"));
    }
  }

  @Test
  void anAnswerAboveTheLimitIsRefused() {
    server.on(
        MemoryServiceGrpc.getGetMemoryMethod(),
        ScriptedServer.answer(
            (GetMemoryRequest request) ->
                GetMemoryResponse.newBuilder()
                    .setMemory(Memory.newBuilder().setContent("x".repeat(5000)))
                    .build()));
    assertEquals(5000, camillo.get("m-1").getContent().length());
    try (Camillo small = server.client(pauses).maxMessageBytes(4000).connect()) {
      assertThrows(ResourceExhausted.class, () -> small.get("m-1"));
      assertThrows(ResourceExhausted.class, () -> small.remember("x".repeat(5000)));
    }
  }

  private Camillo breaking(int breaks) {
    var channel = new BreakingChannel(Channels.open(server.client(pauses)), breaks);
    return new Camillo(
        new Connection(channel, new Caller("k-1", "default", ""), 1_000_000, pauses::add),
        new Settings("ada", Beside.NOTHING, Duration.ofSeconds(10), null));
  }

  @Test
  void aCallThatBeginsWhileItsConnectionBreaksIsRepeated() {
    try (Camillo client = breaking(3)) {
      assertEquals("tea", client.remember("tea").value().getContent());
      assertEquals(3, pauses.size());
    }
    try (Camillo client = breaking(4)) {
      assertThrows(Unavailable.class, () -> client.remember("tea"));
    }
  }

  @Test
  void aServerThatComesBackIsFoundAtOnce() throws IOException {
    try (Camillo patient = server.client(pauses).serviceConfig(ServiceConfig.load()).connect()) {
      patient.remember("tea");
      int port = server.port();
      server.close();
      Camillo hasty = patient.withTimeout(Duration.ofMillis(50));
      assertThrows(CamilloError.class, () -> hasty.remember("tea"));
      server = new ScriptedServer(InsecureServerCredentials.create(), port);
      server.on(MemoryServiceGrpc.getRememberMethod(), REMEMBERED);
      assertEquals("tea", patient.remember("tea").value().getContent());
    }
  }
}
