package dev.camillo.client;

import dev.camillo.client.errors.Failures;
import dev.camillo.client.errors.RevisionUnknown;
import dev.camillo.v1.BatchRecallRequest;
import dev.camillo.v1.BatchRecallResponse;
import dev.camillo.v1.BatchRecallResult;
import dev.camillo.v1.MemoryServiceGrpc;
import dev.camillo.v1.RecallRequest;
import io.grpc.Deadline;
import java.util.ArrayList;
import java.util.List;

/** Several recalls in one call: each demands for itself to see the client's own writes. */
final class BatchRecalls {
  private final Calls calls;
  private final WrittenRevisions written;

  BatchRecalls(Calls calls) {
    this.calls = calls;
    this.written = calls.connection().written();
  }

  /** A recall without the demands that were put into it, and with them. */
  private record Part(RecallRequest open, Demands demands) {
    RecallRequest sent() {
      return demands.in(open);
    }
  }

  /** The answer; if a demand of this client's is void, the batch is asked once more without it. */
  BatchRecallResponse call(BatchRecallRequest batch, Deadline deadline) {
    List<Part> parts = batch.getRequestsList().stream().map(this::demanding).toList();
    BatchRecallResponse answer = ask(parts.stream().map(Part::sent).toList(), deadline);
    List<RecallRequest> again = new ArrayList<>();
    boolean isVoid = false;
    for (int place = 0; place < parts.size(); place++) {
      Part part = parts.get(place);
      boolean isAnswered = place < answer.getResultsCount();
      boolean isUnknown = isAnswered && settle(part, answer.getResults(place));
      again.add(isUnknown ? part.open() : part.sent());
      isVoid |= isUnknown;
    }
    return isVoid ? ask(again, deadline) : answer;
  }

  private Part demanding(RecallRequest given) {
    RecallRequest request = calls.settings().in(given);
    return new Part(request, new Demands(written, request));
  }

  /** Takes note of a result; whether a demand was void. */
  private boolean settle(Part part, BatchRecallResult result) {
    if (part.demands().isEmpty()) {
      return false;
    }
    if (!result.hasError()) {
      part.demands().met(result.getResponse());
      return false;
    }
    boolean isUnknown = Failures.of(result.getError()) instanceof RevisionUnknown;
    if (isUnknown) {
      part.demands().drop();
    }
    return isUnknown;
  }

  private BatchRecallResponse ask(List<RecallRequest> requests, Deadline deadline) {
    BatchRecallRequest batch = BatchRecallRequest.newBuilder().addAllRequests(requests).build();
    return calls.unary(MemoryServiceGrpc.getBatchRecallMethod(), batch, deadline);
  }
}
