package camillo

import (
	"context"

	camillov1 "camillo.dev/camillo/v1"
)

// Context is what to put before a model next, under a budget of tokens.
type Context struct {
	client *Client
}

// Bundle is the context of the next call of a model: its prompt is ready to be sent. Its purpose is in `how`, such as
// session_id and max_tokens; it may be nil. [BudgetTooSmall] if max_tokens is less than what may not be cut.
func (c *Context) Bundle(
	ctx context.Context, query string, how *camillov1.BuildBundleRequest,
) (*camillov1.Bundle, error) {
	request := filledCopy(how)
	request.QueryText = query
	if request.GetTimeZone() == "" {
		request.TimeZone = localTimeZone()
	}
	answer, err := camillov1.NewSnapshotServiceClient(c.client).BuildBundle(ctx, request)
	return answer.GetBundle(), err
}

// Digest is what the slots of the agent say in brief, a line each, the newest first: its prompt is ready to be sent. A limit
// of tokens, tags and so on are in `how`, which may be nil.
func (c *Context) Digest(ctx context.Context, how *camillov1.BuildDigestRequest) (*camillov1.Bundle, error) {
	answer, err := camillov1.NewSnapshotServiceClient(c.client).BuildDigest(ctx, filledCopy(how))
	return answer.GetBundle(), err
}
