package camillo

import (
	"bytes"
	"context"
	"io"
	"iter"

	camillov1 "camillo.dev/camillo/v1"
)

// Stream is the bytes of a range in messages of up to 256 KiB, each checked; nil: all of the artifact. It goes on after a
// break where it ended, up to three times without progress; [BytesDamaged] if bytes came otherwise than they were sent.
// There is no deadline but the context's.
func (a *Artifacts) Stream(
	ctx context.Context, artifactID string, part *camillov1.ArtifactRange,
) iter.Seq2[*camillov1.ReadArtifactResponse, error] {
	return a.readAll(ctx, readRequest(artifactID, part))
}

// readAll is the messages of a read, each checked and decoded.
func (a *Artifacts) readAll(
	ctx context.Context, request *camillov1.ReadArtifactRequest,
) iter.Seq2[*camillov1.ReadArtifactResponse, error] {
	return func(yield func(*camillov1.ReadArtifactResponse, error) bool) {
		read := &artifactRead{artifacts: a, request: request}
		for {
			err, isLeft := read.connection(ctx, yield)
			if isLeft {
				return
			}
			if isBreak(err) && read.check.hasAll() {
				return
			}
			if err == nil {
				err = read.check.end()
			}
			if err == nil {
				return
			}
			if err = read.wait(ctx, err); err != nil {
				yield(nil, err)
				return
			}
		}
	}
}

// Download writes the bytes of a range; how many there were. They come compressed where they are stored so. See
// [Artifacts.Stream].
func (a *Artifacts) Download(
	ctx context.Context, artifactID string, part *camillov1.ArtifactRange, into io.Writer,
) (int64, error) {
	var written int64
	request := readRequest(artifactID, part)
	request.AcceptEncodings = []string{encodingZstd}
	for message, err := range a.readAll(ctx, request) {
		if err != nil {
			return written, err
		}
		count, err := into.Write(message.GetData())
		written += int64(count)
		if err != nil {
			return written, err
		}
	}
	return written, nil
}

// Read is all bytes of a range at once. See [Artifacts.Download].
func (a *Artifacts) Read(
	ctx context.Context, artifactID string, part *camillov1.ArtifactRange,
) ([]byte, error) {
	var content bytes.Buffer
	_, err := a.Download(ctx, artifactID, part, &content)
	return content.Bytes(), err
}

// artifactRead is one read over all connections that it takes.
type artifactRead struct {
	artifacts *Artifacts
	request   *camillov1.ReadArtifactRequest
	check     rangeCheck
	failures  int
}

// connection hands on what one connection brings; tells what broke it, nil for the end of the range, or that the caller has
// enough.
func (r *artifactRead) connection(
	ctx context.Context, yield func(*camillov1.ReadArtifactResponse, error) bool,
) (broken error, isLeft bool) {
	r.check.goOn(r.request)
	const method = camillov1.ArtifactService_ReadArtifact_FullMethodName
	fresh := func() *camillov1.ReadArtifactResponse { return &camillov1.ReadArtifactResponse{} }
	for message, err := range messages(ctx, r.artifacts.client, method, r.request, fresh) {
		if err != nil {
			return err, false
		}
		r.failures = 0
		if err := r.check.take(message); err != nil {
			return err, false
		}
		if !yield(message, nil) {
			return nil, true
		}
	}
	return nil, false
}

// wait is the failure itself where the read does not go on.
func (r *artifactRead) wait(ctx context.Context, broken error) error {
	r.failures++
	return r.artifacts.client.shared.goOn(ctx, broken, r.failures, maxBreaks)
}
