package camillo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	camillov1 "camillo.dev/camillo/v1"
)

const overloadedRetries = 3

// unaryCall is one call, its repetitions included.
type unaryCall struct {
	client   *Client
	method   string
	agentID  string
	request  proto.Message
	response proto.Message
	options  []grpc.CallOption
	// Whether the request id is the caller's and may have been used before.
	isRepeatable bool
}

// Call makes a unary call by the method's name, such as `camillo.v1.MemoryService/Remember`. Failures are [*Error].
func (c *Client) Call(ctx context.Context, method string, request proto.Message) (proto.Message, error) {
	known, err := findMethodFor(method, request, false)
	if err != nil {
		return nil, err
	}
	response := known.response.New().Interface()
	if err := c.Invoke(ctx, known.path, request, response); err != nil {
		return nil, err
	}
	return response, nil
}

// Invoke makes a unary call; generated stubs use it. Failures are [*Error].
func (c *Client) Invoke(
	ctx context.Context, method string, args, reply any, options ...grpc.CallOption,
) error {
	request, isRequest := args.(proto.Message)
	response, isResponse := reply.(proto.Message)
	if !isRequest || !isResponse {
		return fmt.Errorf("camillo: %T and %T are no messages", args, reply)
	}
	call := c.unaryCall(method, request, response)
	call.options = options
	return call.run(ctx)
}

// unaryCall is the call with what the client fills in, in a copy of the request.
func (c *Client) unaryCall(method string, request, response proto.Message) *unaryCall {
	request = copyOf(request)
	c.address(request)
	isOwnID := fillText(request, requestIDField, newRequestID())
	return &unaryCall{
		client: c, method: method, agentID: c.agentOf(request),
		request: request, response: response, isRepeatable: !isOwnID,
	}
}

// address says which space is meant, and what is read beside it: not in place of an alternative, such as a new key's any_agent, nor of all scopes.
func (c *Client) address(request proto.Message) {
	if flagOf(request, allScopesField) || namesSubject(request) || textOf(request, agentIDField) != "" {
		return
	}
	fillText(request, agentIDField, c.agentID)
	c.beside.fill(request)
}

// agentOf is the agent that a call acts for. A request that names none goes where the client's own go.
func (c *Client) agentOf(request proto.Message) string {
	if agentID := textOf(request, agentIDField); agentID != "" {
		return agentID
	}
	return c.agentID
}

func (u *unaryCall) run(ctx context.Context) error {
	ctx, cancel := u.client.shared.withTimeout(ctx)
	defer cancel()
	batch, isBatch := u.request.(*camillov1.BatchRecallRequest)
	answers, areAnswers := u.response.(*camillov1.BatchRecallResponse)
	switch {
	case isBatch && areAnswers:
		return u.recallEach(ctx, batch, answers)
	case fieldOf(u.request, freshnessField, freshnessKind) != nil:
		return u.read(ctx)
	case u.isWrite():
		return u.write(ctx)
	}
	return u.ask(ctx)
}

// isWrite tells writes, whose revision later reads have to reach, from a dry run and from reads.
func (u *unaryCall) isWrite() bool {
	return (textOf(u.request, requestIDField) != "" || u.isRepair()) && !flagOf(u.request, dryRunField)
}

// isRepair tells the writes that need no request id: done twice, they make the same.
func (u *unaryCall) isRepair() bool {
	return u.method == camillov1.EventService_RebuildChunks_FullMethodName ||
		u.method == camillov1.LifecycleService_Reindex_FullMethodName
}

func (u *unaryCall) write(ctx context.Context) error {
	written := u.client.shared.written
	ticket := written.begin(changedScope(u.request, u.response, u.agentID))
	if err := u.ask(ctx); err != nil {
		return err
	}
	written.wrote(ticket, writtenRevisionOf(u.response), u.isRepeatable && !u.isRepair())
	return nil
}

// changedScope is whose scope a write changes: that of its agent, or the tenant's, of which documents, actions and its skills
// are.
func changedScope(request, response proto.Message, agentID string) string {
	skill, isSkill := request.(interface{ GetLevel() camillov1.SkillLevel })
	isTenants := isSkill && skill.GetLevel() == camillov1.SkillLevel_SKILL_LEVEL_TENANT
	if isTenants || fieldOf(response, sharedField, protoreflect.MessageKind) != nil {
		return Shared
	}
	return agentID
}

// writtenRevisionOf is the token of the revision of that scope which holds a write.
func writtenRevisionOf(answer proto.Message) string {
	if token := sharedRevisionOf(answer); token != "" {
		return token
	}
	return revisionOf(answer)
}

// ask comes back as the server says while it is overloaded, within the deadline.
func (u *unaryCall) ask(ctx context.Context) error {
	for retries := 0; ; retries++ {
		err := u.attempt(ctx)
		wait, told := retryAfter(err)
		if !errors.Is(err, Overloaded) || !told || retries == overloadedRetries || !hasTime(ctx, wait) {
			return err
		}
		if err := u.client.shared.wait(ctx, wait); err != nil {
			return u.named(err)
		}
	}
}

func (u *unaryCall) attempt(ctx context.Context) error {
	shared := u.client.shared
	outgoing := shared.outgoing(ctx, u.agentID)
	err := shared.conn.Invoke(outgoing, u.method, u.request, u.response, u.options...)
	if err == nil {
		return nil
	}
	return u.named(shared.failure(ctx, err))
}

// named puts the id of the request into the error.
func (u *unaryCall) named(err error) error {
	var failure *Error
	if errors.As(err, &failure) {
		failure.RequestID = textOf(u.request, requestIDField)
	}
	return err
}

// withTimeout leaves the deadline of a context that has one. The context ends with the client, too.
func (s *shared) withTimeout(ctx context.Context) (context.Context, context.CancelFunc) {
	if _, has := ctx.Deadline(); has || s.timeout <= 0 {
		ctx, cancel := context.WithCancel(ctx)
		return ctx, s.orClosed(cancel)
	}
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	return ctx, s.orClosed(cancel)
}

// hasTime tells whether there is something left of the deadline after a wait.
func hasTime(ctx context.Context, wait time.Duration) bool {
	deadline, has := ctx.Deadline()
	return !has || time.Now().Add(wait).Before(deadline)
}

// unknownMethod is the error of a method that is not in this client's contract.
func unknownMethod(method string) *Error {
	return &Error{
		Code: codes.Unimplemented, Message: "this client knows no method " + method, kind: MethodUnknown,
	}
}
