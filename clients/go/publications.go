package camillo

import (
	"context"
	"errors"
	"io"
	"os"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	camillov1 "camillo.dev/camillo/v1"
)

// Publish stores the document of a name, or its next version, from a reader, from where it stands; the same again stores
// nothing. Facts about it are in `about`, which may be nil. See [Documents.Upload].
func (d *Documents) Publish(
	ctx context.Context, name string, source io.Reader, about *camillov1.NewDocument,
) (*camillov1.PublishDocumentResponse, error) {
	document := filledCopy(about)
	document.Name = name
	return d.Upload(ctx, source, &camillov1.PublishDocumentHeader{Document: document})
}

// PublishFile stores the file at a path as [Documents.Publish] does.
func (d *Documents) PublishFile(
	ctx context.Context, name, path string, about *camillov1.NewDocument,
) (*camillov1.PublishDocumentResponse, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return d.Publish(ctx, name, file, about)
}

// Upload stores the bytes of a reader under a header: [VersionConflict] where the document is not at its expected version,
// [DocumentUnreadable] where it is not what it says it is, or more than the server reads.
//
// A reader that is an [io.Seeker], too, is sent again after a break, under the same request id, up to three times. There is no deadline
// but the context's. A failure of the reader is returned as it is; failures of the call are [*Error], with the request id by
// which it may be repeated.
func (d *Documents) Upload(
	ctx context.Context, source io.Reader, header *camillov1.PublishDocumentHeader,
) (*camillov1.PublishDocumentResponse, error) {
	header = filledCopy(header)
	isOwnID := fillText(header, requestIDField, newRequestID())
	publication := &publication{client: d.client, source: sourceOf(source), header: header, isRepeatable: !isOwnID}
	answer, err := publication.run(ctx)
	var failure *Error
	if errors.As(err, &failure) {
		failure.RequestID = header.GetRequestId()
	}
	return answer, err
}

// publication is one document over all calls that it takes.
type publication struct {
	client *Client
	source *uploadSource
	header *camillov1.PublishDocumentHeader
	// Whether its request id has been used before.
	isRepeatable bool
}

func (p *publication) run(ctx context.Context) (*camillov1.PublishDocumentResponse, error) {
	for failures := 1; ; failures++ {
		answer, err := p.send(ctx)
		if err == nil || !p.source.canRestart() {
			return answer, err
		}
		if err := p.client.shared.goOn(ctx, err, failures, maxBreaks); err != nil {
			return nil, err
		}
		p.isRepeatable = true
	}
}

func (p *publication) send(ctx context.Context) (*camillov1.PublishDocumentResponse, error) {
	// A stream that is left early, because the reader failed, ends at the server, too.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	const method = camillov1.KnowledgeService_PublishDocument_FullMethodName
	stream, err := p.client.open(ctx, &grpc.StreamDesc{ClientStreams: true}, method, p.client.agentID)
	if err != nil {
		return nil, err
	}
	stream.isRepeatable = p.isRepeatable
	feed := &uploadFeed{stream: stream, source: p.source, messages: p.messages()}
	answer := &camillov1.PublishDocumentResponse{}
	if err := feed.deliver(answer); err != nil {
		return nil, err
	}
	return answer, nil
}

func (p *publication) messages() uploadMessages {
	header := &camillov1.PublishDocumentRequest_Header{Header: p.header}
	return uploadMessages{
		header: &camillov1.PublishDocumentRequest{Part: header},
		bytes: func(_ int64, chunk []byte) proto.Message {
			return &camillov1.PublishDocumentRequest{Part: &camillov1.PublishDocumentRequest_Data{Data: chunk}}
		},
		finish: func(sha256 []byte) proto.Message {
			finish := &camillov1.PublishDocumentFinish{Sha256: sha256}
			return &camillov1.PublishDocumentRequest{Part: &camillov1.PublishDocumentRequest_Finish{Finish: finish}}
		},
	}
}
