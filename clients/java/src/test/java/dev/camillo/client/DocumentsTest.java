package dev.camillo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import dev.camillo.client.errors.DocumentNotFound;
import dev.camillo.client.errors.DocumentUnreadable;
import dev.camillo.client.errors.Unavailable;
import dev.camillo.v1.ArchiveDocumentRequest;
import dev.camillo.v1.ArchiveDocumentResponse;
import dev.camillo.v1.DeleteDocumentRequest;
import dev.camillo.v1.DeleteDocumentResponse;
import dev.camillo.v1.Document;
import dev.camillo.v1.GetDocumentRequest;
import dev.camillo.v1.GetDocumentResponse;
import dev.camillo.v1.KnowledgeServiceGrpc;
import dev.camillo.v1.ListDocumentVersionsResponse;
import dev.camillo.v1.ListDocumentsRequest;
import dev.camillo.v1.ListDocumentsResponse;
import dev.camillo.v1.NewDocument;
import dev.camillo.v1.PublishDocumentHeader;
import dev.camillo.v1.PublishDocumentResponse;
import dev.camillo.v1.UpdateDocumentRequest;
import dev.camillo.v1.UpdateDocumentResponse;
import io.grpc.Status;
import io.grpc.Status.Code;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Documents: published in parts, read, listed, changed and removed. */
class DocumentsTest {
  private static final String NAME = "handbook/出差.md";
  private ScriptedServer server;
  private Camillo camillo;

  @BeforeEach
  void connect() throws IOException {
    server = new ScriptedServer();
    camillo = server.client(new ArrayList<>()).agentId("ada").connect();
  }

  @AfterEach
  void close() {
    camillo.close();
    server.close();
  }

  @Test
  void aDocumentIsPublishedInPartsWithItsDigest() {
    String content = "# 出差\n\nשלום 🍵 e\u0301\n".repeat(20_000);
    server.documents.answer(PublishDocumentResponse.newBuilder().setDocument(document(1)));
    PublishDocumentResponse answer =
        camillo
            .documents()
            .publish(
                NAME,
                ByteSource.of(content),
                fields -> fields.setTitle("出差").addCategories("travel"));
    assertEquals(1, answer.getDocument().getVersion());
    FakeDocuments.Taken sent = server.documents.taken.get(0);
    byte[] bytes = content.getBytes(StandardCharsets.UTF_8);
    assertEquals(ByteString.copyFrom(bytes), sent.bytes);
    assertEquals(ByteString.copyFrom(Digests.sha256().digest(bytes)), sent.sha256);
    assertEquals(ByteSource.CHUNK_BYTES, sent.largest);
    NewDocument stated = sent.header.getDocument();
    assertEquals(List.of(NAME, "出差"), List.of(stated.getName(), stated.getTitle()));
    assertFalse(sent.header.getRequestId().isEmpty());
    assertFalse(sent.header.hasExpectedVersion());
  }

  @Test
  void aFileIsPublishedUnderTheNameThatIsGiven(@TempDir Path directory) throws IOException {
    Path file = Files.writeString(directory.resolve("tea.txt"), "茶");
    camillo.documents().publish(NAME, ByteSource.of(file));
    FakeDocuments.Taken sent = server.documents.taken.get(0);
    assertEquals("茶", sent.bytes.toStringUtf8());
    assertEquals(NAME, sent.header.getDocument().getName());
  }

  @Test
  void whatCanBeReadAgainIsSentAgainUnderTheSameRequestId() {
    server.documents.outcomes.add(Status.UNAVAILABLE.asRuntimeException());
    server.documents.outcomes.add(Status.UNAVAILABLE.asRuntimeException());
    PublishDocumentHeader header =
        PublishDocumentHeader.newBuilder()
            .setDocument(NewDocument.newBuilder().setName(NAME))
            .setExpectedVersion(0)
            .build();
    camillo.documents().publish(header, ByteSource.of("tea"));
    List<FakeDocuments.Taken> sent = server.documents.taken;
    assertEquals(3, sent.size());
    assertEquals("tea", sent.get(2).bytes.toStringUtf8());
    assertEquals(sent.get(0).header, sent.get(2).header);
    assertTrue(sent.get(2).header.hasExpectedVersion());
  }

  @Test
  void whatCanBeReadOnceIsSentOnce() {
    server.documents.outcomes.add(Status.UNAVAILABLE.asRuntimeException());
    InputStream once = new ByteArrayInputStream(new byte[] {'t', 'e', 'a'});
    Unavailable failed =
        assertThrows(
            Unavailable.class, () -> camillo.documents().publish(NAME, ByteSource.of(once)));
    assertEquals(1, server.documents.taken.size());
    assertEquals(server.documents.taken.get(0).header.getRequestId(), failed.requestId());
  }

  @Test
  void aFailureOfTheSourceIsTheCallersOwn() {
    InputStream broken =
        new InputStream() {
          @Override
          public int read() throws IOException {
            throw new IOException("the pot is empty");
          }
        };
    UncheckedIOException failed =
        assertThrows(
            UncheckedIOException.class,
            () -> camillo.documents().publish(NAME, ByteSource.of(broken)));
    assertEquals("the pot is empty", failed.getCause().getMessage());
  }

