package dev.camillo.client;

import dev.camillo.client.errors.CamilloError;
import dev.camillo.v1.ArchiveDocumentRequest;
import dev.camillo.v1.DeleteDocumentRequest;
import dev.camillo.v1.DeleteDocumentResponse;
import dev.camillo.v1.Document;
import dev.camillo.v1.DocumentFilter;
import dev.camillo.v1.GetDocumentRequest;
import dev.camillo.v1.GetDocumentResponse;
import dev.camillo.v1.KnowledgeServiceGrpc;
import dev.camillo.v1.ListDocumentVersionsRequest;
import dev.camillo.v1.ListDocumentVersionsResponse;
import dev.camillo.v1.ListDocumentsRequest;
import dev.camillo.v1.ListDocumentsResponse;
import dev.camillo.v1.NewDocument;
import dev.camillo.v1.PublishDocumentHeader;
import dev.camillo.v1.PublishDocumentResponse;
import dev.camillo.v1.UpdateDocumentRequest;
import dev.camillo.v1.UpdateDocumentResponse;
import java.util.function.Consumer;

/**
 * Documents: what the tenant knows, found in passages by a recall from {@code SOURCE_DOCUMENT}. To
 * write them takes a key that reaches every agent. Failures are {@link CamilloError}. Secrets are
 * never stored: of each one taken out, the logger {@code dev.camillo.client} warns.
 */
public final class Documents {
  private final Calls calls;
  private final UnaryCalls unary;

  Documents(Calls calls, UnaryCalls unary) {
    this.calls = calls;
    this.unary = unary;
  }

  /** Stores the document of this name, or its next version; the same again stores nothing. */
  public PublishDocumentResponse publish(String name, ByteSource source) {
    return publish(name, source, fields -> {});
  }

  /** As the other, with what else is said of the document: title, categories and so on. */
  public PublishDocumentResponse publish(
      String name, ByteSource source, Consumer<NewDocument.Builder> fields) {
    NewDocument.Builder document = NewDocument.newBuilder().setName(name);
    fields.accept(document);
    return publish(PublishDocumentHeader.newBuilder().setDocument(document).build(), source);
  }

  /**
   * As the others; VersionConflict where the document does not have the version that the header
   * demands, DocumentUnreadable where it is not what it says it is, or more than the server reads.
   *
   * <p>Sent in messages of 256 KiB. A source that can be read again is sent again after a break,
   * under the same request id, up to three times. There is no timeout unless streams have one; it
   * is that of each connection. A failure of the source is an UncheckedIOException.
   */
  public PublishDocumentResponse publish(PublishDocumentHeader header, ByteSource source) {
    PublishDocumentResponse answer = new Publications(calls).send(header, source);
    Redactions.warn(answer.getRedactionsList());
    return answer;
  }

  /** A document by its id, with its text; DocumentNotFound if there is none. */
  public GetDocumentResponse get(String documentId) {
    return get(documentId, options -> {});
  }

  /** As the other, of a version, a range of bytes, or for a channel. */
  public GetDocumentResponse get(String documentId, Consumer<GetDocumentRequest.Builder> options) {
    GetDocumentRequest.Builder request = GetDocumentRequest.newBuilder();
    options.accept(request);
    return get(request.setDocumentId(documentId).build());
  }

  /** A document by its name, with its text; DocumentNotFound if there is none. */
  public GetDocumentResponse getByName(String name) {
    return getByName(name, options -> {});
  }

  /** As the other, of a version, a range of bytes, or for a channel. */
  public GetDocumentResponse getByName(String name, Consumer<GetDocumentRequest.Builder> options) {
    GetDocumentRequest.Builder request = GetDocumentRequest.newBuilder();
    options.accept(request);
    return get(request.setName(name).build());
  }

  /** All documents that are not archived, by name. */
  public Series<Document> list() {
    return list(conditions -> {});
  }

  /** Documents that pass all conditions, by name. */
  public Series<Document> list(Consumer<DocumentFilter.Builder> conditions) {
    DocumentFilter.Builder filter = DocumentFilter.newBuilder();
    conditions.accept(filter);
    return list(ListDocumentsRequest.newBuilder().setFilter(filter).build());
  }

  /** The documents that this request asks for, from its page on. */
  public Series<Document> list(ListDocumentsRequest request) {
    return new Series<>(
            new Pages<>(unary, KnowledgeServiceGrpc.getListDocumentsMethod(), request), () -> {})
        .parts(ListDocumentsResponse::getDocumentsList);
  }

  /**
   * Changes what is said of a document, as a version of its own; VersionConflict if it is no longer
   * at the version that the caller has seen.
   */
  public Document update(String documentId, long expectedVersion, DocumentChanges changes) {
    UpdateDocumentRequest request =
        UpdateDocumentRequest.newBuilder()
            .setDocumentId(documentId)
            .setExpectedVersion(expectedVersion)
            .setUpdateMask(changes.mask())
            .setDocument(changes.document())
            .build();
    UpdateDocumentResponse answer =
        unary.call(KnowledgeServiceGrpc.getUpdateDocumentMethod(), request);
    Redactions.warn(answer.getRedactionsList());
    return answer.getDocument();
  }

  /** Takes a document out of what is found; it keeps its versions. */
  public Document archive(String documentId) {
    return archive(documentId, false);
  }

  /** Takes an archived document back into what is found. */
  public Document restore(String documentId) {
    return archive(documentId, true);
  }

  /** Removes a document with every version and passage. Its name may be used again. */
  public DeleteDocumentResponse delete(String documentId) {
    DeleteDocumentRequest request =
        DeleteDocumentRequest.newBuilder().setDocumentId(documentId).build();
    return unary.call(KnowledgeServiceGrpc.getDeleteDocumentMethod(), request);
  }

  /** The versions of a document without their texts, the newest first. */
  public Series<Document> versions(String documentId) {
    ListDocumentVersionsRequest request =
        ListDocumentVersionsRequest.newBuilder().setDocumentId(documentId).build();
    return new Series<>(
            new Pages<>(unary, KnowledgeServiceGrpc.getListDocumentVersionsMethod(), request),
            () -> {})
        .parts(ListDocumentVersionsResponse::getVersionsList);
  }

  private GetDocumentResponse get(GetDocumentRequest request) {
    return unary.call(KnowledgeServiceGrpc.getGetDocumentMethod(), request);
  }

  private Document archive(String documentId, boolean restore) {
    ArchiveDocumentRequest request =
        ArchiveDocumentRequest.newBuilder().setDocumentId(documentId).setRestore(restore).build();
    return unary.call(KnowledgeServiceGrpc.getArchiveDocumentMethod(), request).getDocument();
  }
}
