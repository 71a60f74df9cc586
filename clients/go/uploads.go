package camillo

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	camillov1 "camillo.dev/camillo/v1"
)

// Put stores the bytes of a reader, from where it stands, in constant memory. Facts about them are in `about`, which may
// be nil. See [Artifacts.Upload].
func (a *Artifacts) Put(
	ctx context.Context, source io.Reader, about *camillov1.NewArtifact,
) (*camillov1.Artifact, error) {
	answer, err := a.Upload(ctx, source, &camillov1.PutArtifactHeader{Artifact: about})
	return answer.GetArtifact(), err
}

// PutFile stores the file at a path, under its own name unless `about` has another.
func (a *Artifacts) PutFile(
	ctx context.Context, path string, about *camillov1.NewArtifact,
) (*camillov1.Artifact, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	about = filledCopy(about)
	if about.GetName() == "" {
		about.Name = filepath.Base(path)
	}
	return a.Put(ctx, file, about)
}

// Upload stores the bytes of a reader under a header, whose ids and size are filled in where they are empty.
//
// A reader that is an [io.Seeker], too, goes on after a break where the server holds it, up to three times without progress. There
// is no deadline but the context's. A failure of the reader is returned as it is; failures of the call are [*Error], with
// the request id by which it may be repeated.
func (a *Artifacts) Upload(
	ctx context.Context, source io.Reader, header *camillov1.PutArtifactHeader,
) (*camillov1.PutArtifactResponse, error) {
	upload := &upload{artifacts: a, source: sourceOf(source), header: filledCopy(header)}
	upload.fillHeader()
	answer, err := upload.run(ctx)
	var failure *Error
	if errors.As(err, &failure) {
		failure.RequestID = upload.header.GetRequestId()
	}
	return answer, err
}

// upload is one artifact over all calls that it takes.
type upload struct {
	artifacts *Artifacts
	source    *uploadSource
	header    *camillov1.PutArtifactHeader
}

func (u *upload) fillHeader() {
	u.header.Offset, u.header.PrefixSha256 = 0, nil
	fillText(u.header, agentIDField, u.artifacts.client.agentID)
	fillText(u.header, requestIDField, newRequestID())
	fillText(u.header, "upload_id", newUploadID())
	if u.header.Artifact == nil {
		u.header.Artifact = &camillov1.NewArtifact{}
	}
	if u.source.size != sizeUnknown {
		u.header.SizeBytes = &u.source.size
	}
}

func (u *upload) run(ctx context.Context) (*camillov1.PutArtifactResponse, error) {
	failures, isResumed := 0, false
	for {
		held := u.header.GetOffset()
		answer, err := u.attempt(ctx, isResumed)
		if err == nil || !u.source.canRestart() {
			return answer, err
		}
		if u.header.GetOffset() > held {
			failures = 0
		}
		failures, isResumed = failures+1, true
		if err := u.artifacts.client.shared.goOn(ctx, err, failures, maxBreaks); err != nil {
			return nil, err
		}
	}
}

func (u *upload) attempt(ctx context.Context, isResumed bool) (*camillov1.PutArtifactResponse, error) {
	if isResumed {
		if answer, err := u.found(ctx); answer != nil || err != nil {
			return answer, err
		}
	}
	return u.send(ctx)
}

// found is the artifact, if only the answer was lost; else it puts into the header where to go on.
func (u *upload) found(ctx context.Context) (*camillov1.PutArtifactResponse, error) {
	service := u.artifacts.service()
	held, err := service.GetUpload(ctx, &camillov1.GetUploadRequest{
		AgentId: u.header.GetAgentId(), UploadId: u.header.GetUploadId(),
	})
	if errors.Is(err, UploadNotFound) {
		u.header.Offset, u.header.PrefixSha256 = 0, nil
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if held.GetArtifactId() == "" {
		return nil, u.goOnAt(held.GetHeldBytes())
	}
	known, err := service.GetArtifact(ctx, &camillov1.GetArtifactRequest{
		AgentId: u.header.GetAgentId(), ArtifactId: held.GetArtifactId(),
	})
	if err != nil {
		return nil, err
	}
	return &camillov1.PutArtifactResponse{
		Artifact: known.GetArtifact(), Preview: known.GetPreview(), Redactions: known.GetRedactions(),
	}, nil
}

// goOnAt shows the server that both ends mean the same bytes.
func (u *upload) goOnAt(offset int64) error {
	u.header.Offset, u.header.PrefixSha256 = offset, nil
	if offset == 0 {
		return nil
	}
	bytes, err := u.source.from(0)
	if err != nil {
		return err
	}
	prefix := sha256.New()
	if _, err := io.CopyN(prefix, bytes, offset); err != nil {
		return fmt.Errorf("camillo: reading again what was sent: %w", err)
	}
	u.header.PrefixSha256 = prefix.Sum(nil)
	return nil
}

func (u *upload) send(ctx context.Context) (*camillov1.PutArtifactResponse, error) {
	// A stream that is left early, because the reader failed, ends at the server, too.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	const method = camillov1.ArtifactService_PutArtifact_FullMethodName
	description := &grpc.StreamDesc{ClientStreams: true}
	stream, err := u.artifacts.client.open(ctx, description, method, u.header.GetAgentId())
	if err != nil {
		return nil, err
	}
	feed := &uploadFeed{stream: stream, source: u.source, messages: u.messages()}
	answer := &camillov1.PutArtifactResponse{}
	if err := feed.deliver(answer); err != nil {
		return nil, err
	}
	return answer, nil
}

func (u *upload) messages() uploadMessages {
	header := &camillov1.PutArtifactRequest_Header{Header: u.header}
	return uploadMessages{
		header: &camillov1.PutArtifactRequest{Part: header},
		start:  u.header.GetOffset(),
		bytes: func(offset int64, chunk []byte) proto.Message {
			bytes := &camillov1.ArtifactBytes{Offset: offset, Data: chunk}
			return &camillov1.PutArtifactRequest{Part: &camillov1.PutArtifactRequest_Bytes{Bytes: bytes}}
		},
		finish: func(sha256 []byte) proto.Message {
			finish := &camillov1.PutArtifactFinish{Sha256: sha256}
			return &camillov1.PutArtifactRequest{Part: &camillov1.PutArtifactRequest_Finish{Finish: finish}}
		},
	}
}
