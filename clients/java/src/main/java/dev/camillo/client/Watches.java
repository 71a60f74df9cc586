package dev.camillo.client;

import com.google.protobuf.Message;
import io.grpc.MethodDescriptor;

/** A stream of changes that goes on behind the last one handed out, by its resume token. */
final class Watches<Q extends Message, R extends Message> implements ResumedStream.Source<R> {
  static final int MAX_RECONNECTS = 10;
  private static final String RESUME_TOKEN = "resume_token";
  private static final String CHANGE = "change";

  private final Calls calls;
  private final MethodDescriptor<Q, R> method;
  private Q request;

  Watches(Calls calls, MethodDescriptor<Q, R> method, Q request) {
    this.calls = calls;
    this.method = method;
    this.request = request;
  }

  /** Whether a stream that is asked for so is a watch. */
  static boolean isAskedFor(Message request) {
    return RequestFields.has(request, RESUME_TOKEN);
  }

  /** The messages; gives up after so many connections in a row that brought nothing. */
  Series<R> messages(int maxReconnects) {
    ResumedStream<R> answers = new ResumedStream<>(calls, maxReconnects, this);
    return new Series<>(answers, answers::close);
  }

  @Override
  public ServerStream<R> begin() {
    return calls.stream(method, request);
  }

  @Override
  public boolean isEndless() {
    return true;
  }

  @Override
  public boolean isComplete() {
    return false;
  }

  @Override
  public void taken(R answer) {
    String token = RequestFields.text(RequestFields.part(answer, CHANGE), RESUME_TOKEN);
    if (!token.isEmpty()) {
      request = RequestFields.withText(request, RESUME_TOKEN, token);
    }
  }
}
