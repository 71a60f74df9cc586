package camillo

import (
	"context"
	"iter"

	"google.golang.org/protobuf/types/known/fieldmaskpb"

	camillov1 "camillo.dev/camillo/v1"
)

// Documents are what the tenant knows, found in passages by a recall from SOURCE_DOCUMENT. To write them takes a key that
// reaches every agent. Everything else about a call is in its request `how`, which may be nil: a version, a channel, a
// range of bytes, a filter.
type Documents struct {
	client *Client
}

func (d *Documents) service() camillov1.KnowledgeServiceClient {
	return camillov1.NewKnowledgeServiceClient(d.client)
}

// Get is a document by its id, with its text or the part of it that `how` asks for; [DocumentNotFound] if there is none.
func (d *Documents) Get(
	ctx context.Context, documentID string, how *camillov1.GetDocumentRequest,
) (*camillov1.GetDocumentResponse, error) {
	request := filledCopy(how)
	request.Document = &camillov1.GetDocumentRequest_DocumentId{DocumentId: documentID}
	return d.service().GetDocument(ctx, request)
}

// GetByName is as [Documents.Get], by its name.
func (d *Documents) GetByName(
	ctx context.Context, name string, how *camillov1.GetDocumentRequest,
) (*camillov1.GetDocumentResponse, error) {
	request := filledCopy(how)
	request.Document = &camillov1.GetDocumentRequest_Name{Name: name}
	return d.service().GetDocument(ctx, request)
}

// List is all documents that pass a filter, by name; nil: all that are not archived.
func (d *Documents) List(
	ctx context.Context, filter *camillov1.DocumentFilter, how *camillov1.ListDocumentsRequest,
) iter.Seq2[*camillov1.Document, error] {
	request := filledCopy(how)
	if filter != nil {
		request.Filter = filter
	}
	pages := Pages(ctx, d.service().ListDocuments, request)
	return items(pages, (*camillov1.ListDocumentsResponse).GetDocuments)
}

// Update changes what is said of a document, as a version of its own; [VersionConflict] if it is no longer at the version.
// Taken are the fields of `changes` that are named or, where none is, those that are set; a field that is named but empty gets
// its default.
func (d *Documents) Update(
	ctx context.Context, documentID string, version int64, changes *camillov1.NewDocument, fields ...string,
) (*camillov1.Document, error) {
	changes = filledCopy(changes)
	if len(fields) == 0 {
		fields = fieldsSet(changes)
	}
	answer, err := d.service().UpdateDocument(ctx, &camillov1.UpdateDocumentRequest{
		DocumentId: documentID, ExpectedVersion: version, Document: changes,
		UpdateMask: &fieldmaskpb.FieldMask{Paths: fields},
	})
	return answer.GetDocument(), err
}

// Archive takes a document out of what is found; it keeps its versions.
func (d *Documents) Archive(ctx context.Context, documentID string) (*camillov1.Document, error) {
	answer, err := d.service().ArchiveDocument(ctx, &camillov1.ArchiveDocumentRequest{DocumentId: documentID})
	return answer.GetDocument(), err
}

// Restore takes an archived document back into what is found.
func (d *Documents) Restore(ctx context.Context, documentID string) (*camillov1.Document, error) {
	request := &camillov1.ArchiveDocumentRequest{DocumentId: documentID, Restore: true}
	answer, err := d.service().ArchiveDocument(ctx, request)
	return answer.GetDocument(), err
}

// Delete removes a document with every version and passage. Its name may be used again.
func (d *Documents) Delete(ctx context.Context, documentID string) (*camillov1.DeleteDocumentResponse, error) {
	return d.service().DeleteDocument(ctx, &camillov1.DeleteDocumentRequest{DocumentId: documentID})
}

// Versions is the versions of a document without their texts, the newest first.
func (d *Documents) Versions(
	ctx context.Context, documentID string, how *camillov1.ListDocumentVersionsRequest,
) iter.Seq2[*camillov1.Document, error] {
	request := filledCopy(how)
	request.DocumentId = documentID
	pages := Pages(ctx, d.service().ListDocumentVersions, request)
	return items(pages, (*camillov1.ListDocumentVersionsResponse).GetVersions)
}
