package camillo

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	camillov1 "camillo.dev/camillo/v1"
)

const documentName = "handbook/出差.md"

// takenDocument is what came in one call of a publication.
type takenDocument struct {
	header *camillov1.PublishDocumentHeader
	bytes  []byte
	most   int
	finish []byte
}

// takesDocument takes everything, then answers or ends so.
func takesDocument(into *takenDocument, answer *camillov1.PublishDocumentResponse, end error) reply {
	return func(stream grpc.ServerStream, _ proto.Message) error {
		for {
			request := &camillov1.PublishDocumentRequest{}
			if err := stream.RecvMsg(request); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return err
			}
			into.take(request)
		}
		if end != nil {
			return end
		}
		return stream.SendMsg(answer)
	}
}

func (d *takenDocument) take(request *camillov1.PublishDocumentRequest) {
	switch part := request.GetPart().(type) {
	case *camillov1.PublishDocumentRequest_Header:
		d.header = part.Header
	case *camillov1.PublishDocumentRequest_Data:
		d.bytes, d.most = append(d.bytes, part.Data...), max(d.most, len(part.Data))
	case *camillov1.PublishDocumentRequest_Finish:
		d.finish = part.Finish.GetSha256()
	}
}

func published(token string) *camillov1.PublishDocumentResponse {
	return &camillov1.PublishDocumentResponse{
		Document: &camillov1.Document{DocumentId: "d1", Version: 1}, SharedRevision: revision(token),
	}
}

func TestADocumentIsPublishedInPartsWithItsDigest(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	var taken takenDocument
	server.script("PublishDocument", takesDocument(&taken, published("s1"), nil))
	whole := []byte(strings.Repeat("# 出差\n\nשלום 🍵 e\u0301\n", 20_000))
	about := &camillov1.NewDocument{Title: "出差", Categories: []string{"travel"}}
	answer, err := client.Documents.Publish(t.Context(), documentName, bytes.NewReader(whole), about)
	if err != nil || answer.GetDocument().GetVersion() != 1 {
		t.Fatalf("%v, %v", answer, err)
	}
	if !bytes.Equal(taken.bytes, whole) || taken.most != chunkBytes || !bytes.Equal(taken.finish, digest(whole)) {
		t.Errorf("%d bytes came, %d at once", len(taken.bytes), taken.most)
	}
	sent := taken.header.GetDocument()
	if sent.GetName() != documentName || sent.GetTitle() != "出差" || taken.header.GetRequestId() == "" {
		t.Errorf("sent was %v", taken.header)
	}
	if about.GetName() != "" {
		t.Errorf("the caller's became %v", about)
	}
}

