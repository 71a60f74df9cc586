package dev.camillo.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import dev.camillo.v1.Artifact;
import dev.camillo.v1.GetUploadRequest;
import dev.camillo.v1.GetUploadResponse;
import dev.camillo.v1.PutArtifactHeader;
import dev.camillo.v1.PutArtifactRequest;
import dev.camillo.v1.PutArtifactResponse;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Takes uploads of one artifact, and breaks off as a test says. */
final class FakeUploads {
  static final String STORED = "stored_1";

  /** After so many bytes in all, a call breaks off; one number for each call. */
  final Deque<Integer> breaks = new ArrayDeque<>();

  /** With what it breaks off. */
  volatile Status breaking = Status.UNAVAILABLE;

  /** The headers of all calls. */
  final List<PutArtifactHeader> headers = new CopyOnWriteArrayList<>();

  /** The SHA-256 that the last call told. */
  volatile ByteString sha256 = ByteString.EMPTY;

  /** Whether the answer to the next upload is lost. */
  volatile boolean losesAnswer;

  private volatile ByteString held = ByteString.EMPTY;
  private volatile boolean isFinished;

  byte[] held() {
    return held.toByteArray();
  }

  /** Returns what GetUpload tells: how much is held, or what the upload became. */
  ScriptedServer.Reply found() {
    return ScriptedServer.answer(
        (GetUploadRequest request) -> {
          GetUploadResponse.Builder upload = GetUploadResponse.newBuilder();
          return isFinished
              ? upload.setArtifactId(STORED).build()
              : upload.setHeldBytes(held.size()).build();
        });
  }

  /** One call of an upload. */
  StreamObserver<Message> take(StreamObserver<Message> answers) {
    Integer breaksAt = breaks.poll();
    return new StreamObserver<>() {
      private boolean isOver;

      @Override
      public void onNext(Message message) {
        if (isOver) {
          return;
        }
        PutArtifactRequest part = (PutArtifactRequest) message;
        if (part.hasHeader()) {
          headers.add(part.getHeader());
        } else if (part.hasFinish()) {
          sha256 = part.getFinish().getSha256();
        } else {
          take(part);
        }
        if (breaksAt != null && held.size() >= breaksAt) {
          isOver = true;
          answers.onError(breaking.asRuntimeException());
        }
      }

      private void take(PutArtifactRequest part) {
        if (part.getBytes().getOffset() != held.size()) {
          isOver = true;
          answers.onError(Status.DATA_LOSS.asRuntimeException());
        } else {
          held = held.concat(part.getBytes().getData());
        }
      }

      @Override
      public void onError(Throwable failed) {
        isOver = true;
      }

      @Override
      public void onCompleted() {
        if (isOver) {
          return;
        }
        isFinished = true;
        if (losesAnswer) {
          answers.onError(Status.UNAVAILABLE.asRuntimeException());
          return;
        }
        Artifact artifact = Artifact.newBuilder().setArtifactId(STORED).build();
        answers.onNext(PutArtifactResponse.newBuilder().setArtifact(artifact).build());
        answers.onCompleted();
      }
    };
  }
}
