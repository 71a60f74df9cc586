package dev.camillo.client;

import dev.camillo.client.WrittenRevisions.Ticket;
import dev.camillo.client.errors.Failures;
import dev.camillo.client.errors.RevisionUnknown;
import dev.camillo.v1.BatchRecallRequest;
import dev.camillo.v1.BatchRecallResponse;
import dev.camillo.v1.BatchRecallResult;
import dev.camillo.v1.Freshness;
import dev.camillo.v1.MemoryServiceGrpc;
import dev.camillo.v1.RecallRequest;
import io.grpc.Deadline;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Several recalls in one call: each demands for itself to see the client's own writes. */
final class BatchRecalls {
  private final Calls calls;
  private final WrittenRevisions written;

  BatchRecalls(Calls calls) {
    this.calls = calls;
    this.written = calls.connection().written();
  }

  /** A recall, the ticket of the demand that was put into it, and the request without that. */
  private record Part(RecallRequest open, Optional<Ticket> ticket, RecallRequest sent) {}

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
    RecallRequest request = RequestFields.withAgentId(given, calls.settings().agentId());
    Ticket ticket = written.begin(request.getAgentId());
    Optional<Freshness> demand = request.hasFreshness() ? Optional.empty() : written.demand(ticket);
    return demand
        .map(
            freshness ->
                new Part(
                    request,
                    Optional.of(ticket),
                    request.toBuilder().setFreshness(freshness).build()))
        .orElseGet(() -> new Part(request, Optional.empty(), request));
  }

  /** Takes note of a result; whether the demand was void. */
  private boolean settle(Part part, BatchRecallResult result) {
    if (part.ticket().isEmpty()) {
      return false;
    }
    Ticket ticket = part.ticket().get();
    if (!result.hasError()) {
      written.read(ticket, result.getResponse().getRevision());
      return false;
    }
    boolean isUnknown = Failures.of(result.getError()) instanceof RevisionUnknown;
    if (isUnknown) {
      written.drop(ticket);
    }
    return isUnknown;
  }

  private BatchRecallResponse ask(List<RecallRequest> requests, Deadline deadline) {
    BatchRecallRequest batch = BatchRecallRequest.newBuilder().addAllRequests(requests).build();
    return calls.unary(MemoryServiceGrpc.getBatchRecallMethod(), batch, deadline);
  }
}
