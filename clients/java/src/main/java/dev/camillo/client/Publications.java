package dev.camillo.client;

import com.google.protobuf.ByteString;
import dev.camillo.client.WrittenRevisions.Ticket;
import dev.camillo.client.errors.CamilloError;
import dev.camillo.client.errors.Failures;
import dev.camillo.client.errors.Overloaded;
import dev.camillo.client.errors.Unavailable;
import dev.camillo.v1.KnowledgeServiceGrpc;
import dev.camillo.v1.PublishDocumentFinish;
import dev.camillo.v1.PublishDocumentHeader;
import dev.camillo.v1.PublishDocumentRequest;
import dev.camillo.v1.PublishDocumentResponse;
import io.grpc.stub.ClientCalls;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Publishes documents of any length, in constant memory, over all calls that it takes. */
final class Publications {
  // In a row.
  private static final int MAX_FAILURES = 3;

  private final Calls calls;
  private final WrittenRevisions written;

  Publications(Calls calls) {
    this.calls = calls;
    this.written = calls.connection().written();
  }

  /** Sends it; what can be read again is sent again after a break, under the same request id. */
  PublishDocumentResponse send(PublishDocumentHeader given, ByteSource source) {
    PublishDocumentHeader header =
        given.getRequestId().isEmpty()
            ? given.toBuilder().setRequestId(RequestFields.newRequestId()).build()
            : given;
    Ticket ticket = written.begin(Camillo.SHARED);
    try {
      PublishDocumentResponse answer = repeated(new Messages(header), source);
      written.wrote(ticket, answer.getSharedRevision(), !given.getRequestId().isEmpty());
      return answer;
    } catch (CamilloError error) {
      CamilloError named = Failures.typed(error.failure().withRequestId(header.getRequestId()));
      named.initCause(error);
      throw named;
    } catch (IOException failed) {
      throw new UncheckedIOException(failed);
    }
  }

  private PublishDocumentResponse repeated(Messages messages, ByteSource source)
      throws IOException {
    for (int failures = 1; ; failures++) {
      try {
        return attempt(messages, source);
      } catch (Unavailable | Overloaded breakOff) {
        if (!source.canRestart()) {
          throw breakOff;
        }
        calls.waitAfter(breakOff, failures, MAX_FAILURES);
      }
    }
  }

  private PublishDocumentResponse attempt(Messages messages, ByteSource source) throws IOException {
    ClientStream<PublishDocumentRequest, PublishDocumentResponse> call = new ClientStream<>();
    ClientCalls.asyncClientStreamingCall(
        calls
            .channelFor(calls.settings().agentId())
            .newCall(KnowledgeServiceGrpc.getPublishDocumentMethod(), calls.streamOptions()),
        call);
    return new UploadFeed<PublishDocumentRequest, PublishDocumentResponse>(source, messages)
        .send(call);
  }

  private record Messages(PublishDocumentHeader given)
      implements UploadFeed.Messages<PublishDocumentRequest> {
    @Override
    public PublishDocumentRequest header() {
      return PublishDocumentRequest.newBuilder().setHeader(given).build();
    }

    @Override
    public PublishDocumentRequest bytes(long offset, ByteString chunk) {
      return PublishDocumentRequest.newBuilder().setData(chunk).build();
    }

    @Override
    public PublishDocumentRequest finish(ByteString sha256) {
      return PublishDocumentRequest.newBuilder()
          .setFinish(PublishDocumentFinish.newBuilder().setSha256(sha256))
          .build();
    }
  }
}
