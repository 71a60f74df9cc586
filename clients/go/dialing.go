package camillo

import (
	_ "embed"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/keepalive"
)

const (
	// gRPC servers allow a ping in 5 minutes without data and close connections of clients that ping more often; load
	// balancers forget connections that are idle for about 6.
	keepaliveTime    = 330 * time.Second
	keepaliveTimeout = 20 * time.Second
	// gRPC waits a second by default before it connects again: its retries would all meet the connection that failed.
	firstReconnect = 100 * time.Millisecond
	maxReconnect   = 5 * time.Second
	connectTimeout = 20 * time.Second
	// gRPC retries only what it still has in its buffer: 256 KiB by default, less than a batch of memories.
	retryBufferBytes = 16 << 20
)

// serviceConfig names the calls that do no harm when they arrive twice, and how gRPC repeats them.
//
//go:embed service_config.json
var serviceConfig string

func (t *target) dialOptions() ([]grpc.DialOption, error) {
	credentials, err := t.credentials()
	if err != nil {
		return nil, err
	}
	options := []grpc.DialOption{
		grpc.WithTransportCredentials(credentials),
		grpc.WithDefaultServiceConfig(serviceConfig),
		// Retries that the name service might ask for do not count.
		grpc.WithDisableServiceConfig(),
		grpc.WithConnectParams(connectParams()),
		grpc.WithKeepaliveParams(keepalive.ClientParameters{Time: keepaliveTime, Timeout: keepaliveTimeout}),
		grpc.WithUserAgent("camillo-client-go/" + Version),
		grpc.WithDefaultCallOptions(
			grpc.MaxCallSendMsgSize(t.maxMessageBytes),
			grpc.MaxCallRecvMsgSize(t.maxMessageBytes),
			grpc.MaxRetryRPCBufferSize(retryBufferBytes),
		),
	}
	return append(options, t.dial...), nil
}

func connectParams() grpc.ConnectParams {
	delays := backoff.DefaultConfig
	delays.BaseDelay, delays.MaxDelay = firstReconnect, maxReconnect
	return grpc.ConnectParams{Backoff: delays, MinConnectTimeout: connectTimeout}
}