func TestAFileIsPublishedUnderTheNameThatIsGiven(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	var taken takenDocument
	server.script("PublishDocument", takesDocument(&taken, published("s1"), nil))
	path := filepath.Join(t.TempDir(), "tea.txt")
	if err := os.WriteFile(path, []byte("茶"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := client.Documents.PublishFile(t.Context(), documentName, path, nil); err != nil {
		t.Fatal(err)
	}
	if string(taken.bytes) != "茶" || taken.header.GetDocument().GetName() != documentName {
		t.Errorf("sent was %v", taken.header)
	}
	if _, err := client.Documents.PublishFile(t.Context(), documentName, path+".not", nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

func TestAPublicationIsSentAgainUnderTheSameRequestID(t *testing.T) {
	server := newServer(t)
	client, pauses := newClientOf(t, server)
	var first, second takenDocument
	server.script("PublishDocument",
		takesDocument(&first, nil, unavailable()), takesDocument(&second, published("s1"), nil))
	zero := int64(0)
	header := &camillov1.PublishDocumentHeader{
		Document: &camillov1.NewDocument{Name: documentName}, ExpectedVersion: &zero,
	}
	if _, err := client.Documents.Upload(t.Context(), strings.NewReader("tea"), header); err != nil {
		t.Fatal(err)
	}
	if string(second.bytes) != "tea" || first.header.GetRequestId() != second.header.GetRequestId() {
		t.Errorf("%v, %v", first.header, second.header)
	}
	if second.header.ExpectedVersion == nil || len(pauses.lengths) != 1 {
		t.Errorf("%v, %v", second.header, pauses.lengths)
	}
}

func TestADocumentThatCanBeReadOnceIsSentOnce(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	var taken takenDocument
	server.script("PublishDocument", takesDocument(&taken, nil, unavailable()))
	once := io.MultiReader(strings.NewReader("tea"))
	_, err := client.Documents.Publish(t.Context(), documentName, once, nil)
	var failure *Error
	if !errors.As(err, &failure) || !errors.Is(err, Unavailable) || len(server.seen("PublishDocument")) != 1 {
		t.Fatalf("%v", err)
	}
	if failure.RequestID != taken.header.GetRequestId() || failure.RequestID == "" {
		t.Errorf("told was the request id %q", failure.RequestID)
	}
}

func TestWhatADocumentIsRefusedForIsTyped(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	server.script("PublishDocument", refuses(failed(codes.FailedPrecondition, "DOCUMENT_UNREADABLE")))
	_, err := client.Documents.Publish(t.Context(), "a.pdf", strings.NewReader("%PDF"), nil)
	if !errors.Is(err, DocumentUnreadable) || !errors.Is(err, FailedPrecondition) {
		t.Errorf("%v", err)
	}
	read, write := io.Pipe()
	_ = write.CloseWithError(errOfReader)
	if _, err := client.Documents.Publish(t.Context(), "a.md", read, nil); !errors.Is(err, errOfReader) {
		t.Errorf("%v", err)
	}
	server.script("GetDocument", refuses(failed(codes.NotFound, "DOCUMENT_NOT_FOUND")))
	if _, err := client.Documents.GetByName(t.Context(), documentName, nil); !errors.Is(err, DocumentNotFound) {
		t.Errorf("%v", err)
	}
}

func TestADocumentIsReadByIDOrNameWholeOrInPart(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	server.script("GetDocument", says(&camillov1.GetDocumentResponse{Text: "茶", ByteFrom: 3, ByteUntil: 6}))
	how := &camillov1.GetDocumentRequest{ByteFrom: 3, ByteUntil: 6}
	part, err := client.Documents.Get(t.Context(), "d1", how)
	if err != nil || part.GetText() != "茶" {
		t.Fatalf("%v, %v", part, err)
	}
	_, _ = client.Documents.GetByName(t.Context(), documentName, nil)
	sent := requests[*camillov1.GetDocumentRequest](server, "GetDocument")
	if sent[0].GetDocumentId() != "d1" || sent[0].GetByteUntil() != 6 || sent[0].GetAgentId() != "ada" {
		t.Errorf("sent was %v", sent[0])
	}
	if sent[1].GetName() != documentName || how.GetDocument() != nil {
		t.Errorf("sent was %v", sent[1])
	}
}

func TestDocumentsAndTheirVersionsAreListedOverAllPages(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	of := func(version int64) []*camillov1.Document { return []*camillov1.Document{{Version: version}} }
	server.script("ListDocuments", says(&camillov1.ListDocumentsResponse{Documents: of(1), NextPageToken: "p2"}),
		says(&camillov1.ListDocumentsResponse{Documents: of(2)}))
	server.script("ListDocumentVersions",
		says(&camillov1.ListDocumentVersionsResponse{Versions: of(4), NextPageToken: "p2"}),
		says(&camillov1.ListDocumentVersionsResponse{Versions: of(3)}))
	var versions []int64
	filter := &camillov1.DocumentFilter{NamePrefix: "handbook/"}
	for document, err := range client.Documents.List(t.Context(), filter, &camillov1.ListDocumentsRequest{PageSize: 1}) {
		if err != nil {
			t.Fatal(err)
		}
		versions = append(versions, document.GetVersion())
	}
	for document, err := range client.Documents.Versions(t.Context(), "d1", nil) {
		if err != nil {
			t.Fatal(err)
		}
		versions = append(versions, document.GetVersion())
	}
	sent := requests[*camillov1.ListDocumentsRequest](server, "ListDocuments")
	if !slices.Equal(versions, []int64{1, 2, 4, 3}) || sent[1].GetPageToken() != "p2" {
		t.Fatalf("%v by %v", versions, sent)
	}
	if sent[1].GetFilter().GetNamePrefix() != "handbook/" || sent[1].GetPageSize() != 1 {
		t.Errorf("sent was %v", sent[1])
	}
}

func TestADocumentIsChangedArchivedTakenBackAndRemoved(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	server.script("DeleteDocument", says(&camillov1.DeleteDocumentResponse{Passages: 7}))
	changes := &camillov1.NewDocument{Title: "Tea", Tags: []string{"茶"}}
	_, _ = client.Documents.Update(t.Context(), "d1", 2, changes)
	_, _ = client.Documents.Update(t.Context(), "d1", 2, nil, "title")
	_, _ = client.Documents.Archive(t.Context(), "d1")
	_, _ = client.Documents.Restore(t.Context(), "d1")
	removed, err := client.Documents.Delete(t.Context(), "d1")
	if err != nil || removed.GetPassages() != 7 {
		t.Fatalf("%v, %v", removed, err)
	}
	updates := requests[*camillov1.UpdateDocumentRequest](server, "UpdateDocument")
	if !slices.Equal(updates[0].GetUpdateMask().GetPaths(), []string{"tags", "title"}) || updates[0].GetExpectedVersion() != 2 {
		t.Errorf("sent was %v", updates[0])
	}
	if !slices.Equal(updates[1].GetUpdateMask().GetPaths(), []string{"title"}) {
		t.Errorf("sent was %v", updates[1])
	}
	archived := requests[*camillov1.ArchiveDocumentRequest](server, "ArchiveDocument")
	if archived[0].GetRestore() || !archived[1].GetRestore() || archived[0].GetRequestId() == "" {
		t.Errorf("sent was %v", archived)
	}
}
