package camillo

import (
	"context"
	"errors"
	"strings"
	"time"

	"google.golang.org/grpc"
)

// Defaults, unless an [Option] says otherwise.
const (
	DefaultAddress = "localhost:7070"
	// DefaultTimeout is that of a unary call in all, its repetitions included.
	DefaultTimeout         = 10 * time.Second
	DefaultMaxMessageBytes = 64 << 20
	// DefaultAgent is the agent of calls that name none, with a key that may act for any, unless CAMILLO_AGENT names one.
	DefaultAgent = "default"
)

// Shared names, in place of an agent, the scope that all agents of the tenant share.
const Shared = "@shared"

// An Option says where to connect to, and how.
type Option func(*target)

// target is a server, and how to talk to it.
type target struct {
	address         string
	key             string
	agentID         string
	tls             *TLS
	timeout         time.Duration
	maxMessageBytes int
	// Agent of calls that name none, with a key that may act for any.
	defaultAgent string
	isKeyGiven   bool
	// Holds what a caller is told where the server refuses a key that the caller did not give.
	refusal string
	dial    []grpc.DialOption
	pause   func(context.Context, time.Duration) error
}

// WithAddress names the server, as `host:port` or any target that gRPC knows. Default: CAMILLO_ADDRESS, then
// [DefaultAddress].
func WithAddress(address string) Option {
	return func(t *target) {
		if address != "" {
			t.address = address
		}
	}
}

// WithKey is the credential; the empty one is none. Default: CAMILLO_KEY, then, for a server on this machine, the root key
// in this user's data directory. Space around it is dropped.
func WithKey(key string) Option {
	return func(t *target) { t.key, t.isKeyGiven = key, true }
}

// WithAgent is for keys that may act for any agent: the one that calls act for unless their request says another, or
// [Shared]. Default: CAMILLO_AGENT, then [DefaultAgent]; a key of one agent acts for that one.
func WithAgent(agentID string) Option {
	return func(t *target) { t.agentID = agentID }
}

// WithTLS encrypts the connection. Without it nothing is encrypted, the key neither.
func WithTLS(tls TLS) Option {
	return func(t *target) { t.tls = &tls }
}

// WithTimeout is for unary calls whose context has no deadline, each in all, its repetitions included; 0 is none. Default:
// [DefaultTimeout]. Streams have no deadline but their context's.
func WithTimeout(timeout time.Duration) Option {
	return func(t *target) { t.timeout = timeout }
}

// WithMaxMessageBytes bounds messages of either direction. Default: [DefaultMaxMessageBytes].
func WithMaxMessageBytes(limit int) Option {
	return func(t *target) { t.maxMessageBytes = limit }
}

// WithDialOptions adds options of gRPC, such as interceptors; they stand above those of this package.
func WithDialOptions(options ...grpc.DialOption) Option {
	return func(t *target) { t.dial = append(t.dial, options...) }
}

// checkKey does not tell the key: errors are logged.
func (t *target) checkKey() error {
	if !isPrintable(t.key) {
		return errors.New("camillo: the key has characters that no header can hold")
	}
	if !isPrintable(t.defaultAgent) {
		return errors.New("camillo: CAMILLO_AGENT has characters that no header can hold")
	}
	return nil
}

func isPrintable(text string) bool {
	for _, letter := range []byte(text) {
		if letter < ' ' || letter > '~' {
			return false
		}
	}
	return true
}

// newTarget takes from the environment what no option says.
func newTarget(environment func(string) string, options []Option) *target {
	t := &target{
		address:         DefaultAddress,
		key:             environment("CAMILLO_KEY"),
		timeout:         DefaultTimeout,
		maxMessageBytes: DefaultMaxMessageBytes,
		defaultAgent:    strings.TrimSpace(environment("CAMILLO_AGENT")),
		pause:           pause,
	}
	if address := environment("CAMILLO_ADDRESS"); address != "" {
		t.address = address
	}
	for _, option := range options {
		option(t)
	}
	// Keys are read from files and pipes, and a line end in a header fails without saying why.
	t.key = strings.TrimSpace(t.key)
	t.address = strings.TrimSpace(t.address)
	if t.defaultAgent == "" {
		t.defaultAgent = DefaultAgent
	}
	t.findLocalKey(environment)
	return t
}
