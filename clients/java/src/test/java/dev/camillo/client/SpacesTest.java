package dev.camillo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.protobuf.Message;
import dev.camillo.v1.BatchRecallRequest;
import dev.camillo.v1.BatchRecallResponse;
import dev.camillo.v1.Bundle;
import dev.camillo.v1.EventServiceGrpc;
import dev.camillo.v1.Freshness;
import dev.camillo.v1.MemoryServiceGrpc;
import dev.camillo.v1.RecallRequest;
import dev.camillo.v1.RecallResponse;
import dev.camillo.v1.RecordEventRequest;
import dev.camillo.v1.RecordEventResponse;
import dev.camillo.v1.RememberRequest;
import dev.camillo.v1.RememberResponse;
import dev.camillo.v1.Revision;
import dev.camillo.v1.SpaceRead;
import dev.camillo.v1.SpaceRevision;
import io.grpc.Status.Code;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client for one person, project or team, and what it reads beside that. */
class SpacesTest {
  private ScriptedServer server;
  private Camillo camillo;

  @BeforeEach
  void connect() throws IOException {
    server = new ScriptedServer();
    camillo = server.client(new ArrayList<>()).agentId("ada").connect();
    server.on(
        MemoryServiceGrpc.getRecallMethod(),
        ScriptedServer.messages(RecallResponse.getDefaultInstance()));
    server.on(
        MemoryServiceGrpc.getRememberMethod(),
        ScriptedServer.<RememberRequest>answer(
            request ->
                RememberResponse.newBuilder()
                    .setRevision(revision("of " + request.getAgentId()))
                    .build()));
  }

  @AfterEach
  void close() {
    camillo.close();
    server.close();
  }

  @Test
  void everyPartOfAClientForASpaceNamesTheSpace() {
    server.on(
        EventServiceGrpc.getRecordEventMethod(),
        ScriptedServer.messages(RecordEventResponse.getDefaultInstance()));
    Camillo ana = camillo.forUser("42");
    ana.events().record(event -> event.setSessionId("茶"));
    assertEquals("users/42", server.of(RecordEventRequest.class).get(0).getAgentId());
    for (Camillo each :
        List.of(
            ana,
            camillo.forProject("github.com/acme/shop"),
            camillo.forTeam("eu/ops"),
            ana.forUser("43"),
            camillo.forSpace(Camillo.SHARED),
            camillo)) {
      each.recall("tea");
    }
    assertEquals(
        List.of(
            "users/42:",
            "projects/github.com/acme/shop:",
            "teams/eu/ops:",
            "users/43:",
            "@shared:",
            "ada:"),
        read(server.of(RecallRequest.class)));
  }

  @Test
  void whatAClientReadsBesideItsOwnIsInEachRecallAsFreshAsItWasWritten() {
    camillo.forProject("shop").remember("tea");
    Camillo ana =
        camillo
            .forUser("42")
            .withSpaces(List.of("users/42", "projects/shop", "teams/eu", Camillo.SHARED));
    ana.remember("茶");
    ana.recall("tea");
    ana.searchMyMemories("tea");
    ana.call(MemoryServiceGrpc.getRecallMethod(), RecallRequest.getDefaultInstance());
    String told = "users/42:of users/42 projects/shop:of projects/shop teams/eu: shared";
    assertEquals(List.of(told, told, told), read(server.of(RecallRequest.class)));
    server.on(
        MemoryServiceGrpc.getBatchRecallMethod(),
        ScriptedServer.messages(BatchRecallResponse.getDefaultInstance()));
    ana.call(
        MemoryServiceGrpc.getBatchRecallMethod(),
        BatchRecallRequest.newBuilder()
            .addRequests(RecallRequest.getDefaultInstance())
            .addRequests(RecallRequest.newBuilder().setAgentId("users/43"))
            .build());
    assertEquals(
        List.of(told, "users/43:"),
        read(server.of(BatchRecallRequest.class).get(0).getRequestsList()));
  }

  @Test
  void aRecallThatSaysWhatItReadsReadsThatAlone() {
    Camillo shop = camillo.withSpaces(List.of("projects/shop", Camillo.SHARED));
    shop.recall("tea");
    shop.recall("tea", options -> options.setAgentId("users/43"));
    shop.recall("tea", options -> options.addSpaces(space("teams/eu")));
    shop.forUser("42").recall("tea");
    camillo.recall("tea");
    assertEquals(
        List.of("ada: projects/shop: shared", "users/43:", "ada: teams/eu:", "users/42:", "ada:"),
        read(server.of(RecallRequest.class)));
  }

  @Test
  void aDemandThatIsVoidIsDroppedAndOneOfTheCallersStands() {
    camillo.forProject("shop").remember("tea");
    SpaceRead mine =
        space("projects/shop").toBuilder()
            .setFreshness(Freshness.newBuilder().setFullyConsistent(true))
            .build();
    camillo.recall("tea", options -> options.addSpaces(mine));
    server.on(
        MemoryServiceGrpc.getRecallMethod(),
        ScriptedServer.broken(Refusals.of(Code.OUT_OF_RANGE, "REVISION_UNKNOWN")),
        ScriptedServer.messages(RecallResponse.getDefaultInstance()));
    camillo.recall("tea", options -> options.addSpaces(space("projects/shop")));
    camillo.recall("tea", options -> options.addSpaces(space("projects/shop")));
    assertEquals(
        List.of(
            "ada: projects/shop:all",
            "ada: projects/shop:of projects/shop",
            "ada: projects/shop:",
            "ada: projects/shop:"),
        read(server.of(RecallRequest.class)));
  }

