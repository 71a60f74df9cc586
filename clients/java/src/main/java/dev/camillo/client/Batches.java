package dev.camillo.client;

import com.google.protobuf.Message;
import dev.camillo.client.errors.CamilloError;
import dev.camillo.client.errors.Failure;
import dev.camillo.client.errors.Failures;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/** Many mutations under one request id: that of each further batch is made of the first. */
final class Batches {
  private final String firstId;

  Batches(String firstId) {
    this.firstId = firstId;
  }

  /** The outcome of each, in the order given; {@code send} takes the request id and a batch. */
  <M extends Message, T> List<Outcome<T>> send(
      Iterable<? extends M> messages, BiFunction<String, List<M>, List<Outcome<T>>> send) {
    List<Outcome<T>> outcomes = new ArrayList<>();
    Packs<M> packs = new Packs<>(messages);
    try {
      for (int number = 0; packs.hasNext(); number++) {
        String id = number == 0 ? firstId : firstId + "." + number;
        List<M> pack = packs.next();
        outcomes.addAll(whole(send.apply(id, pack), pack.size()));
      }
    } catch (CamilloError error) {
      CamilloError named = Failures.typed(error.failure().withRequestId(firstId));
      named.initCause(error);
      throw named;
    }
    return outcomes;
  }

  /** With one too few, every outcome behind it would be told of another message than its own. */
  private static <T> List<Outcome<T>> whole(List<Outcome<T>> outcomes, int sent) {
    if (outcomes.size() != sent) {
      String told = "the server answered " + outcomes.size() + " of " + sent + " messages";
      throw Failures.typed(Failure.of(Status.Code.INTERNAL, told));
    }
    return outcomes;
  }
}
