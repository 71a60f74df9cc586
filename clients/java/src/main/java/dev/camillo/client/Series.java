package dev.camillo.client;

import java.util.Iterator;
import java.util.List;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Function;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Many results, fetched while they are taken, to be gone through once. Errors are thrown by
 * {@code hasNext} and {@code next} of the iterator, as a {@link
 * dev.camillo.client.errors.CamilloError}.
 *
 * <p>A series that is a stream of the server holds a call open: close what you leave early, with
 * try-with-resources.
 *
 * @param <T> what it consists of
 */
public final class Series<T> implements Iterable<T>, AutoCloseable {
  private final Iterator<T> results;
  private final Runnable close;
  private boolean isTaken;

  Series(Iterator<T> results, Runnable close) {
    this.results = results;
    this.close = close;
  }

  /** The results in their order; IllegalStateException the second time. */
  @Override
  public Iterator<T> iterator() {
    if (isTaken) {
      throw new IllegalStateException("a series is gone through once");
    }
    isTaken = true;
    return results;
  }

  /** The results in their order. Closing the stream closes the series. */
  public Stream<T> stream() {
    int order = Spliterator.ORDERED | Spliterator.NONNULL;
    return StreamSupport.stream(Spliterators.spliteratorUnknownSize(iterator(), order), false)
        .onClose(close);
  }

  /** All results at once. */
  public List<T> toList() {
    try (Stream<T> all = stream()) {
      return all.toList();
    }
  }

  /** Ends the call that brings the results, if there is one. */
  @Override
  public void close() {
    close.run();
  }

  /** The outcome of each result. */
  <U> Series<U> map(Function<T, U> change) {
    return parts(result -> List.of(change.apply(result)));
  }

  /** The parts of each result, one after another. */
  <U> Series<U> parts(Function<T, ? extends Iterable<U>> split) {
    return new Series<>(new Parts<>(iterator(), split), close);
  }

  private static final class Parts<T, U> implements Iterator<U> {
    private final Iterator<T> wholes;
    private final Function<T, ? extends Iterable<U>> split;
    private Iterator<U> current = List.<U>of().iterator();

    Parts(Iterator<T> wholes, Function<T, ? extends Iterable<U>> split) {
      this.wholes = wholes;
      this.split = split;
    }

    @Override
    public boolean hasNext() {
      while (!current.hasNext() && wholes.hasNext()) {
        current = split.apply(wholes.next()).iterator();
      }
      return current.hasNext();
    }

    @Override
    public U next() {
      // The last whole may have had no parts.
      hasNext();
      return current.next();
    }
  }
}
