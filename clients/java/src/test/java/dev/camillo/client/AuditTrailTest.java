package dev.camillo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.camillo.client.errors.ScopeForbidden;
import dev.camillo.v1.AuditChange;
import dev.camillo.v1.AuditEntry;
import dev.camillo.v1.AuditHead;
import dev.camillo.v1.AuditPolicy;
import dev.camillo.v1.AuditProblem;
import dev.camillo.v1.AuditServiceGrpc;
import dev.camillo.v1.GetAuditPolicyResponse;
import dev.camillo.v1.ListAuditEntriesRequest;
import dev.camillo.v1.ListAuditEntriesResponse;
import dev.camillo.v1.RecordAuditEntryRequest;
import dev.camillo.v1.RecordAuditEntryResponse;
import dev.camillo.v1.SetAuditPolicyRequest;
import dev.camillo.v1.SetAuditPolicyResponse;
import dev.camillo.v1.VerifyAuditRequest;
import dev.camillo.v1.VerifyAuditResponse;
import dev.camillo.v1.WatchAuditRequest;
import dev.camillo.v1.WatchAuditResponse;
import io.grpc.Status.Code;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The audit trail: entered, listed, followed and checked. */
class AuditTrailTest {
  private ScriptedServer server;
  private Camillo camillo;

  @BeforeEach
  void connect() throws IOException {
    server = new ScriptedServer();
    camillo = server.client(new ArrayList<>()).agentId("ada").connect();
  }

  @AfterEach
  void close() {
    camillo.close();
    server.close();
  }

  @Test
  void anActionIsEnteredInTheTrail() {
    server.on(
        AuditServiceGrpc.getRecordAuditEntryMethod(),
        ScriptedServer.messages(RecordAuditEntryResponse.newBuilder().setActionId("a1").build()));
    RecordAuditEntryResponse answer =
        camillo
            .audit()
            .record(
                "invoice.approved",
                "发票 🧾",
                fields -> fields.setSessionId("s").setMeta(Values.struct(Map.of("€", 17))));
    assertEquals("a1", answer.getActionId());
    RecordAuditEntryRequest sent = server.of(RecordAuditEntryRequest.class).get(0);
    assertEquals(
        List.of("invoice.approved", "发票 🧾", "s", "ada"),
        List.of(
            sent.getAction().getAction(),
            sent.getAction().getMessage(),
            sent.getAction().getSessionId(),
            sent.getAgentId()));
    assertFalse(sent.getRequestId().isEmpty());
  }

  @Test
  void entriesAreListedOverAllPages() {
    server.on(
        AuditServiceGrpc.getListAuditEntriesMethod(),
        ScriptedServer.messages(
            ListAuditEntriesResponse.newBuilder()
                .addEntries(AuditEntry.newBuilder().setPosition(2))
                .setNextPageToken("p2")
                .build()),
        ScriptedServer.messages(
            ListAuditEntriesResponse.newBuilder()
                .addEntries(AuditEntry.newBuilder().setPosition(1))
                .build()));
    assertEquals(
        List.of(2L, 1L),
        camillo
            .audit()
            .list(conditions -> conditions.setMethod("MemoryService/"))
            .map(AuditEntry::getPosition)
            .toList());
    ListAuditEntriesRequest next = server.of(ListAuditEntriesRequest.class).get(1);
    assertEquals(
        List.of("MemoryService/", "p2"),
        List.of(next.getFilter().getMethod(), next.getPageToken()));
  }

  @Test
  void aWatchOfTheTrailGoesOnBehindTheLastChange() {
    server.on(
        AuditServiceGrpc.getWatchAuditMethod(),
        ScriptedServer.broken(Refusals.of(Code.UNAVAILABLE, "SERVER_DRAINING"), told("1")),
        ScriptedServer.open(told("2")));
    WatchAuditRequest start = WatchAuditRequest.newBuilder().setResumeToken("0").build();
    try (Stream<AuditChange> changes = camillo.audit().watch(start, 10).stream()) {
      assertEquals(List.of("1", "2"), changes.limit(2).map(AuditChange::getResumeToken).toList());
    }
    assertEquals(
        List.of("0", "1"),
        server.of(WatchAuditRequest.class).stream()
            .map(WatchAuditRequest::getResumeToken)
            .toList());
  }

  @Test
  void chainsAreCheckedAgainstHeadsThatAreKnown() {
    server.on(
        AuditServiceGrpc.getVerifyAuditMethod(),
        ScriptedServer.messages(
            VerifyAuditResponse.newBuilder().setEntries(7).build(),
            VerifyAuditResponse.newBuilder()
                .addProblems(AuditProblem.getDefaultInstance())
                .build()));
    AuditHead known = AuditHead.newBuilder().setAgentId("ada").setPosition(3).build();
    assertEquals(
        List.of(0, 1),
        camillo.audit().verify(List.of(known)).map(VerifyAuditResponse::getProblemsCount).toList());
    assertEquals(List.of(known), server.of(VerifyAuditRequest.class).get(0).getKnownHeadsList());
  }

  @Test
  void thePolicyOfTheTrailIsReadAndSet() {
    AuditPolicy policy = AuditPolicy.newBuilder().setRetentionDays(90).setAuditReads(true).build();
    server.on(
        AuditServiceGrpc.getGetAuditPolicyMethod(),
        ScriptedServer.messages(GetAuditPolicyResponse.newBuilder().setPolicy(policy).build()));
    server.on(
        AuditServiceGrpc.getSetAuditPolicyMethod(),
        ScriptedServer.messages(SetAuditPolicyResponse.newBuilder().setPolicy(policy).build()),
        ScriptedServer.broken(Refusals.of(Code.PERMISSION_DENIED, "SCOPE_FORBIDDEN")));
    assertEquals(policy, camillo.audit().policy());
    assertEquals(policy, camillo.audit().setPolicy(policy));
    assertThrows(ScopeForbidden.class, () -> camillo.audit().setPolicy(policy));
    assertEquals(policy, server.of(SetAuditPolicyRequest.class).get(0).getPolicy());
  }

  private static WatchAuditResponse told(String token) {
    return WatchAuditResponse.newBuilder()
        .setChange(AuditChange.newBuilder().setResumeToken(token))
        .build();
  }
}
