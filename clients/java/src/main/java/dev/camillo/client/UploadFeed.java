package dev.camillo.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.camillo.v1.ArtifactBytes;
import dev.camillo.v1.PutArtifactFinish;
import dev.camillo.v1.PutArtifactHeader;
import dev.camillo.v1.PutArtifactRequest;
import dev.camillo.v1.PutArtifactResponse;
import java.io.IOException;
import java.io.InputStream;
import java.security.MessageDigest;

/**
 * The messages of one call of an upload: the header, the bytes from its offset on, and their
 * SHA-256.
 */
final class UploadFeed {
  private final ByteSource source;
  private final PutArtifactHeader header;
  private final MessageDigest sha256 = Digests.sha256();
  private long place;

  UploadFeed(ByteSource source, PutArtifactHeader header) {
    this.source = source;
    this.header = header;
    this.place = header.getOffset();
  }

  /** Sends everything and waits for the answer; a failure of the source breaks the call off. */
  PutArtifactResponse send(ClientStream<PutArtifactRequest, PutArtifactResponse> call)
      throws IOException {
    try (InputStream bytes = source.openAt(place)) {
      boolean goesOn = call.send(PutArtifactRequest.newBuilder().setHeader(header).build());
      ByteString chunk = next(bytes);
      while (goesOn && !chunk.isEmpty()) {
        goesOn = call.send(message(chunk));
        chunk = goesOn ? next(bytes) : ByteString.EMPTY;
      }
      if (goesOn) {
        call.send(finish());
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

  private PutArtifactRequest message(ByteString chunk) {
    ArtifactBytes bytes = ArtifactBytes.newBuilder().setOffset(place).setData(chunk).build();
    sha256.update(chunk.asReadOnlyByteBuffer());
    place += chunk.size();
    return PutArtifactRequest.newBuilder().setBytes(bytes).build();
  }

  private PutArtifactRequest finish() {
    ByteString digest = ByteString.copyFrom(sha256.digest());
    return PutArtifactRequest.newBuilder()
        .setFinish(PutArtifactFinish.newBuilder().setSha256(digest))
        .build();
  }
}
