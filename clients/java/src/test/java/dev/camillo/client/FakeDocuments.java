package dev.camillo.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.Message;
import dev.camillo.v1.PublishDocumentHeader;
import dev.camillo.v1.PublishDocumentRequest;
import dev.camillo.v1.PublishDocumentResponse;
import io.grpc.stub.StreamObserver;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Takes documents whole, and answers or fails as a test says. */
final class FakeDocuments {
  /** Holds what becomes of the next calls: an answer, or a failure; then an empty answer. */
  final Deque<Object> outcomes = new ArrayDeque<>();

  /** Holds what came in each call. */
  final List<Taken> taken = new CopyOnWriteArrayList<>();

  /** One document. */
  static final class Taken {
    volatile PublishDocumentHeader header = PublishDocumentHeader.getDefaultInstance();
    volatile ByteString bytes = ByteString.EMPTY;
    volatile ByteString sha256 = ByteString.EMPTY;
    volatile int largest;

    private void take(PublishDocumentRequest part) {
      switch (part.getPartCase()) {
        case HEADER -> header = part.getHeader();
        case FINISH -> sha256 = part.getFinish().getSha256();
        default -> {
          bytes = bytes.concat(part.getData());
          largest = Math.max(largest, part.getData().size());
        }
      }
    }
  }

  /** The next call answers so. */
  void answer(PublishDocumentResponse.Builder answer) {
    outcomes.add(answer.build());
  }

  /** One call. */
  StreamObserver<Message> take(StreamObserver<Message> answers) {
    Taken document = new Taken();
    taken.add(document);
    return new StreamObserver<>() {
      @Override
      public void onNext(Message message) {
        document.take((PublishDocumentRequest) message);
      }

      @Override
      public void onError(Throwable failed) {}

      @Override
      public void onCompleted() {
        Object outcome = outcomes.poll();
        if (outcome instanceof Throwable failure) {
          answers.onError(failure);
          return;
        }
        answers.onNext(
            outcome == null ? PublishDocumentResponse.getDefaultInstance() : (Message) outcome);
        answers.onCompleted();
      }
    };
  }
}
