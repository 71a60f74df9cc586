package camillo

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
)

// errStreamEnded is the end of a stream while it is sent, told from the end of what is sent.
var errStreamEnded = errors.New("the stream has ended")

// uploadMessages are what the messages of an upload are, and from which byte of the source on it is sent.
type uploadMessages struct {
	header proto.Message
	start  int64
	bytes  func(offset int64, chunk []byte) proto.Message
	finish func(sha256 []byte) proto.Message
}

// uploadFeed is the messages of one call of an upload.
type uploadFeed struct {
	stream   grpc.ClientStream
	source   *uploadSource
	messages uploadMessages
	sha256   hash.Hash
}

// send sends the header, the bytes from the start on, and their SHA-256.
func (f *uploadFeed) send() error {
	f.sha256 = sha256.New()
	if err := f.sendMessage(f.messages.header); err != nil {
		return err
	}
	if err := f.sendBytes(); err != nil {
		return err
	}
	return f.sendMessage(f.messages.finish(f.sha256.Sum(nil)))
}

func (f *uploadFeed) sendBytes() error {
	bytes, err := f.source.from(f.messages.start)
	if err != nil {
		return err
	}
	// A message is encoded when it has been sent: one buffer does.
	buffer := make([]byte, chunkBytes)
	for offset := f.messages.start; ; {
		count, err := io.ReadFull(bytes, buffer)
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return fmt.Errorf("camillo: reading what is sent: %w", err)
		}
		if count == 0 {
			return nil
		}
		f.sha256.Write(buffer[:count])
		if err := f.sendMessage(f.messages.bytes(offset, buffer[:count])); err != nil {
			return err
		}
		offset += int64(count)
	}
}

func (f *uploadFeed) sendMessage(message proto.Message) error {
	err := f.stream.SendMsg(message)
	if errors.Is(err, io.EOF) {
		return errStreamEnded
	}
	return err
}

// deliver sends everything over a stream and takes the answer.
func (f *uploadFeed) deliver(answer proto.Message) error {
	// Where the stream has ended meanwhile, receiving tells why.
	if err := f.send(); err != nil && !errors.Is(err, errStreamEnded) {
		return err
	}
	if err := f.stream.CloseSend(); err != nil {
		return err
	}
	return f.stream.RecvMsg(answer)
}
