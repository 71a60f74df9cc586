package camillo

import (
	"bytes"
	"context"
	"errors"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	camillov1 "camillo.dev/camillo/v1"
)

// gone is what a server that stops answers to calls that it accepted and never took.
func gone() error {
	return status.Error(codes.Canceled, "CANCELLED")
}

func isUnavailable(err error) bool {
	return errors.Is(err, Unavailable) && !errors.Is(err, context.Canceled) && status.Code(err) == codes.Unavailable
}

func isCancelled(err error) bool {
	return errors.Is(err, context.Canceled) && !errors.Is(err, Unavailable)
}

func TestAServerThatStoppedIsAskedAgain(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	server.script("Remember", refuses(gone()), refuses(gone()), says(remembered("r1")))
	remember(t, client)
	sent := requests[*camillov1.RememberRequest](server, "Remember")
	if len(sent) != 3 || sent[0].GetRequestId() != sent[2].GetRequestId() {
		t.Errorf("sent was %v", sent)
	}
}

func TestAServerThatStoppedIsUnavailableInTheEnd(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	server.script("GetMemory", refuses(gone()))
	server.script("ExportMemories", refuses(gone()))
	if _, err := client.Get(t.Context(), "m1"); !isUnavailable(err) || len(server.seen("GetMemory")) != 4 {
		t.Errorf("%v after %d attempts", err, len(server.seen("GetMemory")))
	}
	memories := camillov1.NewMemoryServiceClient(client)
	for _, err := range Stream(t.Context(), memories.ExportMemories, &camillov1.ExportMemoriesRequest{}) {
		if !isUnavailable(err) || len(server.seen("ExportMemories")) != 1 {
			t.Errorf("%v after %d attempts", err, len(server.seen("ExportMemories")))
		}
	}
}

func TestStreamsGoOnWithAnotherServerThanTheOneThatStopped(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	whole := content(100)
	var first, second takenUpload
	server.script("WatchMemories", refuses(gone()), says(change("t1")))
	server.script("ReadArtifact", saysThen(gone(), piece(whole, 0, 40)), says(piece(whole, 40, 100)))
	server.script("PutArtifact", takes(&first, 1, gone()), takes(&second, 0, nil))
	if tokens, err := watched(t.Context(), client, 1); err != nil || len(tokens) != 1 {
		t.Errorf("the watch: %v", err)
	}
	if got, err := client.Artifacts.Read(t.Context(), "abc_1", nil); err != nil || !bytes.Equal(got, whole) {
		t.Errorf("the read: %v", err)
	}
	if _, err := client.Artifacts.Put(t.Context(), bytes.NewReader(whole), nil); err != nil || len(second.bytes) != 100 {
		t.Errorf("the upload: %v", err)
	}
}

// stalls answers when the call is over; it tells that the call came.
func stalls(arrived chan<- struct{}) reply {
	return func(stream grpc.ServerStream, _ proto.Message) error {
		arrived <- struct{}{}
		<-stream.Context().Done()
		return gone()
	}
}

func TestACallThatItsCallerCancelsIsNotRepeated(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	arrived := make(chan struct{}, 9)
	server.script("GetMemory", stalls(arrived))
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-arrived
		cancel()
	}()
	if _, err := client.Get(ctx, "m1"); !isCancelled(err) {
		t.Errorf("%v", err)
	}
	// Longer than the pause before a repetition, as this one shows.
	server.script("Remember", refuses(gone()), says(remembered("r1")))
	remember(t, client)
	if calls := len(server.seen("GetMemory")); calls != 1 {
		t.Errorf("%d calls came", calls)
	}
}

func TestGivingUpDuringAPauseIsTheCallersDoing(t *testing.T) {
	for what, begin := range map[string]func(context.Context, *Client) error{
		"a call": func(ctx context.Context, client *Client) error {
			_, err := client.Remember(ctx, "tea", nil)
			return err
		},
		"a read": func(ctx context.Context, client *Client) error {
			_, err := client.Artifacts.Read(ctx, "abc_1", nil)
			return err
		},
		"an upload": func(ctx context.Context, client *Client) error {
			_, err := client.Artifacts.Put(ctx, bytes.NewReader(content(10)), nil)
			return err
		},
		"a watch": func(ctx context.Context, client *Client) error {
			_, err := watched(ctx, client, 1)
			return err
		},
	} {
		t.Run(what, func(t *testing.T) {
			server := newServer(t)
			scriptOverloads(server)
			ctx, cancel := context.WithCancel(t.Context())
			pausing := func(t *target) {
				t.pause = func(ctx context.Context, length time.Duration) error {
					cancel()
					return pause(ctx, length)
				}
			}
			client, _ := newClientOf(t, server, pausing)
			if err := begin(ctx, client); !isCancelled(err) || errors.Is(err, Overloaded) {
				t.Errorf("%v", err)
			}
		})
	}
}

func scriptOverloads(server *fakeServer) {
	const long = time.Minute
	// Longer than the calls have, it would not be waited for.
	server.script("Remember", refuses(overloaded(time.Second)))
	server.script("ReadArtifact", refuses(overloaded(long)))
	server.script("PutArtifact", refuses(overloaded(long)))
	server.script("WatchMemories", refuses(failed(codes.Unavailable, "SERVER_DRAINING", comeBackIn(long))))
}

func TestTheErrorOfACallGivenUpDuringAPauseHasItsRequestID(t *testing.T) {
	server := newServer(t)
	scriptOverloads(server)
	ctx, cancel := context.WithCancel(t.Context())
	cancels := func(t *target) {
		t.pause = func(context.Context, time.Duration) error {
			cancel()
			return context.Canceled
		}
	}
	client, _ := newClientOf(t, server, cancels)
	_, err := client.Remember(ctx, "tea", nil)
	var failure *Error
	sent := requests[*camillov1.RememberRequest](server, "Remember")
	if !errors.As(err, &failure) || failure.RequestID != sent[0].GetRequestId() {
		t.Errorf("%+v", failure)
	}
}

func TestClosingTheClientEndsItsCallsForGood(t *testing.T) {
	server := newServer(t)
	client, _ := newClientOf(t, server)
	arrived, ended := make(chan struct{}, 9), make(chan error)
	server.script("GetMemory", stalls(arrived))
	server.script("WatchMemories", stalls(arrived))
	go func() {
		_, err := client.Get(t.Context(), "m1")
		ended <- err
	}()
	go func() {
		_, err := watched(t.Context(), client, 1)
		ended <- err
	}()
	<-arrived
	<-arrived
	_ = client.Close()
	for range 2 {
		if err := <-ended; !isCancelled(err) {
			t.Errorf("%v", err)
		}
	}
	if _, err := client.Get(t.Context(), "m1"); !isCancelled(err) {
		t.Errorf("afterwards: %v", err)
	}
	if calls := len(server.seen("GetMemory")) + len(server.seen("WatchMemories")); calls != 2 {
		t.Errorf("%d calls came", calls)
	}
}

func TestClosingTheClientEndsAPause(t *testing.T) {
	server := newServer(t)
	scriptOverloads(server)
	pausing := make(chan struct{}, 9)
	really := func(t *target) {
		t.pause = func(ctx context.Context, length time.Duration) error {
			pausing <- struct{}{}
			return pause(ctx, length)
		}
	}
	client, _ := newClientOf(t, server, really)
	go func() {
		<-pausing
		_ = client.Close()
	}()
	begun := time.Now()
	if _, err := watched(t.Context(), client, 1); !isCancelled(err) || time.Since(begun) > 30*time.Second {
		t.Errorf("%v after %v", err, time.Since(begun))
	}
}
