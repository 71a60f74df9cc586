package camillo

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"

	"google.golang.org/grpc"

	camillov1 "camillo.dev/camillo/v1"
)

// errStreamEnded is the end of a stream while it is sent, told from the end of what is sent.
var errStreamEnded = errors.New("the stream has ended")

// uploadFeed is the messages of one call of an upload.
type uploadFeed struct {
	stream grpc.ClientStream
	header *camillov1.PutArtifactHeader
	source *uploadSource
	sha256 hash.Hash
}

// send sends the header, the bytes from its offset on, and their SHA-256.
func (f *uploadFeed) send() error {
	f.sha256 = sha256.New()
	header := &camillov1.PutArtifactRequest_Header{Header: f.header}
	if err := f.sendMessage(&camillov1.PutArtifactRequest{Part: header}); err != nil {
		return err
	}
	if err := f.sendBytes(); err != nil {
		return err
	}
	finish := &camillov1.PutArtifactFinish{Sha256: f.sha256.Sum(nil)}
	return f.sendMessage(
		&camillov1.PutArtifactRequest{Part: &camillov1.PutArtifactRequest_Finish{Finish: finish}},
	)
}

func (f *uploadFeed) sendBytes() error {
	bytes, err := f.source.from(f.header.GetOffset())
	if err != nil {
		return err
	}
	// A message is encoded when it has been sent: one buffer does.
	buffer := make([]byte, chunkBytes)
	for offset := f.header.GetOffset(); ; {
		count, err := io.ReadFull(bytes, buffer)
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return fmt.Errorf("camillo: reading what is sent: %w", err)
		}
		if count == 0 {
			return nil
		}
		if err := f.sendChunk(offset, buffer[:count]); err != nil {
			return err
		}
		offset += int64(count)
	}
}

func (f *uploadFeed) sendChunk(offset int64, chunk []byte) error {
	f.sha256.Write(chunk)
	part := &camillov1.PutArtifactRequest_Bytes{
		Bytes: &camillov1.ArtifactBytes{Offset: offset, Data: chunk},
	}
	return f.sendMessage(&camillov1.PutArtifactRequest{Part: part})
}

func (f *uploadFeed) sendMessage(message *camillov1.PutArtifactRequest) error {
	err := f.stream.SendMsg(message)
	if errors.Is(err, io.EOF) {
		return errStreamEnded
	}
	return err
}
