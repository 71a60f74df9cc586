package camillo

import (
	"context"

	camillov1 "camillo.dev/camillo/v1"
)

// Context is what to put before a model next, under a budget of tokens.
type Context struct {
	client *Client
}

// Bundle is the context of the next call of a model: its prompt is ready to be sent. What it is for is in `how`, such as
// session_id and max_tokens; it may be nil. [BudgetTooSmall] if max_tokens is less than what may not be cut.
func (c *Context) Bundle(
	ctx context.Context, query string, how *camillov1.BuildBundleRequest,
) (*camillov1.Bundle, error) {
	request := filledCopy(how)
	request.QueryText = query
	answer, err := camillov1.NewSnapshotServiceClient(c.client).BuildBundle(ctx, request)
	return answer.GetBundle(), err
}
