package camillo

import (
	"context"
	"errors"
	"io"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"
)

// clientStream fills in whom the stream is for and gives its failures their kinds.
type clientStream struct {
	grpc.ClientStream
	client *Client
	// The caller's: that of the stream is cancelled when it has ended.
	ctx      context.Context
	agentID  string
	written  ticket
	isUpload bool
	// Whether the answer may be that to an earlier call.
	isRepeatable bool
	hasBegun     bool
}

// SendMsg sends the next message. The first one says for which agent, unless it did already.
func (s *clientStream) SendMsg(message any) error {
	if request, ok := message.(proto.Message); ok && !s.hasBegun {
		request = copyOf(request)
		fillText(request, agentIDField, s.agentID)
		message = request
	}
	s.hasBegun = true
	return s.failure(s.ClientStream.SendMsg(message))
}

// RecvMsg receives the next message. The one answer to an upload of memories or of a document tells the revision that holds
// them.
func (s *clientStream) RecvMsg(message any) error {
	err := s.failure(s.ClientStream.RecvMsg(message))
	if answer, ok := message.(proto.Message); ok && err == nil && s.isUpload {
		s.client.shared.written.wrote(s.written, writtenRevisionOf(answer), s.isRepeatable)
	}
	return err
}

// Header waits for the headers of the answer.
func (s *clientStream) Header() (metadata.MD, error) {
	header, err := s.ClientStream.Header()
	return header, s.failure(err)
}

// failure leaves the end of a stream, which is none, as it is.
func (s *clientStream) failure(err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		return err
	}
	return s.client.shared.failure(s.ctx, err)
}
