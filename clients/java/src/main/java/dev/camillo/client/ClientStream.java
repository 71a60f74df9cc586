package dev.camillo.client;

import dev.camillo.client.errors.Failure;
import dev.camillo.client.errors.Failures;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;

/**
 * The sending side of a client stream: sends no faster than the connection takes it, and waits for
 * the one answer.
 */
final class ClientStream<Q, R> implements ClientResponseObserver<Q, R> {
  private ClientCallStreamObserver<Q> requests;
  private R answer;
  private Throwable failed;
  private boolean isOver;

  @Override
  public void beforeStart(ClientCallStreamObserver<Q> stream) {
    requests = stream;
    requests.setOnReadyHandler(this::wake);
  }

  @Override
  public synchronized void onNext(R value) {
    answer = value;
  }

  @Override
  public synchronized void onError(Throwable failure) {
    failed = failure;
    isOver = true;
    notifyAll();
  }

  @Override
  public synchronized void onCompleted() {
    isOver = true;
    notifyAll();
  }

  /** Sends a message when there is room; false if the call is over already. */
  synchronized boolean send(Q message) {
    while (!isOver && !requests.isReady()) {
      await();
    }
    if (!isOver) {
      requests.onNext(message);
    }
    return !isOver;
  }

  /** Says that all was sent, and waits for the answer. */
  synchronized R finish() {
    if (!isOver) {
      requests.onCompleted();
    }
    while (!isOver) {
      await();
    }
    if (failed != null) {
      throw Failures.of(failed);
    }
    if (answer == null) {
      throw Failures.typed(Failure.of(Status.Code.INTERNAL, "the call ended without an answer"));
    }
    return answer;
  }

  /** Breaks the call off, because of what went wrong on this side. */
  void cancel(Throwable cause) {
    requests.cancel("the sender broke off", cause);
  }

  private synchronized void wake() {
    notifyAll();
  }

  private void await() {
    try {
      wait();
    } catch (InterruptedException interrupted) {
      Thread.currentThread().interrupt();
      throw Failures.typed(Failure.of(Status.Code.CANCELLED, "interrupted while sending"));
    }
  }
}
