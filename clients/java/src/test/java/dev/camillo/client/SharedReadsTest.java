package dev.camillo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.camillo.client.errors.RevisionUnknown;
import dev.camillo.v1.AuditServiceGrpc;
import dev.camillo.v1.Freshness;
import dev.camillo.v1.KnowledgeServiceGrpc;
import dev.camillo.v1.MemoryServiceGrpc;
import dev.camillo.v1.NewDocument;
import dev.camillo.v1.PublishDocumentHeader;
import dev.camillo.v1.PublishDocumentResponse;
import dev.camillo.v1.PutSkillRequest;
import dev.camillo.v1.PutSkillResponse;
import dev.camillo.v1.RecallRequest;
import dev.camillo.v1.RecallResponse;
import dev.camillo.v1.RecordAuditEntryResponse;
import dev.camillo.v1.Revision;
import dev.camillo.v1.SkillLevel;
import dev.camillo.v1.Source;
import io.grpc.Status.Code;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Recalls that look into the tenant's shared scope see what this client wrote there. */
class SharedReadsTest {
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
  void recallsDemandWhatWasWrittenForAllAgents() {
    server.on(MemoryServiceGrpc.getRecallMethod(), answer(""));
    server.on(
        AuditServiceGrpc.getRecordAuditEntryMethod(),
        ScriptedServer.messages(
            RecordAuditEntryResponse.newBuilder().setSharedRevision(revision("s2")).build()));
    server.on(
        KnowledgeServiceGrpc.getPutSkillMethod(),
        ScriptedServer.<PutSkillRequest>answer(
            request ->
                PutSkillResponse.newBuilder()
                    .setRevision(revision(request.getLevelValue() == 0 ? "r1" : "s3"))
                    .build()));
    publish("s1");
    camillo.recall("tea");
    camillo.forAgent("bob").recall("tea", SharedReadsTest::inDocuments);
    camillo.audit().record("tea.made", "茶");
    camillo.searchMyMemories("tea");
    camillo.skills().put("# tea", options -> options.setLevel(SkillLevel.SKILL_LEVEL_TENANT));
    camillo.skills().put("# tea");
    camillo.recall("tea", options -> options.setIncludeShared(true));
    camillo.recall(
        "tea",
        options -> {
          inDocuments(options);
          options.setSharedFreshness(Freshness.newBuilder().setFullyConsistent(true));
        });
    assertEquals(List.of("/", "/s1", "/s2", "r1/s3", "r1/all"), demands());
  }

  @Test
  void theCallersFreshnessOfTheAgentLeavesThatOfTheSharedScopeOpen() {
    server.on(MemoryServiceGrpc.getRecallMethod(), answer(""));
    publish("s1");
    camillo.recall(
        "tea",
        options -> {
          inDocuments(options);
          options.setFreshness(Freshness.newBuilder().setFullyConsistent(true));
        });
    assertEquals(List.of("all/s1"), demands());
  }

  @Test
  void aPublicationThatMayBeARepetitionIsCoveredByAReadOfEverything() {
    server.on(MemoryServiceGrpc.getRecallMethod(), answer("s5"));
    publish("s1");
    server.documents.answer(PublishDocumentResponse.newBuilder().setSharedRevision(revision("s2")));
    PublishDocumentHeader header =
        PublishDocumentHeader.newBuilder()
            .setDocument(NewDocument.newBuilder().setName("a.md"))
            .setRequestId("mine")
            .build();
    camillo.documents().publish(header, ByteSource.of("tea"));
    camillo.recall("tea", SharedReadsTest::inDocuments);
    camillo.recall("tea", SharedReadsTest::inDocuments);
    assertEquals(List.of("/all", "/s5"), demands());
  }

  @Test
  void aSharedRevisionThatTheServerDoesNotKnowIsDropped() {
    ScriptedServer.Reply unknown =
        ScriptedServer.broken(Refusals.of(Code.OUT_OF_RANGE, "REVISION_UNKNOWN"));
    server.on(MemoryServiceGrpc.getRecallMethod(), unknown, answer(""), unknown);
    publish("s1");
    camillo.recall("tea", SharedReadsTest::inDocuments);
    assertThrows(RevisionUnknown.class, () -> camillo.recall("tea", SharedReadsTest::inDocuments));
    assertEquals(List.of("/s1", "/", "/"), demands());
  }

  @Test
  void myMemoriesAreSearchedInFourSourcesUnlessToldOtherwise() {
    server.on(MemoryServiceGrpc.getRecallMethod(), answer(""));
    camillo.searchMyMemories("茶");
    camillo.searchMyMemories(
        "茶",
        options -> {
          inDocuments(options);
          options.setLimit(3).getProfileBuilder().setName("evidence");
        });
    RecallRequest all = server.of(RecallRequest.class).get(0);
    assertEquals(
        List.of(
            Source.SOURCE_MEMORY,
            Source.SOURCE_AUDIT,
            Source.SOURCE_WORKFLOW_STEP,
            Source.SOURCE_DOCUMENT),
        all.getSourcesList());
    assertEquals(5, all.getLimit());
    assertEquals("blended", all.getProfile().getName());
    RecallRequest own = server.of(RecallRequest.class).get(1);
    assertEquals(List.of(Source.SOURCE_DOCUMENT), own.getSourcesList());
    assertEquals(3, own.getLimit());
    assertEquals("evidence", own.getProfile().getName());
  }

  private void publish(String token) {
    server.documents.answer(
        PublishDocumentResponse.newBuilder().setSharedRevision(revision(token)));
    camillo.documents().publish("a.md", ByteSource.of("tea"));
  }

  private static void inDocuments(RecallRequest.Builder options) {
    options.addSources(Source.SOURCE_DOCUMENT);
  }

  private static ScriptedServer.Reply answer(String shared) {
    return ScriptedServer.messages(
        RecallResponse.newBuilder().setSharedRevision(revision(shared)).build());
  }

  private static Revision revision(String token) {
    return Revision.newBuilder().setToken(token).build();
  }

  /** Returns what was demanded of the agent's scope, and of the shared one. */
  private List<String> demands() {
    return server.of(RecallRequest.class).stream()
        .map(sent -> told(sent.getFreshness()) + "/" + told(sent.getSharedFreshness()))
        .toList();
  }

  private static String told(Freshness freshness) {
    return freshness.getFullyConsistent() ? "all" : freshness.getAtLeastAsFresh().getToken();
  }
}
