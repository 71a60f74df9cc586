package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"camillo.dev/camillo"
)

// command is one line of the input; which of the fields there are depends on `do`.
type command struct {
	ID              json.RawMessage `json:"id"`
	Do              string          `json:"do"`
	Client          string          `json:"client"`
	Address         *string         `json:"address"`
	Key             *string         `json:"key"`
	AgentID         *string         `json:"agent_id"`
	TLS             *tlsFiles       `json:"tls"`
	TimeoutSeconds  *float64        `json:"timeout_seconds"`
	MaxMessageBytes *int            `json:"max_message_bytes"`
	Method          string          `json:"method"`
	Request         json.RawMessage `json:"request"`
	Take            *int            `json:"take"`
	Path            string          `json:"path"`
	Name            string          `json:"name"`
	Artifact        string          `json:"artifact"`
	Text            string          `json:"text"`
	Tool            string          `json:"tool"`
	ArtifactID      string          `json:"artifact_id"`
	Description     string          `json:"description"`
	Categories      []string        `json:"categories"`
	ExpectedVersion *int64          `json:"expected_version"`
	RequestID       string          `json:"request_id"`
	SessionID       string          `json:"session_id"`
	TimeZone        string          `json:"time_zone"`
	Of              string          `json:"of"`
	User            string          `json:"user"`
	Project         string          `json:"project"`
	Team            string          `json:"team"`
	Space           string          `json:"space"`
	Beside          []string        `json:"beside"`
}

type tlsFiles struct {
	Root        string `json:"root"`
	Certificate string `json:"certificate"`
	PrivateKey  string `json:"private_key"`
	ServerName  string `json:"server_name"`
}

// runner holds the clients by name.
type runner struct {
	clients map[string]*camillo.Client
	doing   map[string]func(command) (any, error)
}

func newRunner() *runner {
	r := &runner{clients: map[string]*camillo.Client{}}
	r.doing = map[string]func(command) (any, error){
		"connect": r.connect, "bind": r.bind, "close": r.close,
		"call": r.withRequest(call), "hits": r.withRequest(hits), "pages": r.withRequest(pages), "stream": r.withRequest(stream),
		"put": r.withClient(put), "publish": r.withClient(publish), "read": r.withClient(read), "offload": r.withClient(offload),
		"recall": r.withClient(recall), "bundle": r.withClient(bundle), "record": r.withClient(record),
		"render_ref": renderRef, "parse_refs": parseRefs,
	}
	return r
}

// answer carries a command out.
func (r *runner) answer(line []byte) (told answer) {
	var of command
	defer func() {
		if panicked := recover(); panicked != nil {
			told = answer{ID: of.ID, Error: failureOf(fmt.Errorf("panic: %v", panicked))}
		}
	}()
	if err := json.Unmarshal(line, &of); err != nil {
		return answer{ID: of.ID, Error: failureOf(err)}
	}
	result, err := r.carryOut(of)
	if err != nil {
		return answer{ID: of.ID, Error: failureOf(err)}
	}
	return answer{ID: of.ID, OK: &result}
}

func (r *runner) carryOut(of command) (any, error) {
	do, known := r.doing[of.Do]
	if !known {
		return nil, fmt.Errorf("%w: %q", errUnknownCommand, of.Do)
	}
	return do(of)
}

func (r *runner) client(of command) (*camillo.Client, error) {
	client, known := r.clients[of.Client]
	if !known {
		return nil, fmt.Errorf("no client %q", of.Client)
	}
	return client, nil
}

// withClient does something with the client of a command, within the command's timeout.
func (r *runner) withClient(do func(context.Context, *camillo.Client, command) (any, error)) func(command) (any, error) {
	return func(of command) (any, error) {
		client, err := r.client(of)
		if err != nil {
			return nil, err
		}
		ctx, cancel := of.context()
		defer cancel()
		return do(ctx, client, of)
	}
}

// withRequest does something with the client and the request of a command.
func (r *runner) withRequest(
	do func(context.Context, *camillo.Client, command, proto.Message) (any, error),
) func(command) (any, error) {
	return r.withClient(func(ctx context.Context, client *camillo.Client, of command) (any, error) {
		request, err := of.request()
		if err != nil {
			return nil, err
		}
		return do(ctx, client, of, request)
	})
}

func (r *runner) connect(of command) (any, error) {
	options, err := of.options()
	if err != nil {
		return nil, err
	}
	client, err := camillo.Connect(options...)
	if err != nil {
		return nil, err
	}
	if before, known := r.clients[of.Client]; known {
		_ = before.Close()
	}
	r.clients[of.Client] = client
	return map[string]any{}, nil
}

func (r *runner) bind(of command) (any, error) {
	client, err := r.client(command{Client: of.Of})
	if err != nil {
		return nil, err
	}
	for _, each := range []struct {
		name string
		bind func(string) (*camillo.Client, error)
	}{
		{of.User, client.ForUser}, {of.Project, client.ForProject}, {of.Team, client.ForTeam}, {of.Space, client.ForSpace},
	} {
		if each.name == "" {
			continue
		}
		if client, err = each.bind(each.name); err != nil {
			return nil, err
		}
	}
	if client, err = client.WithSpaces(camillo.Spaces{Read: of.Beside}); err != nil {
		return nil, err
	}
	r.clients[of.Client] = client
	return map[string]any{}, nil
}

func (r *runner) close(of command) (any, error) {
	client, err := r.client(of)
	if err != nil {
		return nil, err
	}
	delete(r.clients, of.Client)
	return map[string]any{}, client.Close()
}

func (r *runner) closeAll() {
	for _, client := range r.clients {
		_ = client.Close()
	}
}

// options are what the command says; the rest has its default.
func (c command) options() ([]camillo.Option, error) {
	var options []camillo.Option
	add := func(option camillo.Option) { options = append(options, option) }
	if c.Address != nil {
		add(camillo.WithAddress(*c.Address))
	}
	if c.Key != nil {
		add(camillo.WithKey(*c.Key))
	}
	if c.AgentID != nil {
		add(camillo.WithAgent(*c.AgentID))
	}
	if c.TimeoutSeconds != nil {
		add(camillo.WithTimeout(duration(*c.TimeoutSeconds)))
	}
	if c.MaxMessageBytes != nil {
		add(camillo.WithMaxMessageBytes(*c.MaxMessageBytes))
	}
	if c.TLS == nil {
		return options, nil
	}
	tls, err := camillo.TLSFromFiles(c.TLS.Root, c.TLS.Certificate, c.TLS.PrivateKey)
	tls.ServerName = c.TLS.ServerName
	return append(options, camillo.WithTLS(tls)), err
}

// context has the timeout of the command, if it has one.
func (c command) context() (context.Context, context.CancelFunc) {
	if c.TimeoutSeconds == nil {
		return context.WithCancel(context.Background())
	}
	return context.WithTimeout(context.Background(), duration(*c.TimeoutSeconds))
}

// request is that of the command's method; without one in the command, an empty one.
func (c command) request() (proto.Message, error) {
	request, err := camillo.NewRequest(c.Method)
	if err != nil || len(c.Request) == 0 {
		return request, err
	}
	return request, protojson.Unmarshal(c.Request, request)
}

func duration(seconds float64) time.Duration {
	return time.Duration(seconds * float64(time.Second))
}
