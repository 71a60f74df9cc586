package dev.camillo.client;

import com.google.protobuf.ByteString;
import dev.camillo.client.errors.CamilloError;
import dev.camillo.client.errors.Failure;
import dev.camillo.client.errors.Failures;
import dev.camillo.client.errors.Overloaded;
import dev.camillo.client.errors.Unavailable;
import dev.camillo.client.errors.UploadNotFound;
import dev.camillo.client.errors.UploadOffsetMismatch;
import dev.camillo.v1.ArtifactServiceGrpc;
import dev.camillo.v1.GetArtifactRequest;
import dev.camillo.v1.GetArtifactResponse;
import dev.camillo.v1.GetUploadRequest;
import dev.camillo.v1.GetUploadResponse;
import dev.camillo.v1.NewArtifact;
import dev.camillo.v1.PutArtifactHeader;
import dev.camillo.v1.PutArtifactRequest;
import dev.camillo.v1.PutArtifactResponse;
import io.grpc.Status;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.UUID;

/** One upload of bytes of any length, in constant memory, over all calls that it takes. */
final class Uploads {
  // In a row, without progress between them.
  private static final int MAX_FAILURES = 3;

  private final Calls calls;
  private final UnaryCalls unary;
  private final ByteSource source;
  private final PutArtifactHeader.Builder header;

  Uploads(Calls calls, UnaryCalls unary, ByteSource source, NewArtifact artifact) {
    this.calls = calls;
    this.unary = unary;
    this.source = source;
    this.header =
        PutArtifactHeader.newBuilder()
            .setRequestId(RequestFields.newRequestId())
            .setAgentId(calls.settings().agentId())
            .setArtifact(artifact)
            .setUploadId(UUID.randomUUID().toString());
    source.size().ifPresent(header::setSizeBytes);
  }

  /** Sends it; what can be read again goes on after a break where the server holds it. */
  PutArtifactResponse send() {
    try {
      return resumed();
    } catch (CamilloError error) {
      CamilloError named = Failures.typed(error.failure().withRequestId(header.getRequestId()));
      named.initCause(error);
      throw named;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private PutArtifactResponse resumed() throws IOException {
    int failures = 0;
    while (true) {
      long held = header.getOffset();
      CamilloError breakOff;
      try {
        Optional<PutArtifactResponse> known = failures == 0 ? Optional.empty() : found();
        if (known.isPresent()) {
          return known.get();
        }
        failures = header.getOffset() > held ? 0 : failures;
        return attempt();
      } catch (Unavailable | Overloaded | UploadOffsetMismatch error) {
        breakOff = error;
      }
      if (!source.canRestart()) {
        throw breakOff;
      }
      failures++;
      calls.waitAfter(breakOff, failures, MAX_FAILURES);
    }
  }

  private PutArtifactResponse attempt() throws IOException {
    ClientStream<PutArtifactRequest, PutArtifactResponse> call = new ClientStream<>();
    ClientCalls.asyncClientStreamingCall(
        calls
            .channelFor(header.getAgentId())
            .newCall(ArtifactServiceGrpc.getPutArtifactMethod(), calls.streamOptions()),
        call);
    return new UploadFeed<PutArtifactRequest, PutArtifactResponse>(
            source, new ArtifactMessages(header.build()))
        .send(call);
  }

  /** The artifact, if only the answer was lost; else puts into the header where to go on. */
  private Optional<PutArtifactResponse> found() throws IOException {
    GetUploadResponse upload;
    try {
      upload = unary.call(ArtifactServiceGrpc.getGetUploadMethod(), question());
    } catch (UploadNotFound nothing) {
      header.setOffset(0).clearPrefixSha256();
      return Optional.empty();
    }
    if (!upload.getArtifactId().isEmpty()) {
      return Optional.of(stored(upload.getArtifactId()));
    }
    long held = checked(upload.getHeldBytes());
    byte[] prefix = Digests.ofPrefix(source, held);
    header.setOffset(held).setPrefixSha256(ByteString.copyFrom(prefix));
    return Optional.empty();
  }

  private long checked(long held) {
    long most = source.size().orElse(Long.MAX_VALUE);
    if (held < 0 || held > most) {
      String told = "the server holds " + held + " bytes, where there are " + most;
      throw Failures.typed(Failure.of(Status.Code.INTERNAL, told));
    }
    return held;
  }

  private GetUploadRequest question() {
    return GetUploadRequest.newBuilder()
        .setAgentId(header.getAgentId())
        .setUploadId(header.getUploadId())
        .build();
  }

  private PutArtifactResponse stored(String artifactId) {
    GetArtifactRequest request =
        GetArtifactRequest.newBuilder()
            .setAgentId(header.getAgentId())
            .setArtifactId(artifactId)
            .build();
    GetArtifactResponse known = unary.call(ArtifactServiceGrpc.getGetArtifactMethod(), request);
    return PutArtifactResponse.newBuilder()
        .setArtifact(known.getArtifact())
        .setPreview(known.getPreview())
        .addAllRedactions(known.getRedactionsList())
        .build();
  }
}
