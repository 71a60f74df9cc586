package dev.camillo.client;

import com.google.protobuf.Message;
import dev.camillo.client.WrittenRevisions.Ticket;
import dev.camillo.client.errors.RevisionUnknown;
import dev.camillo.v1.AdminServiceGrpc;
import dev.camillo.v1.BatchRecallRequest;
import io.grpc.Deadline;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;

/**
 * The one path of every call with one answer: writes that happen once, reads that see the client's
 * own writes.
 */
final class UnaryCalls {
  private final Calls calls;
  private final WrittenRevisions written;

  UnaryCalls(Calls calls) {
    this.calls = calls;
    this.written = calls.connection().written();
  }

  /** The answer. A request id of the caller's may have been used before. */
  <Q extends Message, R extends Message> R call(MethodDescriptor<Q, R> method, Q request) {
    return call(method, request, !RequestFields.requestId(request).isEmpty());
  }

  /** The answer, where it is known whether the request may have been sent before. */
  @SuppressWarnings("unchecked")
  <Q extends Message, R extends Message> R call(
      MethodDescriptor<Q, R> method, Q given, boolean isRepeatable) {
    Methods.check(method, MethodType.UNARY);
    Q request = RequestFields.withRequestId(forAgent(method, given));
    Deadline deadline = calls.deadline();
    if (request instanceof BatchRecallRequest batch) {
      return (R) new BatchRecalls(calls).call(batch, deadline);
    }
    if (RequestFields.isFreshRead(request)) {
      return read(method, request, deadline);
    }
    if (RequestFields.isWrite(request)) {
      return write(method, request, deadline, isRepeatable);
    }
    return calls.unary(method, request, deadline);
  }

  /** The request with the client's space and what is read beside it, where it names none. */
  <Q extends Message> Q forAgent(MethodDescriptor<?, ?> method, Q request) {
    // There, an agent is what the call is about, not who calls.
    boolean isAdmin = AdminServiceGrpc.SERVICE_NAME.equals(method.getServiceName());
    return isAdmin ? request : calls.settings().in(request);
  }

  private <Q extends Message, R extends Message> R write(
      MethodDescriptor<Q, R> method, Q request, Deadline deadline, boolean isRepeatable) {
    boolean isShared = RequestFields.changesShared(request, Methods.answer(method));
    String agentId = isShared ? Camillo.SHARED : RequestFields.agentId(request, "");
    Ticket ticket = written.begin(agentId);
    R answer = calls.unary(method, request, deadline);
    written.wrote(ticket, RequestFields.writtenRevision(answer), isRepeatable);
    return answer;
  }

  private <Q extends Message, R extends Message> R read(
      MethodDescriptor<Q, R> method, Q request, Deadline deadline) {
    Demands demands = new Demands(written, request);
    if (demands.isEmpty()) {
      return calls.unary(method, request, deadline);
    }
    try {
      R answer = calls.unary(method, demands.in(request), deadline);
      demands.met(answer);
      return answer;
    } catch (RevisionUnknown unknown) {
      // Not the caller's demand but ours, and void: the database was restored, or the scope
      // removed.
      demands.drop();
      return calls.unary(method, request, deadline);
    }
  }
}
