package camillo

import (
	"context"
	"errors"
	"fmt"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	camillov1 "camillo.dev/camillo/v1"
)

const (
	maxBatch = 1000
	// Below the 4 MiB that a gRPC server takes in one message unless told otherwise.
	maxBatchBytes = 3 << 20
	// The tag and the length of an element of a repeated field, at most.
	elementOverheadBytes = 6
)

// Remembered is what became of one memory of many: one of both is nil.
type Remembered struct {
	Memory *camillov1.Memory
	Err    error
}

// A BatchOption says how many memories are stored at once.
type BatchOption func(*batch)

// WithRequestID repeats a call of [Client.RememberMany] that failed, with the [Error.RequestID] of its error.
func WithRequestID(requestID string) BatchOption {
	return func(b *batch) { b.requestID, b.isRepeatable = requestID, true }
}

type batch struct {
	requestID    string
	isRepeatable bool
}

// RememberMany tells for each memory, in the order given, what became of it.
//
// They are sent in batches of up to 1,000, each one transaction with the timeout for itself. If one fails as a whole, its
// error is returned beside what became of those before it, which stay stored; repeated with the same memories and
// [WithRequestID], the call stores the rest and tells of all.
func (c *Client) RememberMany(
	ctx context.Context, memories []*camillov1.NewMemory, options ...BatchOption,
) ([]Remembered, error) {
	batch := &batch{requestID: newRequestID()}
	for _, option := range options {
		option(batch)
	}
	var outcomes []Remembered
	for number, pack := range packs(memories) {
		answer, err := batch.send(ctx, c, number, pack)
		if err != nil {
			return outcomes, batch.named(err)
		}
		for _, result := range answer.GetResults() {
			outcomes = append(outcomes, rememberedOf(result))
		}
	}
	return outcomes, nil
}

func rememberedOf(result *camillov1.BatchRememberResult) Remembered {
	if result.GetOutcome() == nil {
		return Remembered{Err: &Error{
			Code: codes.Unknown, Message: "the server tells no outcome that this client knows", kind: Failed,
		}}
	}
	return Remembered{result.GetMemory(), ErrorOf(result.GetError())}
}

func (b *batch) send(
	ctx context.Context, c *Client, number int, pack []*camillov1.NewMemory,
) (*camillov1.BatchRememberResponse, error) {
	request := &camillov1.BatchRememberRequest{RequestId: b.requestID, Memories: pack}
	if number > 0 {
		request.RequestId = fmt.Sprintf("%s.%d", b.requestID, number)
	}
	answer := &camillov1.BatchRememberResponse{}
	call := c.unaryCall(camillov1.MemoryService_BatchRemember_FullMethodName, request, answer)
	call.isRepeatable = b.isRepeatable
	return answer, call.run(ctx)
}

// named puts the id of the whole into the error, in place of that of one batch.
func (b *batch) named(err error) error {
	var failure *Error
	if errors.As(err, &failure) {
		failure.RequestID = b.requestID
	}
	return err
}

// packs is the messages in the order given, within limits of number and size. One that is too large alone travels alone.
func packs[M proto.Message](messages []M) [][]M {
	var packs [][]M
	first, bytes := 0, 0
	for place, message := range messages {
		size := proto.Size(message) + elementOverheadBytes
		if place > first && (place-first >= maxBatch || bytes+size > maxBatchBytes) {
			packs = append(packs, messages[first:place])
			first, bytes = place, 0
		}
		bytes += size
	}
	if first < len(messages) {
		packs = append(packs, messages[first:])
	}
	return packs
}
