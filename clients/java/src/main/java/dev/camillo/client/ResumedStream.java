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
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The messages of a stream that outlives a connection: it is begun anew behind the last message
 * handed out.
 */
final class ResumedStream<R> implements Iterator<R>, AutoCloseable {
  // A watch has no end; a server that closes one in good order is going away.
  private static final Failure ENDED =
      Failure.of(Status.Code.UNAVAILABLE, "the server ended the watch");

  private final Calls calls;
  private final Kind kind;
  private final int maxFailures;
  private final Supplier<ServerStream<R>> begin;
  private final Consumer<R> taken;
  private ServerStream<R> current;
  // In a row, without a message between them.
  private int failures;
  private volatile boolean isClosed;

  /** Whether a stream has an end of its own. */
  enum Kind {
    /** It has none, as a watch. */
    ENDLESS,
    /** It has one, as the bytes of an artifact. */
    FINITE
  }

  /** {@code begin} knows where to go on from what {@code taken} was told. */
  ResumedStream(
      Calls calls, Kind kind, int maxFailures, Supplier<ServerStream<R>> begin, Consumer<R> taken) {
    this.calls = calls;
    this.kind = kind;
    this.maxFailures = maxFailures;
    this.begin = begin;
    this.taken = taken;
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
    taken.accept(message);
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
      boolean isOver = !stream.hasNext() && kind == Kind.ENDLESS && !isClosed;
      return isOver ? Optional.of(Failures.typed(ENDED)) : Optional.empty();
    } catch (Unavailable error) {
      return Optional.of(error);
    } catch (Overloaded error) {
      if (kind == Kind.ENDLESS) {
        throw error;
      }
      return Optional.of(error);
    }
  }

  private synchronized ServerStream<R> stream() {
    if (current == null) {
      current = begin.get();
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
