package camillo

import (
	"context"
	"iter"
	"strings"

	"google.golang.org/protobuf/proto"

	"camillo.dev/camillo/memoryref"
	camillov1 "camillo.dev/camillo/v1"
)

// Holds for an output in one message; what is longer is sent as a stream.
const maxOutputBytes = 3 << 20

// Artifacts are large outputs, kept out of the context and read back in parts. An id may be a whole memory ref, as found
// in a model's answer.
type Artifacts struct {
	client *Client
}

func (a *Artifacts) service() camillov1.ArtifactServiceClient {
	return camillov1.NewArtifactServiceClient(a.client)
}

// Get is what is known of an artifact, and its preview; [ArtifactNotFound] if there is none.
func (a *Artifacts) Get(ctx context.Context, artifactID string) (*camillov1.GetArtifactResponse, error) {
	request := &camillov1.GetArtifactRequest{ArtifactId: memoryref.ArtifactID(artifactID)}
	return a.service().GetArtifact(ctx, request)
}

// List is all artifacts that pass a filter, newest first; nil: all.
func (a *Artifacts) List(
	ctx context.Context, filter *camillov1.ArtifactFilter,
) iter.Seq2[*camillov1.Artifact, error] {
	pages := Pages(ctx, a.service().ListArtifacts, &camillov1.ListArtifactsRequest{Filter: filter})
	return items(pages, (*camillov1.ListArtifactsResponse).GetArtifacts)
}

// Offload is for what a tool put out: the answer's text is what to put before the model. A short output comes back as it
// is, without its secrets; a long one is kept, and a ref, a summary and a preview stand for it. The tool, its command and
// exit code are said in `about`, which may be nil. An output without a byte is not sent.
func (a *Artifacts) Offload(
	ctx context.Context, output []byte, about *camillov1.NewArtifact,
) (*camillov1.OffloadOutputResponse, error) {
	if len(output) == 0 {
		inline := &camillov1.OffloadOutputResponse_Inline{}
		return &camillov1.OffloadOutputResponse{Outcome: inline}, nil
	}
	if len(output) > maxOutputBytes {
		return a.offloadStream(ctx, output, about)
	}
	request := &camillov1.OffloadOutputRequest{Output: output, Artifact: about}
	return a.service().OffloadOutput(ctx, request)
}

// offloadStream goes by way of an upload: nothing that a message cannot hold is short.
func (a *Artifacts) offloadStream(
	ctx context.Context, output []byte, about *camillov1.NewArtifact,
) (*camillov1.OffloadOutputResponse, error) {
	stored, err := a.Upload(ctx, bytesSource(output), &camillov1.PutArtifactHeader{Artifact: about})
	if err != nil {
		return nil, err
	}
	known, err := a.Get(ctx, stored.GetArtifact().GetArtifactId())
	if err != nil {
		return nil, err
	}
	return &camillov1.OffloadOutputResponse{
		Outcome:         &camillov1.OffloadOutputResponse_Artifact{Artifact: known.GetArtifact()},
		Text:            textForModel(known.GetArtifact(), known.GetPreview()),
		Preview:         known.GetPreview(),
		Redactions:      known.GetRedactions(),
		FieldRedactions: stored.GetFieldRedactions(),
	}, nil
}

// textForModel is ref, summary and preview: what there is of them.
func textForModel(artifact *camillov1.Artifact, preview *camillov1.ArtifactPreview) string {
	parts := []string{artifact.GetMemoryRef(), artifact.GetSummary()}
	if head := preview.GetHead(); head != "" {
		parts = append(parts, "--- head\n"+head)
	}
	if tail := preview.GetTail(); tail != "" {
		parts = append(parts, "--- tail\n"+tail)
	}
	var lines []string
	for _, part := range parts {
		if part != "" {
			lines = append(lines, strings.TrimRight(part, "\n"))
		}
	}
	return strings.Join(lines, "\n")
}

// In a row, without anything between them.
const maxBreaks = 3

func readRequest(artifactID string, part *camillov1.ArtifactRange) *camillov1.ReadArtifactRequest {
	request := &camillov1.ReadArtifactRequest{ArtifactId: memoryref.ArtifactID(artifactID)}
	if part != nil {
		request.Range = proto.CloneOf(part)
	}
	return request
}
