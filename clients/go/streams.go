package camillo

import (
	"context"
	"errors"
	"io"
	"iter"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	camillov1 "camillo.dev/camillo/v1"
)

// NewStream begins a stream; generated stubs use it. It acts for the client's agent; failures are [*Error], the end of a
// stream is [io.EOF]. It has no deadline but the context's, and is not repeated.
func (c *Client) NewStream(
	ctx context.Context, description *grpc.StreamDesc, method string, options ...grpc.CallOption,
) (grpc.ClientStream, error) {
	stream, err := c.open(ctx, description, method, c.agentID, options...)
	if err != nil {
		return nil, err
	}
	return stream, nil
}

// Stream is the messages of a server stream by the method's name, such as `camillo.v1.MemoryService/ExportMemories`.
// A watch goes on by itself, as [Client.Watch] does. Failures are [*Error].
func (c *Client) Stream(
	ctx context.Context, method string, request proto.Message,
) iter.Seq2[proto.Message, error] {
	known, err := findMethodFor(method, request, true)
	if err != nil {
		return failing[proto.Message](err)
	}
	fresh := func() proto.Message { return known.response.New().Interface() }
	if known.isWatch() {
		return resumed(ctx, c, known.path, request, fresh, nil)
	}
	return messages(ctx, c, known.path, request, fresh)
}

// Stream is the messages of a server stream of a generated stub:
//
//	for part, err := range camillo.Stream(ctx, memories.ExportMemories, &camillov1.ExportMemoriesRequest{}) { … }
func Stream[Q, R any](
	ctx context.Context,
	call func(context.Context, *Q, ...grpc.CallOption) (grpc.ServerStreamingClient[R], error),
	request *Q,
) iter.Seq2[*R, error] {
	return func(yield func(*R, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		stream, err := call(ctx, request)
		if err != nil {
			yield(nil, err)
			return
		}
		drain(stream.Recv, yield)
	}
}

// messages is a server stream for the agent of the request.
func messages[R proto.Message](
	ctx context.Context, c *Client, method string, request proto.Message, fresh func() R,
) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		stream, err := c.begin(ctx, method, request)
		if err != nil {
			var none R
			yield(none, err)
			return
		}
		drain(func() (R, error) {
			message := fresh()
			return message, stream.RecvMsg(message)
		}, yield)
	}
}

// drain hands on what is received until the end, a failure, or the caller has enough.
func drain[R any](receive func() (R, error), yield func(R, error) bool) {
	for {
		message, err := receive()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			var none R
			yield(none, err)
			return
		}
		if !yield(message, nil) {
			return
		}
	}
}

func failing[R any](err error) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		var none R
		yield(none, err)
	}
}

// begin sends the one request of a server stream.
func (c *Client) begin(
	ctx context.Context, method string, request proto.Message,
) (grpc.ClientStream, error) {
	description := &grpc.StreamDesc{ServerStreams: true}
	stream, err := c.open(ctx, description, method, c.agentOf(request))
	if err != nil {
		return nil, err
	}
	// Where the stream has ended meanwhile, receiving tells why.
	if err := stream.SendMsg(request); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return stream, stream.CloseSend()
}

func (c *Client) open(
	ctx context.Context, description *grpc.StreamDesc, method, agentID string, options ...grpc.CallOption,
) (*clientStream, error) {
	scope := agentID
	if method == camillov1.KnowledgeService_PublishDocument_FullMethodName {
		// Documents are the tenant's.
		scope = Shared
	}
	opened := &clientStream{client: c, ctx: ctx, agentID: agentID, written: c.shared.written.begin(scope)}
	stream, err := c.shared.conn.NewStream(c.shared.outgoing(ctx, agentID), description, method, options...)
	if err != nil {
		return nil, c.shared.failure(ctx, err)
	}
	opened.ClientStream, opened.isUpload = stream, description.ClientStreams
	return opened, nil
}
