package dev.camillo.client;

import dev.camillo.client.errors.BytesDamaged;
import dev.camillo.client.errors.Failure;
import dev.camillo.v1.ReadArtifactRequest;
import dev.camillo.v1.ReadArtifactResponse;
import io.grpc.Status;
import java.util.Locale;
import java.util.zip.CRC32C;

/**
 * Follows the messages of a read, over all calls that it takes: bytes are those that the server
 * read, as their CRC-32C, their places and their number tell.
 */
final class RangeCheck {
  private final CRC32C crc32c = new CRC32C();
  private long takenBytes;
  private long rangeBytes;
  // Where the next message begins; below 0 before the first one.
  private long nextOffset = -1;

  /** Throws BytesDamaged if the bytes so far are not those that the server counted. */
  void take(ReadArtifactResponse message) {
    long end = message.getOffset() + message.getData().size();
    if (nextOffset >= 0 && message.getOffset() != nextOffset) {
      throw damaged("bytes at %,d came where those at %,d follow", message.getOffset(), nextOffset);
    }
    crc32c.update(message.getData().asReadOnlyByteBuffer());
    if ((int) crc32c.getValue() != message.getCrc32C()) {
      throw damaged("checksum differs in the bytes before %,d", end);
    }
    rangeBytes = message.getRangeBytes();
    takenBytes += message.getData().size();
    nextOffset = end;
  }

  /** Whether all has come; never known of a range by JSON pointer. */
  boolean isComplete() {
    return rangeBytes != 0 && takenBytes == rangeBytes;
  }

  /** Throws BytesDamaged if there should have been more. */
  void end() {
    // The length of a range by JSON pointer is not known beforehand.
    if (rangeBytes != 0 && takenBytes != rangeBytes) {
      throw damaged("%,d bytes came of %,d", takenBytes, rangeBytes);
    }
  }

  /** The request for what has not come yet. */
  ReadArtifactRequest rest(ReadArtifactRequest request) {
    return request.toBuilder()
        .setResumeAfterBytes(takenBytes)
        .setResumeCrc32C((int) crc32c.getValue())
        .build();
  }

  private static BytesDamaged damaged(String told, Object... numbers) {
    String message = String.format(Locale.ROOT, told, numbers);
    return new BytesDamaged(Failure.of(Status.Code.DATA_LOSS, message));
  }
}
