package main

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"

	"camillo.dev/camillo"
	camillov1 "camillo.dev/camillo/v1"
)

// bare is the generated stub over a channel of its own, with nothing but the credential.
func (o order) bare() (recall, func() error, error) {
	connection, err := grpc.NewClient(o.Address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		return nil, nil, err
	}
	stub := camillov1.NewMemoryServiceClient(connection)
	ask := func(ctx context.Context, query string) (*camillov1.RecallResponse, error) {
		ctx = metadata.AppendToOutgoingContext(ctx, "authorization", "Bearer "+o.Key)
		return stub.Recall(ctx, &camillov1.RecallRequest{
			AgentId: o.AgentID, Query: &camillov1.RecallRequest_Text{Text: query}, Limit: o.Limit,
		})
	}
	return ask, connection.Close, nil
}

// facade is the client's short form.
func (o order) facade() (recall, func() error, error) {
	client, err := camillo.Connect(
		camillo.WithAddress(o.Address), camillo.WithKey(o.Key), camillo.WithAgent(o.AgentID),
	)
	if err != nil {
		return nil, nil, err
	}
	ask := func(ctx context.Context, query string) (*camillov1.RecallResponse, error) {
		return client.Recall(ctx, query, &camillov1.RecallRequest{Limit: o.Limit})
	}
	return ask, client.Close, nil
}
