package dev.camillo.client;

import dev.camillo.v1.ArtifactServiceGrpc;
import dev.camillo.v1.ReadArtifactRequest;
import dev.camillo.v1.ReadArtifactResponse;
import java.util.Iterator;

/** The bytes of a range in messages, each checked; goes on after a break where it ended. */
final class ArtifactStream implements Iterator<ReadArtifactResponse>, AutoCloseable {
  // In a row, without a message between them.
  private static final int MAX_FAILURES = 3;

  private final Calls calls;
  private final ReadArtifactRequest request;
  private final RangeCheck check = new RangeCheck();
  private final ResumedStream<ReadArtifactResponse> messages;
  private volatile boolean isClosed;

  ArtifactStream(Calls calls, ReadArtifactRequest request) {
    this.calls = calls;
    this.request = request;
    this.messages = new ResumedStream<>(calls, MAX_FAILURES, new Bytes());
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

  private final class Bytes implements ResumedStream.Source<ReadArtifactResponse> {
    @Override
    public ServerStream<ReadArtifactResponse> begin() {
      return calls.stream(ArtifactServiceGrpc.getReadArtifactMethod(), check.rest(request));
    }

    @Override
    public void taken(ReadArtifactResponse message) {
      check.take(message);
    }

    @Override
    public boolean isEndless() {
      return false;
    }

    @Override
    public boolean isComplete() {
      return check.isComplete();
    }
  }
}
