package dev.camillo.client;

import com.google.protobuf.ByteString;
import dev.camillo.v1.ArtifactBytes;
import dev.camillo.v1.PutArtifactFinish;
import dev.camillo.v1.PutArtifactHeader;
import dev.camillo.v1.PutArtifactRequest;

/** The messages of an upload of an artifact, from the offset of its header on. */
record ArtifactMessages(PutArtifactHeader given)
    implements UploadFeed.Messages<PutArtifactRequest> {
  @Override
  public long start() {
    return given.getOffset();
  }

  @Override
  public PutArtifactRequest header() {
    return PutArtifactRequest.newBuilder().setHeader(given).build();
  }

  @Override
  public PutArtifactRequest bytes(long offset, ByteString chunk) {
    ArtifactBytes bytes = ArtifactBytes.newBuilder().setOffset(offset).setData(chunk).build();
    return PutArtifactRequest.newBuilder().setBytes(bytes).build();
  }

  @Override
  public PutArtifactRequest finish(ByteString sha256) {
    return PutArtifactRequest.newBuilder()
        .setFinish(PutArtifactFinish.newBuilder().setSha256(sha256))
        .build();
  }
}
