package dev.camillo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.camillo.client.errors.RevisionUnknown;
import dev.camillo.v1.BatchRecallRequest;
import dev.camillo.v1.BatchRecallResponse;
import dev.camillo.v1.BatchRecallResult;
import dev.camillo.v1.BuildBundleRequest;
import dev.camillo.v1.BuildBundleResponse;
import dev.camillo.v1.ForgetMemoriesRequest;
import dev.camillo.v1.ForgetMemoriesResponse;
import dev.camillo.v1.Freshness;
import dev.camillo.v1.MemoryServiceGrpc;
import dev.camillo.v1.RecallRequest;
import dev.camillo.v1.RecallResponse;
import dev.camillo.v1.RememberRequest;
import dev.camillo.v1.RememberResponse;
import dev.camillo.v1.Revision;
import dev.camillo.v1.SnapshotServiceGrpc;
import io.grpc.Status.Code;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Reads see what this client wrote. */
class OwnWritesTest {
  private static final Revision R1 = Revision.newBuilder().setToken("r1").build();
  private static final ScriptedServer.Reply RECALLED =
      ScriptedServer.messages(RecallResponse.newBuilder().setRevision(R1).build());
  private static final ScriptedServer.Reply UNKNOWN =
      ScriptedServer.broken(Refusals.of(Code.OUT_OF_RANGE, "REVISION_UNKNOWN"));

  private ScriptedServer server;
  private Camillo camillo;

  @BeforeEach
  void connect() throws IOException {
    server = new ScriptedServer();
    camillo = server.client(new ArrayList<>()).connect();
    server.on(
        MemoryServiceGrpc.getRememberMethod(),
        ScriptedServer.messages(RememberResponse.newBuilder().setRevision(R1).build()));
    server.on(MemoryServiceGrpc.getRecallMethod(), RECALLED);
  }

  @AfterEach
  void close() {
    camillo.close();
    server.close();
  }

  private Freshness lastDemand() {
    List<RecallRequest> recalls = server.of(RecallRequest.class);
    return recalls.get(recalls.size() - 1).getFreshness();
  }

  @Test
  void aReadDemandsTheRevisionOfTheLastWrite() {
    camillo.recall("tea");
    assertFalse(server.of(RecallRequest.class).get(0).hasFreshness());
    camillo.remember("tea");
    camillo.recall("tea");
    assertEquals(R1, lastDemand().getAtLeastAsFresh());
  }

  @Test
  void anotherAgentsReadDemandsNothing() {
    camillo.remember("tea");
    camillo.forAgent("bob").recall("tea");
    assertEquals(Freshness.getDefaultInstance(), lastDemand());
  }

  @Test
  void whatTheCallerDemandsStays() {
    camillo.remember("tea");
    Freshness any = Freshness.newBuilder().setMinimizeLatency(true).build();
    camillo.recall("tea", options -> options.setFreshness(any));
    assertEquals(any, lastDemand());
  }

  @Test
  void afterARepeatedWriteTheNextReadAsksForEverythingOnce() {
    camillo.remember("tea");
    RememberRequest again = RememberRequest.newBuilder().setRequestId("mine").build();
    camillo.call(MemoryServiceGrpc.getRememberMethod(), again);
    camillo.recall("tea");
    assertTrue(lastDemand().getFullyConsistent());
    camillo.recall("tea");
    assertEquals(R1, lastDemand().getAtLeastAsFresh());
  }

  @Test
  void aRevisionThatTheServerDoesNotKnowIsForgotten() {
    camillo.remember("tea");
    server.on(MemoryServiceGrpc.getRecallMethod(), UNKNOWN, RECALLED);
    camillo.recall("tea");
    List<RecallRequest> recalls = server.of(RecallRequest.class);
    assertTrue(recalls.get(0).hasFreshness());
    assertFalse(recalls.get(1).hasFreshness());
    camillo.recall("tea");
    assertEquals(Freshness.getDefaultInstance(), lastDemand());
  }

  @Test
  void ofTheCallersOwnDemandAnUnknownRevisionIsTold() {
    server.on(MemoryServiceGrpc.getRecallMethod(), UNKNOWN);
    Freshness own = Freshness.newBuilder().setAtLeastAsFresh(R1).build();
    assertThrows(
        RevisionUnknown.class, () -> camillo.recall("tea", options -> options.setFreshness(own)));
    assertEquals(1, server.of(RecallRequest.class).size());
  }

  @Test
  void aDryRunIsNoWrite() {
    server.on(
        MemoryServiceGrpc.getForgetMemoriesMethod(),
        ScriptedServer.messages(ForgetMemoriesResponse.newBuilder().setRevision(R1).build()));
    camillo.forget(ForgetMemoriesRequest.newBuilder().setDryRun(true).build());
    camillo.recall("tea");
    assertEquals(Freshness.getDefaultInstance(), lastDemand());
    camillo.forget(List.of("m-1"));
    camillo.recall("tea");
    assertEquals(R1, lastDemand().getAtLeastAsFresh());
  }

  @Test
  void bundlesDemandAsRecallsDo() {
    server.on(
        SnapshotServiceGrpc.getBuildBundleMethod(),
        ScriptedServer.messages(BuildBundleResponse.getDefaultInstance()));
    camillo.remember("tea");
    camillo.context().bundle("tea", "s1");
    BuildBundleRequest request = server.of(BuildBundleRequest.class).get(0);
    assertEquals(R1, request.getFreshness().getAtLeastAsFresh());
    assertEquals("s1", request.getSessionId());
  }

  @Test
  void everyRecallOfABatchDemandsForItself() {
    var found = RecallResponse.newBuilder().setRevision(R1);
    var unknown = Refusals.status(Code.OUT_OF_RANGE, Refusals.info("REVISION_UNKNOWN", Map.of()));
    server.on(
        MemoryServiceGrpc.getBatchRecallMethod(),
        ScriptedServer.messages(
            BatchRecallResponse.newBuilder()
                .addResults(BatchRecallResult.newBuilder().setError(unknown))
                .addResults(BatchRecallResult.newBuilder().setResponse(found))
                .build()));
    camillo.remember("tea");
    camillo.call(
        MemoryServiceGrpc.getBatchRecallMethod(),
        BatchRecallRequest.newBuilder()
            .addRequests(RecallRequest.newBuilder().setText("tea"))
            .addRequests(RecallRequest.newBuilder().setText("tea").setAgentId("bob"))
            .build());
    List<BatchRecallRequest> batches = server.of(BatchRecallRequest.class);
    assertEquals(R1, batches.get(0).getRequests(0).getFreshness().getAtLeastAsFresh());
    assertFalse(batches.get(0).getRequests(1).hasFreshness());
    assertFalse(batches.get(1).getRequests(0).hasFreshness());
  }
}
