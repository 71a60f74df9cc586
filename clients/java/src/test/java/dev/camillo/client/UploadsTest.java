package dev.camillo.client;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.google.protobuf.ByteString;
import dev.camillo.client.errors.Unavailable;
import dev.camillo.v1.Artifact;
import dev.camillo.v1.ArtifactServiceGrpc;
import dev.camillo.v1.GetArtifactRequest;
import dev.camillo.v1.GetArtifactResponse;
import dev.camillo.v1.PutArtifactHeader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Storing bytes: any source, checked, gone on with after a break. */
class UploadsTest {
  private static final byte[] LARGE = new byte[5 * ByteSource.CHUNK_BYTES / 2 + 7];

  static {
    new Random(7).nextBytes(LARGE);
  }

  private final List<Duration> pauses = new ArrayList<>();
  private ScriptedServer server;
  private Camillo camillo;

  @BeforeEach
  void connect() throws IOException {
    server = new ScriptedServer();
    server.on(ArtifactServiceGrpc.getGetUploadMethod(), server.uploads.found());
    camillo = server.client(pauses).agentId("ada").connect();
  }

  @AfterEach
  void close() {
    camillo.close();
    server.close();
  }

  private static byte[] sha256(byte[] bytes) {
    return Digests.sha256().digest(bytes);
  }

  private Artifact put(ByteSource source) {
    return camillo.artifacts().put(source, fields -> {});
  }

  @Test
  void bytesAreStoredWholeWithTheirDigest() {
    assertEquals(FakeUploads.STORED, put(ByteSource.of(LARGE)).getArtifactId());
    assertArrayEquals(LARGE, server.uploads.held());
    assertArrayEquals(sha256(LARGE), server.uploads.sha256.toByteArray());
    PutArtifactHeader header = server.uploads.headers.get(0);
    assertEquals("ada", header.getAgentId());
    assertEquals(LARGE.length, header.getSizeBytes());
    assertFalse(header.getUploadId().isEmpty());
    assertFalse(header.getRequestId().isEmpty());
    assertEquals(Headers.scope("k-1", "ada"), server.header("camillo-scope"));
  }

  @Test
  void aFileIsNamed(@TempDir Path directory) throws IOException {
    Path path = Files.write(directory.resolve("build.log"), LARGE);
    camillo.artifacts().put(path);
    assertArrayEquals(LARGE, server.uploads.held());
    assertEquals("build.log", server.uploads.headers.get(0).getArtifact().getName());
  }

  @Test
  void whatHasNoNameHasNone() {
    assertEquals("", new FileSource(Path.of("/"), 0).name());
  }

  @Test
  void ofAStreamTheLengthIsNotKnown() {
    put(ByteSource.of(new ByteArrayInputStream(LARGE)));
    assertArrayEquals(LARGE, server.uploads.held());
    assertFalse(server.uploads.headers.get(0).hasSizeBytes());
  }

  @Test
  void nothingIsAnArtifactToo() {
    put(ByteSource.of(new byte[0]));
    assertArrayEquals(sha256(new byte[0]), server.uploads.sha256.toByteArray());
  }

  @Test
  void anUploadGoesOnWhereItBroke() {
    server.uploads.breaks.addAll(List.of(ByteSource.CHUNK_BYTES, 2 * ByteSource.CHUNK_BYTES));
    put(ByteSource.of(LARGE));
    assertArrayEquals(LARGE, server.uploads.held());
    List<PutArtifactHeader> headers = server.uploads.headers;
    assertEquals(
        List.of(0L, (long) ByteSource.CHUNK_BYTES, 2L * ByteSource.CHUNK_BYTES),
        headers.stream().map(PutArtifactHeader::getOffset).toList());
    byte[] prefix = sha256(Arrays.copyOf(LARGE, ByteSource.CHUNK_BYTES));
    assertEquals(ByteString.copyFrom(prefix), headers.get(1).getPrefixSha256());
    byte[] rest = Arrays.copyOfRange(LARGE, 2 * ByteSource.CHUNK_BYTES, LARGE.length);
    assertArrayEquals(sha256(rest), server.uploads.sha256.toByteArray());
    assertEquals(1, headers.stream().map(PutArtifactHeader::getUploadId).distinct().count());
    assertEquals(1, headers.stream().map(PutArtifactHeader::getRequestId).distinct().count());
    assertEquals(2, pauses.size());
  }

  @Test
  void aLostAnswerIsAskedFor() {
    server.uploads.losesAnswer = true;
    server.on(
        ArtifactServiceGrpc.getGetArtifactMethod(),
        ScriptedServer.answer(
            (GetArtifactRequest request) ->
                GetArtifactResponse.newBuilder()
                    .setArtifact(Artifact.newBuilder().setArtifactId(request.getArtifactId()))
                    .build()));
    assertEquals(FakeUploads.STORED, put(ByteSource.of(LARGE)).getArtifactId());
    assertEquals(1, server.uploads.headers.size());
  }

  @Test
  void anUploadWithoutProgressIsGivenUp() {
    server.uploads.breaks.addAll(List.of(0, 0, 0, 0, 0));
    Unavailable error = assertThrows(Unavailable.class, () -> put(ByteSource.of(LARGE)));
    assertEquals(4, server.uploads.headers.size());
    assertEquals(3, pauses.size());
    assertEquals(server.uploads.headers.get(0).getRequestId(), error.requestId());
  }

  @Test
  void whatCanBeReadOnceIsSentOnce() {
    server.uploads.breaks.add(ByteSource.CHUNK_BYTES);
    ByteSource source = ByteSource.of(new ByteArrayInputStream(LARGE));
    assertThrows(Unavailable.class, () -> put(source));
    assertEquals(1, server.uploads.headers.size());
  }

  @Test
  void aFailureOfTheSourceIsTold() {
    InputStream broken =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("file is gone");
          }
        };
    UncheckedIOException told =
        assertThrows(UncheckedIOException.class, () -> put(ByteSource.of(broken)));
    assertEquals("file is gone", told.getCause().getMessage());
  }
}
