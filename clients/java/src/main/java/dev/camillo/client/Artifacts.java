package dev.camillo.client;

import com.google.protobuf.ByteString;
import dev.camillo.v1.Artifact;
import dev.camillo.v1.ArtifactFilter;
import dev.camillo.v1.ArtifactRange;
import dev.camillo.v1.ArtifactServiceGrpc;
import dev.camillo.v1.GetArtifactRequest;
import dev.camillo.v1.GetArtifactResponse;
import dev.camillo.v1.ListArtifactsRequest;
import dev.camillo.v1.ListArtifactsResponse;
import dev.camillo.v1.NewArtifact;
import dev.camillo.v1.OffloadOutputRequest;
import dev.camillo.v1.OffloadOutputResponse;
import dev.camillo.v1.PutArtifactResponse;
import dev.camillo.v1.ReadArtifactRequest;
import dev.camillo.v1.ReadArtifactResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * Artifacts: large outputs kept out of the context and read back in parts. Where an id is asked
 * for, a whole memory ref will do. Failures are {@link dev.camillo.client.errors.CamilloError}.
 */
public final class Artifacts {
  // In one message; what is longer is sent as a stream.
  private static final int MAX_MESSAGE_OUTPUT_BYTES = 3 * 1024 * 1024;

  private final Calls calls;
  private final UnaryCalls unary;

  Artifacts(Calls calls, UnaryCalls unary) {
    this.calls = calls;
    this.unary = unary;
  }

  /** The text to put before the model in place of this output; see the other. */
  public Offloaded offload(String output, Consumer<NewArtifact.Builder> fields) {
    return offload(output.getBytes(StandardCharsets.UTF_8), fields);
  }

  /**
   * The text to put before the model: the output without its secrets if it is short, else what
   * stands for the artifact that holds it. {@code fields} states the tool, the command, its exit
   * code and so on.
   */
  public Offloaded offload(byte[] output, Consumer<NewArtifact.Builder> fields) {
    if (output.length == 0) {
      return Offloaded.empty();
    }
    if (output.length > MAX_MESSAGE_OUTPUT_BYTES) {
      // By way of an upload: nothing that a message cannot hold is short.
      return Offloaded.of(get(put(ByteSource.of(output), fields).getArtifactId()));
    }
    OffloadOutputRequest request =
        OffloadOutputRequest.newBuilder()
            .setOutput(ByteString.copyFrom(output))
            .setArtifact(stated(fields))
            .build();
    OffloadOutputResponse answer =
        unary.call(ArtifactServiceGrpc.getOffloadOutputMethod(), request);
    Redactions.warn(answer.getFieldRedactionsList());
    Redactions.warnOfBytes(answer.getRedactionsList());
    return Offloaded.of(answer);
  }

  /** Stores the file at a path, under its name. */
  public Artifact put(Path path) {
    try {
      return put(ByteSource.of(path), fields -> {});
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  /**
   * Stores bytes, in messages of 256 KiB. A source that can be read again goes on after a break
   * where the server holds it, up to three times without progress. There is no timeout unless
   * streams have one; it is that of each connection. A failure of the source is an
   * UncheckedIOException.
   */
  public Artifact put(ByteSource source, Consumer<NewArtifact.Builder> fields) {
    NewArtifact.Builder artifact = stated(fields).toBuilder();
    if (artifact.getName().isEmpty()) {
      artifact.setName(source.name());
    }
    PutArtifactResponse answer = new Uploads(calls, unary, source, artifact.build()).send();
    Redactions.warn(answer.getFieldRedactionsList());
    Redactions.warnOfBytes(answer.getRedactionsList());
    return answer.getArtifact();
  }

  /** The facts about an artifact, and its preview; ArtifactNotFound if there is none. */
  public GetArtifactResponse get(String artifactId) {
    GetArtifactRequest request =
        GetArtifactRequest.newBuilder().setArtifactId(MemoryRef.artifactIdOf(artifactId)).build();
    return unary.call(ArtifactServiceGrpc.getGetArtifactMethod(), request);
  }

  /**
   * The bytes of a range in messages of up to 256 KiB, each checked. Goes on after a break where it
   * ended; BytesDamaged if bytes came otherwise than they were sent.
   */
  public Series<ReadArtifactResponse> stream(String artifactId, ArtifactRange range) {
    ReadArtifactRequest.Builder request =
        ReadArtifactRequest.newBuilder().setArtifactId(MemoryRef.artifactIdOf(artifactId));
    if (!range.equals(Ranges.all())) {
      request.setRange(range);
    }
    ArtifactStream messages =
        new ArtifactStream(
            calls, unary.forAgent(ArtifactServiceGrpc.getReadArtifactMethod(), request.build()));
    return new Series<>(messages, messages::close);
  }

  /** All bytes of a range at once; see {@link Ranges}. */
  public byte[] read(String artifactId, ArtifactRange range) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    readTo(artifactId, range, bytes);
    return bytes.toByteArray();
  }

  /** Writes the bytes of a range while they come; how many there were. */
  public long readTo(String artifactId, ArtifactRange range, OutputStream target) {
    long written = 0;
    try (Series<ReadArtifactResponse> messages = stream(artifactId, range)) {
      for (ReadArtifactResponse message : messages) {
        message.getData().writeTo(target);
        written += message.getData().size();
      }
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
    return written;
  }

  /** The text of a range; what is not valid in the artifact's encoding is replaced. */
  public String readText(String artifactId, ArtifactRange range) {
    String encoding = get(artifactId).getArtifact().getEncoding();
    byte[] bytes = read(artifactId, range);
    return Texts.decoded(bytes, encoding);
  }

  /** Artifacts that pass all conditions, newest first. */
  public Series<Artifact> list(Consumer<ArtifactFilter.Builder> conditions) {
    ArtifactFilter.Builder filter = ArtifactFilter.newBuilder();
    conditions.accept(filter);
    ListArtifactsRequest request = ListArtifactsRequest.newBuilder().setFilter(filter).build();
    return new Series<>(
            new Pages<>(unary, ArtifactServiceGrpc.getListArtifactsMethod(), request), () -> {})
        .parts(ListArtifactsResponse::getArtifactsList);
  }

  /** All artifacts, newest first. */
  public Series<Artifact> list() {
    return list(conditions -> {});
  }

  private static NewArtifact stated(Consumer<NewArtifact.Builder> fields) {
    NewArtifact.Builder artifact = NewArtifact.newBuilder();
    fields.accept(artifact);
    return artifact.build();
  }
}
