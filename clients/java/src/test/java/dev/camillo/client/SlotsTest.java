package dev.camillo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.camillo.client.errors.ProvenanceRequired;
import dev.camillo.client.errors.SlotNotFound;
import dev.camillo.client.errors.VersionConflict;
import dev.camillo.v1.BuildDigestRequest;
import dev.camillo.v1.BuildDigestResponse;
import dev.camillo.v1.Bundle;
import dev.camillo.v1.GetSlotRequest;
import dev.camillo.v1.ListSlotHistoryResponse;
import dev.camillo.v1.ListSlotsRequest;
import dev.camillo.v1.ListSlotsResponse;
import dev.camillo.v1.ProvenanceKind;
import dev.camillo.v1.RestoreSlotRequest;
import dev.camillo.v1.RestoreSlotResponse;
import dev.camillo.v1.Sensitivity;
import dev.camillo.v1.SetMemoryRequest;
import dev.camillo.v1.SetMemoryResponse;
import dev.camillo.v1.Slot;
import dev.camillo.v1.SlotChange;
import dev.camillo.v1.SlotEntry;
import dev.camillo.v1.SlotProvenance;
import dev.camillo.v1.SlotServiceGrpc;
import dev.camillo.v1.SnapshotServiceGrpc;
import dev.camillo.v1.WatchSlotsRequest;
import dev.camillo.v1.WatchSlotsResponse;
import io.grpc.Status.Code;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** JSON under keys, by the newest version and the history. */
class SlotsTest {
  private static final String KEY = "/user/calendar/2026-02-23_10-00_牙科复诊";
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
  void contentIsSentAsItIsWithItsSource() {
    String content = "{\"n\": 1.0,  \"text\": \"牙科 🦷 שלום e\u0301\"}\n";
    server.on(
        SlotServiceGrpc.getSetMemoryMethod(),
        ScriptedServer.<SetMemoryRequest>answer(
            request -> SetMemoryResponse.newBuilder().setSlot(slot(1, request)).build()));
    assertEquals(content, camillo.slots().setMemory(KEY, content, "chat").value().getJsonContent());
    SlotProvenance page =
        SlotProvenance.newBuilder()
            .setKind(ProvenanceKind.PROVENANCE_KIND_WEB)
            .setName("example.com")
            .setLocator(Values.struct(Map.of("url", "https://example.com/茶")))
            .build();
    camillo
        .slots()
        .setMemory(
            "/kb/tea",
            "null",
            page,
            options ->
                options.setIfVersion(0).setSensitivity(Sensitivity.SENSITIVITY_CONFIDENTIAL));
    SetMemoryRequest said = server.of(SetMemoryRequest.class).get(0);
    assertEquals(List.of(KEY, "chat"), List.of(said.getKey(), said.getSource().getText()));
    assertFalse(said.hasIfVersion());
    assertFalse(said.getRequestId().isEmpty());
    SetMemoryRequest read = server.of(SetMemoryRequest.class).get(1);
    assertEquals(page, read.getSource().getProvenance());
    assertTrue(read.hasIfVersion());
    assertEquals(Sensitivity.SENSITIVITY_CONFIDENTIAL, read.getSensitivity());
  }

  @Test
  void whatASlotIsRefusedForIsTyped() {
    server.on(
        SlotServiceGrpc.getSetMemoryMethod(),
        ScriptedServer.broken(Refusals.of(Code.FAILED_PRECONDITION, "PROVENANCE_REQUIRED")),
        ScriptedServer.broken(
            Refusals.of(
                Code.ABORTED,
                "VERSION_CONFLICT",
                Map.of("expected_version", "1", "actual_version", "2"))));
    server.on(
        SlotServiceGrpc.getGetSlotMethod(),
        ScriptedServer.broken(Refusals.of(Code.NOT_FOUND, "SLOT_NOT_FOUND")));
    assertThrows(ProvenanceRequired.class, () -> camillo.slots().setMemory("/kb/tea", "1", "chat"));
    VersionConflict conflict =
        assertThrows(
            VersionConflict.class,
            () -> camillo.slots().setMemory(KEY, "1", "chat", options -> options.setIfVersion(1)));
    assertEquals("2", conflict.metadata().get("actual_version"));
    assertThrows(
        SlotNotFound.class, () -> camillo.slots().get(KEY, options -> options.setShared(true)));
    GetSlotRequest asked = server.of(GetSlotRequest.class).get(0);
    assertEquals(KEY, asked.getKey());
    assertTrue(asked.getShared());
  }

