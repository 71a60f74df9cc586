package dev.camillo.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import dev.camillo.client.errors.BytesDamaged;
import dev.camillo.client.errors.Unavailable;
import dev.camillo.v1.Artifact;
import dev.camillo.v1.ArtifactPreview;
import dev.camillo.v1.ArtifactServiceGrpc;
import dev.camillo.v1.GetArtifactResponse;
import dev.camillo.v1.OffloadOutputRequest;
import dev.camillo.v1.OffloadOutputResponse;
import dev.camillo.v1.ReadArtifactRequest;
import dev.camillo.v1.ReadArtifactResponse;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Bytes come back as they were stored, and outputs are offloaded. */
class ArtifactReadsTest {
  private final List<Duration> pauses = new ArrayList<>();
  private ScriptedServer server;
  private Camillo camillo;

  @BeforeEach
  void connect() throws IOException {
    server = new ScriptedServer();
    camillo = server.client(pauses).agentId("ada").connect();
  }

  @AfterEach
  void close() {
    camillo.close();
    server.close();
  }

  private static final byte[] TEA = "green tea".getBytes(StandardCharsets.UTF_8);

  /** The bytes from a place on, as a part of all. */
  private static ReadArtifactResponse part(int start, int end) {
    CRC32C crc32c = new CRC32C();
    crc32c.update(TEA, 0, end);
    return ReadArtifactResponse.newBuilder()
        .setData(ByteString.copyFrom(TEA, start, end - start))
        .setOffset(start)
        .setCrc32C((int) crc32c.getValue())
        .setRangeBytes(TEA.length)
        .build();
  }

  private byte[] read() {
    return camillo.artifacts().read("[MemoryRef: tea_1 - tea]", Ranges.all());
  }

  private void on(ScriptedServer.Reply... replies) {
    server.on(ArtifactServiceGrpc.getReadArtifactMethod(), replies);
  }

  @Test
  void bytesComeBackAsTheyAre() {
    on(ScriptedServer.messages(part(0, 4), part(4, 9)));
    assertArrayEquals(TEA, read());
    ReadArtifactRequest request = server.of(ReadArtifactRequest.class).get(0);
    assertEquals("tea_1", request.getArtifactId());
    assertEquals("ada", request.getAgentId());
  }

  @Test
  void aReadGoesOnWhereItBroke() {
    on(
        ScriptedServer.broken(Refusals.UNAVAILABLE, part(0, 4)),
        ScriptedServer.broken(Refusals.overloaded(5)),
        ScriptedServer.messages(part(4, 9)));
    assertArrayEquals(TEA, read());
    ReadArtifactRequest again = server.of(ReadArtifactRequest.class).get(2);
    assertEquals(4, again.getResumeAfterBytes());
    assertEquals(part(0, 4).getCrc32C(), again.getResumeCrc32C());
    assertEquals(2, pauses.size());
  }

  @Test
  void whatHasComeWholeIsNotAskedForAgain() {
    on(ScriptedServer.broken(Refusals.UNAVAILABLE, part(0, 4), part(4, 9)));
    assertArrayEquals(TEA, read());
    assertEquals(1, server.requests.size());
  }

  @Test
  void aReadWithoutProgressIsGivenUp() {
    on(ScriptedServer.broken(Refusals.UNAVAILABLE));
    assertThrows(Unavailable.class, this::read);
    assertEquals(4, server.requests.size());
  }

  @Test
  void damagedBytesAreNotHandedOut() {
    on(ScriptedServer.messages(part(0, 4).toBuilder().setCrc32C(7).build()));
    assertThrows(BytesDamaged.class, this::read);
  }

  @Test
  void bytesOfAnotherPlaceAreNotHandedOut() {
    on(ScriptedServer.messages(part(0, 4), part(4, 9).toBuilder().setOffset(5).build()));
    assertThrows(BytesDamaged.class, this::read);
  }

  @Test
  void anEndThatComesTooEarlyIsTold() {
    on(ScriptedServer.messages(part(0, 4)));
    assertThrows(BytesDamaged.class, this::read);
  }

  @Test
  void rangesSayWhatTheContractMeans() {
    on(ScriptedServer.messages(part(0, 9)));
    camillo.artifacts().read("tea_1", Ranges.lines(2, 3));
    assertEquals(3, server.of(ReadArtifactRequest.class).get(0).getRange().getLines().getLast());
    assertThrows(IllegalArgumentException.class, () -> Ranges.bytes(0, 0));
    assertEquals(Ranges.lines(5, 5), Ranges.around(5, 0));
  }

  @Test
  void aShortOutputStaysAsItIs() {
    server.on(
        ArtifactServiceGrpc.getOffloadOutputMethod(),
        ScriptedServer.messages(
            OffloadOutputResponse.newBuilder().setInline("tea").setText("tea").build()));
    Offloaded offloaded =
        camillo.artifacts().offload("tea", fields -> fields.setTool("shell").setExitCode(0));
    assertEquals("tea", offloaded.text());
    assertTrue(offloaded.artifact().isEmpty());
    OffloadOutputRequest request = server.of(OffloadOutputRequest.class).get(0);
    assertEquals("shell", request.getArtifact().getTool());
    assertEquals("ada", request.getAgentId());
  }

  @Test
  void aVeryLongOutputIsSentAsAStream() {
    Artifact artifact =
        Artifact.newBuilder()
            .setArtifactId(FakeUploads.STORED)
            .setMemoryRef("[MemoryRef: stored_1]")
            .build();
    ArtifactPreview preview = ArtifactPreview.newBuilder().setHead("first\n").build();
    server.on(
        ArtifactServiceGrpc.getGetArtifactMethod(),
        ScriptedServer.messages(
            GetArtifactResponse.newBuilder().setArtifact(artifact).setPreview(preview).build()));
    Offloaded offloaded = camillo.artifacts().offload(new byte[4 * 1024 * 1024], fields -> {});
    assertEquals("[MemoryRef: stored_1]\n--- head\nfirst", offloaded.text());
    assertEquals(4 * 1024 * 1024, server.uploads.held().length);
  }

  @Test
  void nothingIsNotOffloaded() {
    assertEquals("", camillo.artifacts().offload("", fields -> {}).text());
    assertTrue(server.requests.isEmpty());
  }
}
