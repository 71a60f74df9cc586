package dev.camillo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.camillo.client.errors.ScopeForbidden;
import dev.camillo.v1.DiscardSpooledRequest;
import dev.camillo.v1.DiscardSpooledResponse;
import dev.camillo.v1.GetSpoolPolicyResponse;
import dev.camillo.v1.ListSpooledRequest;
import dev.camillo.v1.ListSpooledResponse;
import dev.camillo.v1.RetrySpooledRequest;
import dev.camillo.v1.RetrySpooledResponse;
import dev.camillo.v1.SetSpoolPolicyRequest;
import dev.camillo.v1.SetSpoolPolicyResponse;
import dev.camillo.v1.SpoolPolicy;
import dev.camillo.v1.SpoolServiceGrpc;
import dev.camillo.v1.SpoolState;
import dev.camillo.v1.SpooledWrite;
import io.grpc.Status.Code;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The outcome of spooled writes, and what the tenant wants of them. */
class WriteSpoolTest {
  private ScriptedServer server;
  private Camillo camillo;

  @BeforeEach
  void connect() throws IOException {
    server = new ScriptedServer();
    camillo = server.client(new ArrayList<>()).connect();
  }

  @AfterEach
  void close() {
    camillo.close();
    server.close();
  }

  @Test
  void spooledWritesAreListedOverAllPages() {
    server.on(
        SpoolServiceGrpc.getListSpooledMethod(),
        ScriptedServer.messages(page("s1").setNextPageToken("p2").build()),
        ScriptedServer.messages(page("s2").build()));
    List<String> ids =
        camillo.spool().list(SpoolState.SPOOL_STATE_FAILED).stream()
            .map(SpooledWrite::getSpoolId)
            .toList();
    assertEquals(List.of("s1", "s2"), ids);
    camillo.spool().list().forEach(write -> {});
    List<ListSpooledRequest> asked = server.of(ListSpooledRequest.class);
    assertEquals("p2", asked.get(1).getPageToken());
    assertEquals(
        List.of(SpoolState.SPOOL_STATE_FAILED, SpoolState.SPOOL_STATE_UNSPECIFIED),
        List.of(asked.get(1).getState(), asked.get(2).getState()));
  }

  @Test
  void writesThatFailedAreRetriedAndDiscarded() {
    RetrySpooledResponse retried =
        RetrySpooledResponse.newBuilder().setStored(1).addFailed(write("s1")).build();
    server.on(SpoolServiceGrpc.getRetrySpooledMethod(), ScriptedServer.messages(retried));
    server.on(
        SpoolServiceGrpc.getDiscardSpooledMethod(),
        ScriptedServer.messages(DiscardSpooledResponse.newBuilder().setDiscarded(1).build()));
    assertEquals(retried, camillo.spool().retry(List.of("s1", "s2")));
    assertEquals(1, camillo.spool().discard(List.of("s1")));
    assertEquals(
        List.of("s1", "s2"), server.of(RetrySpooledRequest.class).get(0).getSpoolIdsList());
    DiscardSpooledRequest discarded = server.of(DiscardSpooledRequest.class).get(0);
    assertEquals(List.of("s1"), discarded.getSpoolIdsList());
    assertFalse(discarded.getRequestId().isEmpty());
  }

  @Test
  void thePolicyIsReadAndSet() {
    SpoolPolicy kept = SpoolPolicy.SPOOL_POLICY_SPOOL;
    SpoolPolicy drop = SpoolPolicy.SPOOL_POLICY_DROP;
    server.on(
        SpoolServiceGrpc.getGetSpoolPolicyMethod(),
        ScriptedServer.messages(GetSpoolPolicyResponse.newBuilder().setPolicy(kept).build()));
    server.on(
        SpoolServiceGrpc.getSetSpoolPolicyMethod(),
        ScriptedServer.messages(SetSpoolPolicyResponse.newBuilder().setPolicy(drop).build()),
        ScriptedServer.broken(Refusals.of(Code.PERMISSION_DENIED, "SCOPE_FORBIDDEN")));
    assertEquals(kept, camillo.spool().policy());
    assertEquals(drop, camillo.spool().setPolicy(drop));
    assertThrows(ScopeForbidden.class, () -> camillo.spool().setPolicy(drop));
    assertEquals(drop, server.of(SetSpoolPolicyRequest.class).get(0).getPolicy());
  }

  private static ListSpooledResponse.Builder page(String id) {
    return ListSpooledResponse.newBuilder().addWrites(write(id));
  }

  private static SpooledWrite write(String id) {
    return SpooledWrite.newBuilder().setSpoolId(id).build();
  }
}
