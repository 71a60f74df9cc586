package dev.camillo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.camillo.v1.AddLinksRequest;
import dev.camillo.v1.AddLinksResponse;
import dev.camillo.v1.Contradiction;
import dev.camillo.v1.EntityType;
import dev.camillo.v1.Judgement;
import dev.camillo.v1.Link;
import dev.camillo.v1.LinkServiceGrpc;
import dev.camillo.v1.LinkType;
import dev.camillo.v1.ListContradictionsRequest;
import dev.camillo.v1.ListContradictionsResponse;
import dev.camillo.v1.ListRelatedRequest;
import dev.camillo.v1.ListRelatedResponse;
import dev.camillo.v1.MemoryServiceGrpc;
import dev.camillo.v1.NewLink;
import dev.camillo.v1.Related;
import dev.camillo.v1.RemoveLinksRequest;
import dev.camillo.v1.RemoveLinksResponse;
import dev.camillo.v1.Source;
import dev.camillo.v1.SupersedeMemoryRequest;
import dev.camillo.v1.SupersedeMemoryResponse;
import dev.camillo.v1.UnjudgedReason;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Links between things of a scope, and memories in the place of others. */
class LinksTest {
  private static final LinkType FOLLOWS = LinkType.LINK_TYPE_FOLLOWS;

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
  void linksAreStatedAndTakenAway() {
    Link stated = Link.newBuilder().setType(FOLLOWS).build();
    server.on(
        LinkServiceGrpc.getAddLinksMethod(),
        ScriptedServer.messages(AddLinksResponse.newBuilder().addLinks(stated).build()));
    server.on(
        LinkServiceGrpc.getRemoveLinksMethod(),
        ScriptedServer.messages(RemoveLinksResponse.newBuilder().setRemoved(1).build()));
    NewLink link =
        Links.between(Links.memory("m1"), FOLLOWS, Links.end(Source.SOURCE_SLOT, "/kb/tea"));
    assertEquals(List.of(stated), camillo.links().add(List.of(link)));
    assertEquals(1, camillo.links().remove(List.of(link)));
    AddLinksRequest added = server.of(AddLinksRequest.class).get(0);
    assertEquals(List.of(link), added.getLinksList());
    assertFalse(added.getRequestId().isEmpty());
    assertFalse(server.of(RemoveLinksRequest.class).get(0).getRequestId().isEmpty());
  }

  @Test
  void whatIsRelatedIsListedOverAllPages() {
    server.on(
        LinkServiceGrpc.getListRelatedMethod(),
        ScriptedServer.messages(page("tea").setNextPageToken("p2").build()),
        ScriptedServer.messages(page("お茶").build()));
    assertEquals(
        List.of("tea", "お茶"),
        camillo.links().related(Links.memory("m1"), FOLLOWS).stream()
            .map(Related::getText)
            .toList());
    camillo.links().mentioning(EntityType.ENTITY_TYPE_TICKET, "ABC-123").forEach(related -> {});
    List<ListRelatedRequest> asked = server.of(ListRelatedRequest.class);
    assertEquals("p2", asked.get(1).getPageToken());
    assertEquals(Links.memory("m1"), asked.get(1).getItem());
    assertEquals(List.of(FOLLOWS), asked.get(1).getTypesList());
    assertEquals("ABC-123", asked.get(2).getEntity().getName());
  }

  @Test
  void aMemoryTakesThePlaceOfAnother() {
    SupersedeMemoryResponse answer = SupersedeMemoryResponse.getDefaultInstance();
    server.on(MemoryServiceGrpc.getSupersedeMemoryMethod(), ScriptedServer.messages(answer));
    camillo.supersede("m1", 3, "m2");
    Instant since = Instant.ofEpochSecond(7);
    assertEquals(
        answer,
        camillo.supersede("m1", 3, "m2", request -> request.setSince(Values.timestamp(since))));
    List<SupersedeMemoryRequest> sent = server.of(SupersedeMemoryRequest.class);
    assertEquals("m1", sent.get(0).getMemoryId());
    assertEquals(3, sent.get(0).getExpectedVersion());
    assertEquals("m2", sent.get(0).getSuccessorId());
    assertFalse(sent.get(0).hasSince());
    assertEquals(7, sent.get(1).getSince().getSeconds());
  }

  @Test
  void contradictionsAreListedOverAllPagesSomeOfWhichHaveNone() {
    Contradiction found = Contradiction.newBuilder().setSimilarity(0.5f).build();
    server.on(
        MemoryServiceGrpc.getListContradictionsMethod(),
        ScriptedServer.messages(
            ListContradictionsResponse.newBuilder().setNextPageToken("p2").build()),
        ScriptedServer.messages(
            ListContradictionsResponse.newBuilder().addContradictions(found).build()));
    assertEquals(
        List.of(found),
        camillo.contradictions(filter -> filter.addTagsAny("tea")).stream().toList());
    ListContradictionsRequest asked = server.of(ListContradictionsRequest.class).get(1);
    assertEquals("p2", asked.getPageToken());
    assertEquals(List.of("tea"), asked.getFilter().getTagsAnyList());
  }

  @Test
  void contradictionsAreJudgedWhereThatIsAskedFor() {
    Contradiction found =
        Contradiction.newBuilder().setJudgement(Judgement.newBuilder().setCurrentId("m2")).build();
    server.on(
        MemoryServiceGrpc.getListContradictionsMethod(),
        ScriptedServer.messages(
            ListContradictionsResponse.newBuilder().addContradictions(found).build()));
    assertEquals(List.of(found), camillo.contradictions(filter -> {}, true).stream().toList());
    assertTrue(server.of(ListContradictionsRequest.class).get(0).getJudge());
  }

  @Test
  void eachPageOfContradictionsSaysWhyPairsWereNotJudged() {
    ListContradictionsResponse.Builder unjudged =
        ListContradictionsResponse.newBuilder()
            .addDegraded(UnjudgedReason.UNJUDGED_REASON_BUDGET)
            .addDegraded(UnjudgedReason.UNJUDGED_REASON_TIMEOUT);
    ListContradictionsResponse last =
        ListContradictionsResponse.newBuilder()
            .addContradictions(Contradiction.newBuilder().setSimilarity(0.5f))
            .build();
    server.on(
        MemoryServiceGrpc.getListContradictionsMethod(),
        ScriptedServer.messages(unjudged.setNextPageToken("p2").build()),
        ScriptedServer.messages(last));
    assertEquals(
        List.of(unjudged.build(), last),
        camillo.contradictionPages(filter -> filter.addTagsAny("お茶"), true).toList());
    for (ListContradictionsRequest asked : server.of(ListContradictionsRequest.class)) {
      assertTrue(asked.getJudge());
      assertEquals(List.of("お茶"), asked.getFilter().getTagsAnyList());
    }
  }

  private static ListRelatedResponse.Builder page(String text) {
    return ListRelatedResponse.newBuilder().addRelated(Related.newBuilder().setText(text));
  }
}
