package camillo

import (
	"context"
	"net"
	"os"
	"sync"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

// A reply is what the server does with one call; of an upload there is no request yet.
type reply func(stream grpc.ServerStream, request proto.Message) error

// fakeServer is a gRPC server that answers what a test scripts: per method, one reply for each call, then the last one
// again; without any, an empty message.
type fakeServer struct {
	address string
	lock    sync.Mutex
	scripts map[string][]reply
	calls   map[string][]seenCall
}

type seenCall struct {
	request proto.Message
	header  metadata.MD
	left    time.Duration
}

func startServer(options ...grpc.ServerOption) (*fakeServer, func()) {
	fake := &fakeServer{scripts: map[string][]reply{}, calls: map[string][]seenCall{}}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fake.address = listener.Addr().String()
	server := grpc.NewServer(append(options, grpc.UnknownServiceHandler(fake.handle))...)
	go func() { _ = server.Serve(listener) }()
	return fake, server.Stop
}

func newServer(t *testing.T) *fakeServer {
	t.Helper()
	server, stop := startServer()
	t.Cleanup(stop)
	return server
}

func (s *fakeServer) handle(_ any, stream grpc.ServerStream) error {
	path, _ := grpc.MethodFromServerStream(stream)
	method, err := findMethod(path)
	if err != nil {
		return status.Error(codes.Unimplemented, "unknown method")
	}
	var request proto.Message
	if !method.descriptor.IsStreamingClient() {
		request = method.request.New().Interface()
		if err := stream.RecvMsg(request); err != nil {
			return err
		}
	}
	if next := s.note(string(method.descriptor.Name()), stream.Context(), request); next != nil {
		return next(stream, request)
	}
	return stream.SendMsg(method.response.New().Interface())
}

// note writes the call down and finds what is to be done with it.
func (s *fakeServer) note(method string, ctx context.Context, request proto.Message) reply {
	s.lock.Lock()
	defer s.lock.Unlock()
	call := seenCall{request: request}
	call.header, _ = metadata.FromIncomingContext(ctx)
	if deadline, has := ctx.Deadline(); has {
		call.left = time.Until(deadline)
	}
	s.calls[method] = append(s.calls[method], call)
	script := s.scripts[method]
	if len(script) == 0 {
		return nil
	}
	if len(script) > 1 {
		s.scripts[method] = script[1:]
	}
	return script[0]
}

func (s *fakeServer) script(method string, replies ...reply) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.scripts[method] = replies
}

func (s *fakeServer) seen(method string) []seenCall {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.calls[method]
}

// requests is what came of a method, as its own type.
func requests[M proto.Message](s *fakeServer, method string) []M {
	var of []M
	for _, call := range s.seen(method) {
		of = append(of, call.request.(M))
	}
	return of
}

// says sends messages, then ends well.
func says(messages ...proto.Message) reply {
	return saysThen(nil, messages...)
}

// saysThen sends messages, then ends so.
func saysThen(end error, messages ...proto.Message) reply {
	return func(stream grpc.ServerStream, _ proto.Message) error {
		for _, message := range messages {
			if err := stream.SendMsg(message); err != nil {
				return err
			}
		}
		return end
	}
}

func refuses(err error) reply {
	return saysThen(err)
}

// pauses is what a client would have waited.
type pauses struct {
	lock    sync.Mutex
	lengths []time.Duration
}

func (p *pauses) wait(_ context.Context, length time.Duration) error {
	p.lock.Lock()
	defer p.lock.Unlock()
	p.lengths = append(p.lengths, length)
	return nil
}

func newClientOf(t *testing.T, server *fakeServer, options ...Option) (*Client, *pauses) {
	t.Helper()
	pauses := &pauses{}
	with := func(t *target) { t.pause = pauses.wait }
	defaults := []Option{WithAddress(server.address), WithKey("k1"), WithAgent("ada"), with}
	client, err := Connect(append(defaults, options...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = client.Close() })
	return client, pauses
}

// The examples find a server where programs do.
func TestMain(m *testing.M) {
	server, stop := startServer()
	scriptExamples(server)
	_ = os.Setenv("CAMILLO_ADDRESS", server.address)
	_ = os.Setenv("CAMILLO_KEY", "key-of-the-examples\n")
	code := m.Run()
	stop()
	os.Exit(code)
}
