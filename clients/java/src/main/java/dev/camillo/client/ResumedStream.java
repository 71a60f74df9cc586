package dev.camillo.client;

import dev.camillo.client.errors.CamilloError;
import dev.camillo.client.errors.Failure;
import dev.camillo.client.errors.Failures;
import dev.camillo.client.errors.Overloaded;
import dev.camillo.client.errors.Unavailable;
import io.grpc.Status;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;

/**
 * The messages of a stream that outlives a connection: it is begun anew behind the last message
 * handed out.
 */
final class ResumedStream<R> implements Iterator<R>, AutoCloseable {
  // A watch has no end; a server that closes one in good order is going away.
  private static final Failure ENDED =
      Failure.of(Status.Code.UNAVAILABLE, "the server ended the watch");

  private final Calls calls;
  private final Source<R> source;
  private final int maxFailures;
  private ServerStream<R> current;
  // In a row, without a message between them.
  private int failures;
  private volatile boolean isClosed;

  /** Where the messages come from. */
  interface Source<R> {
    /** Begins where {@code taken} left off. */
    ServerStream<R> begin();

    /** Takes note of a message that is handed out; what it throws ends the stream. */
    void taken(R message);

    /** Whether it has no end of its own, as a watch. */
    boolean isEndless();

    /** Whether all has come, so that nothing has to be begun anew. */
    boolean isComplete();
  }

  ResumedStream(Calls calls, int maxFailures, Source<R> source) {
    this.calls = calls;
    this.maxFailures = maxFailures;
    this.source = source;
  }

  @Override
  public boolean hasNext() {
    while (!isClosed) {
      ServerStream<R> stream = stream();
      Optional<CamilloError> breakOff = broken(stream);
      if (breakOff.isEmpty()) {
        // A message, or the end of a stream that has one.
        return stream.hasNext();
      }
      if (source.isComplete()) {
        return false;
      }
      resume(breakOff.get());
    }
    return false;
  }

  @Override
  public R next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    R message = stream().next();
    failures = 0;
    try {
      source.taken(message);
    } catch (RuntimeException refused) {
      // Nobody will take what the call would still bring.
      close();
      throw refused;
    }
    return message;
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    if (current != null) {
      current.close();
    }
  }

  /** Why the stream has to be begun anew; nothing while it goes on, or has come to its end. */
  private Optional<CamilloError> broken(ServerStream<R> stream) {
    try {
      boolean isOver = !stream.hasNext() && source.isEndless() && !isClosed;
      return isOver ? Optional.of(Failures.typed(ENDED)) : Optional.empty();
    } catch (Unavailable | Overloaded error) {
      // When a server comes back, all whom it left do so at once.
      return Optional.of(error);
    }
  }

  private synchronized ServerStream<R> stream() {
    if (current == null) {
      current = source.begin();
    }
    if (isClosed) {
      // By another thread, while this one began.
      current.close();
    }
    return current;
  }

  private void resume(CamilloError breakOff) {
    drop();
    failures++;
    calls.waitAfter(breakOff, failures, maxFailures);
  }

  private synchronized void drop() {
    current.close();
    current = null;
  }
}
