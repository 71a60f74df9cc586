package camillo

import (
	"context"
	"iter"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"

	camillov1 "camillo.dev/camillo/v1"
)

const defaultReconnects = 10

// A WatchOption says how long a watch is kept up.
type WatchOption func(*patience)

type patience struct {
	maxReconnects int
}

// MaxReconnects is how often in a row a watch connects again without getting anything; default: 10.
func MaxReconnects(times int) WatchOption {
	return func(p *patience) { p.maxReconnects = times }
}

// FromBeginning begins a watch with every memory there is; then comes what changes.
func FromBeginning() *camillov1.WatchMemoriesRequest {
	start := &camillov1.WatchMemoriesRequest_FromBeginning{FromBeginning: true}
	return &camillov1.WatchMemoriesRequest{Start: start}
}

// After begins a watch behind the change that carried this token.
func After(resumeToken string) *camillov1.WatchMemoriesRequest {
	start := &camillov1.WatchMemoriesRequest_ResumeToken{ResumeToken: resumeToken}
	return &camillov1.WatchMemoriesRequest{Start: start}
}

// Watch is the changes of a scope in the order of their revisions, checkpoints among them, without end.
//
// When the server goes away, the watch goes on behind the last change handed out; it gives up, with the last failure,
// after [MaxReconnects] attempts in a row that brought nothing. The request says where it begins, as [FromBeginning] and
// [After] do; one that does not say is an [InvalidField].
func (c *Client) Watch(
	ctx context.Context, request *camillov1.WatchMemoriesRequest, options ...WatchOption,
) iter.Seq2[*camillov1.MemoryChange, error] {
	const method = camillov1.MemoryService_WatchMemories_FullMethodName
	fresh := func() *camillov1.WatchMemoriesResponse { return &camillov1.WatchMemoriesResponse{} }
	answers := resumed(ctx, c, method, filledCopy(request), fresh, options)
	return changes(answers, (*camillov1.WatchMemoriesResponse).GetChange)
}

// Watch is the events of a scope as they are recorded, checkpoints among them, without end; it goes on as [Client.Watch]
// does.
func (e *Events) Watch(
	ctx context.Context, request *camillov1.WatchEventsRequest, options ...WatchOption,
) iter.Seq2[*camillov1.EventChange, error] {
	const method = camillov1.EventService_WatchEvents_FullMethodName
	fresh := func() *camillov1.WatchEventsResponse { return &camillov1.WatchEventsResponse{} }
	answers := resumed(ctx, e.client, method, filledCopy(request), fresh, options)
	return changes(answers, (*camillov1.WatchEventsResponse).GetChange)
}

// Watch is every version of slots as it is written, and which slots were forgotten, checkpoints among them, without end; it
// goes on as [Client.Watch] does. The request says where it begins, and below which prefix.
func (s *Slots) Watch(
	ctx context.Context, request *camillov1.WatchSlotsRequest, options ...WatchOption,
) iter.Seq2[*camillov1.SlotChange, error] {
	const method = camillov1.SlotService_WatchSlots_FullMethodName
	fresh := func() *camillov1.WatchSlotsResponse { return &camillov1.WatchSlotsResponse{} }
	answers := resumed(ctx, s.client, method, filledCopy(request), fresh, options)
	return changes(answers, (*camillov1.WatchSlotsResponse).GetChange)
}

// Watch is the entries that pass the filter of a request in the order of their commits, without end, from the oldest one or
// from behind its resume token, with checkpoints without an entry among them; it goes on as [Client.Watch] does.
func (a *Audit) Watch(
	ctx context.Context, request *camillov1.WatchAuditRequest, options ...WatchOption,
) iter.Seq2[*camillov1.AuditChange, error] {
	const method = camillov1.AuditService_WatchAudit_FullMethodName
	fresh := func() *camillov1.WatchAuditResponse { return &camillov1.WatchAuditResponse{} }
	answers := resumed(ctx, a.client, method, filledCopy(request), fresh, options)
	return changes(answers, (*camillov1.WatchAuditResponse).GetChange)
}

// changes is what is in the messages of a watch; those without one are passed over.
func changes[R, C any](answers iter.Seq2[R, error], of func(R) *C) iter.Seq2[*C, error] {
	return func(yield func(*C, error) bool) {
		for answer, err := range answers {
			if change := of(answer); (change != nil || err != nil) && !yield(change, err) {
				return
			}
		}
	}
}

// watch is one watch over all connections that it takes.
type watch[R proto.Message] struct {
	client   *Client
	method   string
	request  proto.Message
	fresh    func() R
	patience patience
	failures int
}

func resumed[R proto.Message](
	ctx context.Context, c *Client, method string, request proto.Message, fresh func() R, options []WatchOption,
) iter.Seq2[R, error] {
	patience := patience{defaultReconnects}
	for _, option := range options {
		option(&patience)
	}
	return func(yield func(R, error) bool) {
		watch := &watch[R]{client: c, method: method, request: copyOf(request), fresh: fresh, patience: patience}
		var none R
		for {
			err, isLeft := watch.connection(ctx, yield)
			if isLeft {
				return
			}
			if err = watch.wait(ctx, err); err != nil {
				yield(none, err)
				return
			}
		}
	}
}

// connection hands on what one connection brings; tells what broke it, or that the caller has enough.
func (w *watch[R]) connection(ctx context.Context, yield func(R, error) bool) (broken error, isLeft bool) {
	for answer, err := range messages(ctx, w.client, w.method, w.request, w.fresh) {
		if err != nil {
			return err, false
		}
		w.failures = 0
		w.goOnBehind(answer)
		if !yield(answer, nil) {
			return nil, true
		}
	}
	// A watch has no end; a server that closes one in good order is going away.
	ended := &Error{Code: codes.Unavailable, Message: "the server ended the watch", kind: Unavailable}
	return ended, false
}

// goOnBehind passes over what is no change: a newer server may tell of other things.
func (w *watch[R]) goOnBehind(answer proto.Message) {
	change := part(answer, changeField)
	if change == nil {
		return
	}
	if token := textOf(change, resumeTokenField); token != "" {
		setText(w.request, resumeTokenField, token)
	}
}

// wait is the failure itself where the watch does not go on.
func (w *watch[R]) wait(ctx context.Context, broken error) error {
	w.failures++
	// Overloads, too: when a server comes back, all its watchers do.
	return w.client.shared.goOn(ctx, broken, w.failures, w.patience.maxReconnects)
}
