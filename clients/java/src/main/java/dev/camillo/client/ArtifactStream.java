package dev.camillo.client;

import dev.camillo.v1.ArtifactServiceGrpc;
import dev.camillo.v1.ReadArtifactRequest;
import dev.camillo.v1.ReadArtifactResponse;
import java.util.Iterator;

/** The bytes of a range in messages, each checked; goes on after a break where it ended. */
final class ArtifactStream implements Iterator<ReadArtifactResponse>, AutoCloseable {
  // In a row, without a message between them.
  private static final int MAX_FAILURES = 3;

  private final RangeCheck check = new RangeCheck();
  private final ResumedStream<ReadArtifactResponse> messages;
  private boolean isClosed;

  ArtifactStream(Calls calls, ReadArtifactRequest request) {
    messages =
        new ResumedStream<>(
            calls,
            ResumedStream.Kind.FINITE,
            MAX_FAILURES,
            () -> calls.stream(ArtifactServiceGrpc.getReadArtifactMethod(), check.rest(request)),
            check::take);
  }

  @Override
  public boolean hasNext() {
    boolean goesOn = messages.hasNext();
    if (!goesOn && !isClosed) {
      check.end();
    }
    return goesOn;
  }

  @Override
  public ReadArtifactResponse next() {
    return messages.next();
  }

  @Override
  public void close() {
    isClosed = true;
    messages.close();
  }
}