  @Test
  void theRevisionThatASpaceWasReadAtCoversWhatWasWritten() {
    var answer = SpaceRevision.newBuilder().setSpace("users/42").setRevision(revision("r9"));
    server.on(
        MemoryServiceGrpc.getRecallMethod(),
        ScriptedServer.messages(RecallResponse.newBuilder().addSpaces(answer).build()));
    Camillo ana = camillo.forUser("42");
    ana.remember("tea");
    ana.call(
        MemoryServiceGrpc.getRememberMethod(),
        RememberRequest.newBuilder().setRequestId("mine").build());
    camillo.recall("tea", options -> options.addSpaces(space("users/42")));
    camillo.recall("tea", options -> options.addSpaces(space("users/42")));
    assertEquals(
        List.of("ada: users/42:all", "ada: users/42:r9"), read(server.of(RecallRequest.class)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"BuildBundle", "BuildSnapshot", "BuildWorkingMemory", "BuildDigest"})
  void bundlesReadWhatTheirClientReadsAndTellWhatTheyWereReadAt(String name) {
    var build = Methods.find("camillo.v1.SnapshotService/" + name).orElseThrow();
    Message request = Methods.request(build);
    Message answer = Methods.answer(build);
    var at = SpaceRevision.newBuilder().setSpace("projects/shop").setRevision(revision("r9"));
    var bundle = answer.getDescriptorForType().findFieldByName("bundle");
    Message told =
        answer.toBuilder().setField(bundle, Bundle.newBuilder().addSpaces(at).build()).build();
    server.on(
        build,
        ScriptedServer.messages(told),
        ScriptedServer.broken(Refusals.of(Code.OUT_OF_RANGE, "REVISION_UNKNOWN")),
        ScriptedServer.messages(answer));
    var mine = RememberRequest.newBuilder().setRequestId("mine").build();
    Camillo shop = camillo.forProject("shop");
    shop.remember("tea");
    shop.call(MemoryServiceGrpc.getRememberMethod(), mine);
    Camillo ana =
        camillo.forUser("42").withSpaces(List.of("projects/shop", "teams/eu", Camillo.SHARED));
    ana.call(build, request);
    ana.call(build, request);
    ana.forAgent("bob").call(build, request);
    assertEquals(
        List.of(
            "users/42: projects/shop:all teams/eu:",
            "users/42: projects/shop:r9 teams/eu:",
            "users/42: projects/shop: teams/eu:",
            "bob:"),
        server.of(request.getClass()).stream()
            .map(sent -> RequestFields.agentId(sent, "") + ":" + beside(RequestFields.spaces(sent)))
            .toList());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "a/", "/a", "a//b", "-a", "a b", "a\n", "..", "a/b/c/d", "日本"})
  void aNameThatNoSpaceHasIsRefusedBeforeACall(String name) {
    List<Function<String, Camillo>> bindings =
        List.of(
            camillo::forUser,
            camillo::forProject,
            camillo::forTeam,
            camillo::forSpace,
            given -> camillo.withSpaces(List.of("users/" + given)));
    for (var bind : bindings) {
      assertThrows(IllegalArgumentException.class, () -> bind.apply(name));
    }
  }

  @Test
  void aClientReadsUpToSevenSpacesBesideItsOwn() {
    List<String> many = IntStream.range(0, 8).mapToObj(number -> "users/" + number).toList();
    assertThrows(IllegalArgumentException.class, () -> camillo.withSpaces(many));
    camillo.forUser("0").withSpaces(many).recall("tea");
    assertEquals(7, server.of(RecallRequest.class).get(0).getSpacesCount());
  }

  private static SpaceRead space(String path) {
    return SpaceRead.newBuilder().setSpace(path).build();
  }

  private static Revision revision(String token) {
    return Revision.newBuilder().setToken(token).build();
  }

  /** Returns what each read: its space, what was demanded of it, and the same of others. */
  private static List<String> read(List<RecallRequest> recalls) {
    return recalls.stream()
        .map(
            sent -> {
              String own = sent.getAgentId() + ":" + told(sent.getFreshness());
              return own
                  + beside(sent.getSpacesList())
                  + (sent.getIncludeShared() ? " shared" : "");
            })
        .toList();
  }

  private static String beside(List<SpaceRead> spaces) {
    return spaces.stream()
        .map(each -> " " + each.getSpace() + ":" + told(each.getFreshness()))
        .collect(Collectors.joining());
  }

  private static String told(Freshness freshness) {
    return freshness.getFullyConsistent() ? "all" : freshness.getAtLeastAsFresh().getToken();
  }
}
