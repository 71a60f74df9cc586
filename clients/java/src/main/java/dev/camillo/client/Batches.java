package dev.camillo.client;

import com.google.protobuf.Message;
import dev.camillo.client.errors.CamilloError;
import dev.camillo.client.errors.Failures;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;

/** Many mutations under one request id: that of each further batch is made of the first. */
final class Batches {
  private final String firstId;

  Batches(String firstId) {
    this.firstId = firstId;
  }

  /** What became of each, in the order given; {@code send} takes the request id and a batch. */
  <M extends Message, T> List<Outcome<T>> send(
      Iterable<? extends M> messages, BiFunction<String, List<M>, List<Outcome<T>>> send) {
    List<Outcome<T>> outcomes = new ArrayList<>();
    Packs<M> packs = new Packs<>(messages);
    try {
      for (int number = 0; packs.hasNext(); number++) {
        String id = number == 0 ? firstId : firstId + "." + number;
        outcomes.addAll(send.apply(id, packs.next()));
      }
    } catch (CamilloError error) {
      CamilloError named = Failures.typed(error.failure().withRequestId(firstId));
      named.initCause(error);
      throw named;
    }
    return outcomes;
  }
}
