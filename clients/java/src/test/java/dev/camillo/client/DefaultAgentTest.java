package dev.camillo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.camillo.v1.MemoryServiceGrpc;
import dev.camillo.v1.RecallRequest;
import dev.camillo.v1.RecallResponse;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Calls name the agent for requests without one. */
class DefaultAgentTest {
  @ParameterizedTest
  @CsvSource({"'', default", "' planner\n', planner", "@shared, @shared"})
  void itIsThatOfTheEnvironment(String told, String agent) throws IOException {
    try (ScriptedServer server = new ScriptedServer()) {
      server.on(
          MemoryServiceGrpc.getRecallMethod(),
          ScriptedServer.messages(RecallResponse.getDefaultInstance()));
      CamilloBuilder builder = new CamilloBuilder(Map.of("CAMILLO_AGENT", told));
      try (Camillo camillo = builder.address(server.address()).key("k-1").connect()) {
        camillo.recall("tea");
        assertEquals(agent, server.header("camillo-default-agent"));
        // The agent itself is the server's to find: the key may have its own.
        assertEquals("", server.of(RecallRequest.class).get(0).getAgentId());
        assertEquals(Headers.scope("k-1", ""), server.header("camillo-scope"));
        camillo.forAgent(Camillo.SHARED).recall("tea");
        assertEquals(agent, server.header("camillo-default-agent"));
        assertEquals("@shared", server.of(RecallRequest.class).get(1).getAgentId());
      }
    }
  }

  @Test
  void withoutAnEnvironmentItIsTheDefault() {
    assertEquals(
        "default", new CamilloBuilder(Map.of()).key("k-1").resolvedCaller().defaultAgent());
  }

  @Test
  void oneThatNoHeaderHoldsIsRefused() {
    CamilloBuilder builder = new CamilloBuilder(Map.of("CAMILLO_AGENT", "pl\u00e4nner"));
    assertThrows(IllegalArgumentException.class, builder::connect);
  }
}
