package dev.camillo.client;

import com.google.protobuf.Message;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;

/**
 * Many messages in few calls, within limits of number and size. One that is too large alone travels
 * alone.
 */
final class Packs<M extends Message> implements Iterator<List<M>> {
  static final int MAX_COUNT = 1000;
  // Below the 4 MiB that a gRPC server takes in one message unless told otherwise.
  private static final int MAX_BYTES = 3 * 1024 * 1024;
  // The tag and the length of an element of a repeated field, at most.
  private static final int ELEMENT_OVERHEAD_BYTES = 6;

  private final Iterator<? extends M> messages;
  // Taken already, and not in a pack yet.
  private M pending;

  Packs(Iterable<? extends M> messages) {
    this.messages = messages.iterator();
    advance();
  }

  @Override
  public boolean hasNext() {
    return pending != null;
  }

  @Override
  public List<M> next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    List<M> pack = new ArrayList<>();
    long bytes = 0;
    do {
      pack.add(pending);
      bytes += size(pending);
      advance();
    } while (hasNext() && pack.size() < MAX_COUNT && bytes + size(pending) <= MAX_BYTES);
    return pack;
  }

  private void advance() {
    pending = messages.hasNext() ? messages.next() : null;
  }

  private static long size(Message message) {
    return (long) message.getSerializedSize() + ELEMENT_OVERHEAD_BYTES;
  }
}
