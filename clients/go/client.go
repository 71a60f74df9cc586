package camillo

import (
	"context"
	"fmt"
	"os"
	"time"

	"google.golang.org/grpc"

	camillov1 "camillo.dev/camillo/v1"
)

// A Client is a memory service, as one credential sees it. It is safe for use by several goroutines.
//
// A Client is a [grpc.ClientConnInterface]: any generated stub made with it has deadlines, repetition, freshness and typed
// errors. Fields of a request that the client fills in are filled in a copy; the caller's request stays as it is.
type Client struct {
	// Events are what the agent was told and did.
	Events *Events
	// Context is what to put before the model next.
	Context *Context
	// Artifacts are large outputs, kept out of the context.
	Artifacts *Artifacts
	// Runs are the short-term memory of an agent.
	Runs *Runs
	// Slots are JSON under keys.
	Slots *Slots
	// Documents are what the tenant knows, found in passages.
	Documents *Documents
	// Skills are instructions that an agent loads by name.
	Skills *Skills
	// Audit is the audit trail of the tenant.
	Audit *Audit
	// Links is what belongs together.
	Links *Links
	// Spool is what was acknowledged while Postgres was away and is not stored.
	Spool *Spool
	// Workflows are the steps of workflows, as events.
	Workflows *Workflows

	shared  *shared
	agentID string
	// Read beside the agent's own space, unless a request says itself what it reads.
	beside beside
}

// shared is what the clients of all agents have in common.
type shared struct {
	conn *grpc.ClientConn
	key  string
	// Agent of calls that name none, with a key that may act for any.
	defaultAgent string
	// Holds what a caller is told where the server refuses a key that the caller did not give.
	refusal string
	timeout time.Duration
	pause   func(context.Context, time.Duration) error
	written *writtenRevisions
	// Is done when the client has been closed.
	closed context.Context
	close  context.CancelFunc
}

var _ grpc.ClientConnInterface = (*Client)(nil)

// Connect makes a client of one server; it connects with the first call. An error here is one of options, such as an address
// that is no host and port; a server that cannot be reached fails calls, with [Unavailable].
func Connect(options ...Option) (*Client, error) {
	t := newTarget(os.Getenv, options)
	if err := checkAddress(t.address); err != nil {
		return nil, err
	}
	if err := t.checkKey(); err != nil {
		return nil, err
	}
	dial, err := t.dialOptions()
	if err != nil {
		return nil, err
	}
	conn, err := grpc.NewClient(t.address, dial...)
	if err != nil {
		return nil, fmt.Errorf("camillo: %w", err)
	}
	closed, closeAll := context.WithCancel(context.Background())
	return newClient(&shared{
		conn: conn, key: t.key, defaultAgent: t.defaultAgent, refusal: t.refusal, timeout: t.timeout, pause: t.pause,
		written: newWrittenRevisions(),
		closed:  closed, close: closeAll,
	}, t.agentID, beside{}), nil
}

func newClient(of *shared, agentID string, beside beside) *Client {
	client := &Client{shared: of, agentID: agentID, beside: beside}
	client.Events = &Events{client: client}
	client.Context = &Context{client: client}
	client.Artifacts = &Artifacts{client: client}
	client.Runs = &Runs{client: client}
	client.Slots = &Slots{client: client}
	client.Documents = &Documents{client: client}
	client.Skills = &Skills{client: client}
	client.Audit = &Audit{client: client}
	client.Links = &Links{client: client}
	client.Spool = &Spool{client: client}
	client.Workflows = &Workflows{client: client}
	return client
}

// ForAgent is the same client acting for another agent, over the same connection. [Shared] is the tenant's shared scope;
// the empty one is a key's own agent, else the default one.
func (c *Client) ForAgent(agentID string) *Client {
	return newClient(c.shared, agentID, beside{})
}

// Conn is the connection itself, for bare stubs: without credential, deadline, freshness and typed errors. A call that was
// UNAVAILABLE is repeated here, too: without a request id of its own, a mutation may then happen twice.
func (c *Client) Conn() *grpc.ClientConn {
	return c.shared.conn
}

// Close ends all calls and the connection, also for clients made by [Client.ForAgent] and its like. Calls that it ends, and those made
// later, are [context.Canceled].
func (c *Client) Close() error {
	c.shared.close()
	return c.shared.conn.Close()
}

// WhoAmI tells who the caller is, and what it is talking to.
func (c *Client) WhoAmI(ctx context.Context) (*camillov1.WhoAmIResponse, error) {
	return camillov1.NewAdminServiceClient(c).WhoAmI(ctx, &camillov1.WhoAmIRequest{})
}
