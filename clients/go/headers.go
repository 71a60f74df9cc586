package camillo

import (
	"context"
	"crypto/sha256"
	"encoding/hex"

	"go.opentelemetry.io/otel/propagation"
	"google.golang.org/grpc/metadata"
)

const scopeDigits = 16

// outgoing is the context of a call for an agent, with what every call carries.
func (s *shared) outgoing(ctx context.Context, agentID string) context.Context {
	pairs := []string{"camillo-scope", scope(s.key, agentID), "camillo-default-agent", s.defaultAgent}
	if s.key != "" {
		pairs = append(pairs, "authorization", "Bearer "+s.key)
	}
	// Nothing, where no span is active.
	trace := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, trace)
	for name, value := range trace {
		pairs = append(pairs, name, value)
	}
	return metadata.AppendToOutgoingContext(ctx, pairs...)
}

// scope tells proxies, without telling the key, which calls should meet the same replica.
func scope(key, agentID string) string {
	digest := sha256.Sum256([]byte(key + "\x00" + agentID))
	return hex.EncodeToString(digest[:])[:scopeDigits]
}