  @Test
  void slotsAndVersionsAreListedOverAllPages() {
    server.on(
        SlotServiceGrpc.getListSlotsMethod(),
        ScriptedServer.messages(page("p2", "/user/a", "/user/b")),
        ScriptedServer.messages(page("", "/user/c")));
    List<String> keys =
        camillo.slots().list("/user", conditions -> conditions.setOneLevel(true)).stream()
            .map(SlotEntry::getKey)
            .toList();
    assertEquals(List.of("/user/a", "/user/b", "/user/c"), keys);
    assertEquals(
        List.of("/user true ", "/user true p2"),
        server.of(ListSlotsRequest.class).stream()
            .map(sent -> sent.getPrefix() + " " + sent.getOneLevel() + " " + sent.getPageToken())
            .toList());
    server.on(
        SlotServiceGrpc.getListSlotHistoryMethod(),
        ScriptedServer.messages(versions("p2", 3, 2)),
        ScriptedServer.messages(versions("", 1)));
    assertEquals(
        List.of(3L, 2L, 1L), camillo.slots().history(KEY).stream().map(Slot::getVersion).toList());
  }

  @Test
  void anEarlierVersionIsWrittenAgain() {
    server.on(
        SlotServiceGrpc.getRestoreSlotMethod(),
        ScriptedServer.messages(
            RestoreSlotResponse.newBuilder().setSlot(Slot.newBuilder().setVersion(3)).build()));
    Slot restored = camillo.slots().restore(KEY, 1, options -> options.setIfVersion(2));
    assertEquals(3, restored.getVersion());
    RestoreSlotRequest sent = server.of(RestoreSlotRequest.class).get(0);
    assertEquals(KEY + " 1 2", sent.getKey() + " " + sent.getVersion() + " " + sent.getIfVersion());
    assertFalse(sent.getRequestId().isEmpty());
  }

  @Test
  void aWatchGoesOnBehindTheLastChangeHandedOut() {
    server.on(
        SlotServiceGrpc.getWatchSlotsMethod(),
        ScriptedServer.broken(Refusals.of(Code.UNAVAILABLE, ""), written("t1")),
        ScriptedServer.open(written("t2")));
    var start = WatchSlotsRequest.newBuilder().setPrefix("/user").setFromBeginning(true).build();
    try (Series<SlotChange> changes = camillo.slots().watch(start, 3)) {
      assertEquals(
          List.of(KEY, KEY),
          changes.stream().limit(2).map(change -> change.getWritten().getKey()).toList());
    }
    List<WatchSlotsRequest> sent = server.of(WatchSlotsRequest.class);
    assertEquals("/user", sent.get(0).getPrefix());
    assertEquals("t1", sent.get(1).getResumeToken());
  }

  @Test
  void aDigestIsAskedForInTheWordsOfTheContract() {
    Bundle bundle = Bundle.newBuilder().setPrompt("- user/style 茶").build();
    server.on(
        SnapshotServiceGrpc.getBuildDigestMethod(),
        ScriptedServer.messages(BuildDigestResponse.newBuilder().setBundle(bundle).build()));
    Bundle digest = camillo.context().digest(request -> request.setTokenLimit(100).addTags("茶"));
    assertEquals(bundle.getPrompt(), digest.getPrompt());
    BuildDigestRequest sent = server.of(BuildDigestRequest.class).get(0);
    assertEquals(List.of("茶"), List.copyOf(sent.getTagsList()));
    assertEquals(100, sent.getTokenLimit());
  }

  private static WatchSlotsResponse written(String token) {
    Slot slot = Slot.newBuilder().setKey(KEY).build();
    return WatchSlotsResponse.newBuilder()
        .setChange(SlotChange.newBuilder().setResumeToken(token).setWritten(slot))
        .build();
  }

  private static Slot slot(long version, SetMemoryRequest request) {
    return Slot.newBuilder().setVersion(version).setJsonContent(request.getJsonContent()).build();
  }

  private static ListSlotsResponse page(String next, String... keys) {
    ListSlotsResponse.Builder page = ListSlotsResponse.newBuilder().setNextPageToken(next);
    Stream.of(keys).forEach(key -> page.addEntries(SlotEntry.newBuilder().setKey(key)));
    return page.build();
  }

  private static ListSlotHistoryResponse versions(String next, long... versions) {
    ListSlotHistoryResponse.Builder page =
        ListSlotHistoryResponse.newBuilder().setNextPageToken(next);
    for (long version : versions) {
      page.addVersions(Slot.newBuilder().setVersion(version));
    }
    return page.build();
  }
}
