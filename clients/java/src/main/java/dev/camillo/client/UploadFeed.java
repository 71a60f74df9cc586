package dev.camillo.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;

/** The messages of one call of an upload: the header, the bytes, and their SHA-256. */
final class UploadFeed<Q, R> {
  private final ByteSource source;
  private final Messages<Q> messages;
  private final MessageDigest sha256 = Digests.sha256();
  private long place;

  /** Holds what the messages are. */
  interface Messages<Q> {
    /** From which byte of the source on it is sent. */
    default long start() {
      return 0;
    }

    /** The first one. */
    Q header();

    /** The next bytes. */
    Q bytes(long offset, ByteString chunk);

    /** The last one. */
    Q finish(ByteString sha256);
  }

  UploadFeed(ByteSource source, Messages<Q> messages) {
    this.source = source;
    this.messages = messages;
    this.place = messages.start();
  }

  /** Sends everything and waits for the answer; a failure of the source breaks the call off. */
  R send(ClientStream<Q, R> call) throws IOException {
    try (InputStream bytes = source.openAt(place)) {
      boolean goesOn = call.send(messages.header());
      ByteString chunk = next(bytes);
      while (goesOn && !chunk.isEmpty()) {
        goesOn = call.send(message(chunk));
        chunk = goesOn ? next(bytes) : ByteString.EMPTY;
      }
      if (goesOn) {
        call.send(messages.finish(ByteString.copyFrom(sha256.digest())));
      }
      return call.finish();
    } catch (IOException | RuntimeException | Error failed) {
      call.cancel(failed);
      throw failed;
    }
  }

  /** The next bytes, none at the end of what is to be sent. */
  private ByteString next(InputStream bytes) throws IOException {
    long left = source.size().orElse(Long.MAX_VALUE) - place;
    byte[] chunk = bytes.readNBytes((int) Math.min(ByteSource.CHUNK_BYTES, left));
    // Not copied: nobody else has this array.
    return UnsafeByteOperations.unsafeWrap(chunk);
  }

  private Q message(ByteString chunk) {
    Q message = messages.bytes(place, chunk);
    sha256.update(chunk.asReadOnlyByteBuffer());
    place += chunk.size();
    return message;
  }
}