  @Test
  void whatADocumentIsRefusedForIsTyped() {
    server.documents.outcomes.add(
        Refusals.of(
            Code.FAILED_PRECONDITION,
            "DOCUMENT_UNREADABLE",
            Map.of("why", "too_many_pages", "limit", "2000")));
    server.on(
        KnowledgeServiceGrpc.getGetDocumentMethod(),
        ScriptedServer.broken(Refusals.of(Code.NOT_FOUND, "DOCUMENT_NOT_FOUND")));
    DocumentUnreadable unreadable =
        assertThrows(
            DocumentUnreadable.class,
            () -> camillo.documents().publish("a.pdf", ByteSource.of("%PDF")));
    assertEquals("too_many_pages", unreadable.why());
    assertEquals(OptionalLong.of(2000), unreadable.limit());
    assertThrows(DocumentNotFound.class, () -> camillo.documents().get("d1"));
  }

  @Test
  void aDocumentIsReadByIdOrNameWholeOrInPart() {
    server.on(
        KnowledgeServiceGrpc.getGetDocumentMethod(),
        ScriptedServer.messages(GetDocumentResponse.newBuilder().setText("茶").build()));
    assertEquals(
        "茶",
        camillo
            .documents()
            .get("d1", options -> options.setByteFrom(3).setByteUntil(6).setVersion(2))
            .getText());
    camillo.documents().getByName(NAME);
    GetDocumentRequest part = server.of(GetDocumentRequest.class).get(0);
    assertEquals(List.of("d1", "ada"), List.of(part.getDocumentId(), part.getAgentId()));
    assertEquals(List.of(3L, 6L), List.of(part.getByteFrom(), part.getByteUntil()));
    GetDocumentRequest named = server.of(GetDocumentRequest.class).get(1);
    assertEquals(NAME, named.getName());
    assertFalse(named.hasVersion());
  }

  @Test
  void documentsAndTheirVersionsAreListedOverAllPages() {
    server.on(
        KnowledgeServiceGrpc.getListDocumentsMethod(),
        ScriptedServer.messages(
            ListDocumentsResponse.newBuilder()
                .addDocuments(document(1))
                .setNextPageToken("p2")
                .build()),
        ScriptedServer.messages(
            ListDocumentsResponse.newBuilder().addDocuments(document(2)).build()));
    server.on(
        KnowledgeServiceGrpc.getListDocumentVersionsMethod(),
        ScriptedServer.messages(
            ListDocumentVersionsResponse.newBuilder()
                .addVersions(document(4))
                .setNextPageToken("p2")
                .build()),
        ScriptedServer.messages(
            ListDocumentVersionsResponse.newBuilder().addVersions(document(3)).build()));
    assertEquals(
        List.of(1L, 2L),
        camillo
            .documents()
            .list(conditions -> conditions.setNamePrefix("handbook/"))
            .map(Document::getVersion)
            .toList());
    assertEquals(
        List.of(4L, 3L), camillo.documents().versions("d1").map(Document::getVersion).toList());
    ListDocumentsRequest next = server.of(ListDocumentsRequest.class).get(1);
    assertEquals(
        List.of("handbook/", "p2"), List.of(next.getFilter().getNamePrefix(), next.getPageToken()));
  }

  @Test
  void whatIsSaidOfADocumentIsChangedByName() {
    server.on(
        KnowledgeServiceGrpc.getUpdateDocumentMethod(),
        ScriptedServer.messages(
            UpdateDocumentResponse.newBuilder().setDocument(document(3)).build()));
    DocumentChanges changes =
        new DocumentChanges()
            .title("Tea")
            .tags(List.of("茶"))
            .effectiveFrom(Instant.EPOCH)
            .title(null)
            .provenance(Map.of("author", "Ada"));
    assertEquals(3, camillo.documents().update("d1", 2, changes).getVersion());
    UpdateDocumentRequest sent = server.of(UpdateDocumentRequest.class).get(0);
    assertEquals(
        List.of("title", "tags", "effective_from", "provenance"),
        sent.getUpdateMask().getPathsList());
    assertEquals("", sent.getDocument().getTitle());
    assertTrue(sent.getDocument().hasEffectiveFrom());
    assertEquals(2, sent.getExpectedVersion());
  }

  @Test
  void aDocumentIsArchivedTakenBackAndRemoved() {
    server.on(
        KnowledgeServiceGrpc.getArchiveDocumentMethod(),
        ScriptedServer.<ArchiveDocumentRequest>answer(
            request ->
                ArchiveDocumentResponse.newBuilder()
                    .setDocument(Document.newBuilder().setArchived(!request.getRestore()))
                    .build()));
    server.on(
        KnowledgeServiceGrpc.getDeleteDocumentMethod(),
        ScriptedServer.messages(DeleteDocumentResponse.newBuilder().setPassages(7).build()));
    assertTrue(camillo.documents().archive("d1").getArchived());
    assertFalse(camillo.documents().restore("d1").getArchived());
    assertEquals(7, camillo.documents().delete("d1").getPassages());
    assertFalse(server.of(DeleteDocumentRequest.class).get(0).getRequestId().isEmpty());
  }

  private static Document document(long version) {
    return Document.newBuilder().setVersion(version).build();
  }
}
