package main

import (
	"context"
	"fmt"
	"iter"

	"google.golang.org/protobuf/proto"

	"camillo.dev/camillo"
	camillov1 "camillo.dev/camillo/v1"
)

func call(ctx context.Context, client *camillo.Client, of command, request proto.Message) (any, error) {
	response, err := client.Call(ctx, of.Method, request)
	if err != nil {
		return nil, err
	}
	return inJSON(response)
}

// hits are those of a recall, as the client reads them.
func hits(ctx context.Context, client *camillo.Client, of command, request proto.Message) (any, error) {
	response, err := client.Call(ctx, of.Method, request)
	if err != nil {
		return nil, err
	}
	answer, ok := response.(*camillov1.RecallResponse)
	if !ok {
		return nil, fmt.Errorf("%s has no hits", of.Method)
	}
	shown := []map[string]any{}
	for _, hit := range answer.GetHits() {
		item := camillo.ItemOf(hit)
		told := map[string]any{
			"text": item.Text, "id": item.ID, "ref": item.Ref, "kind": item.Kind, "source": item.Source,
			"occurred_at_ms": item.OccurredAt.UnixMilli(),
		}
		if item.Citation != nil {
			told["citation"] = item.Citation.GetDocumentId()
		}
		shown = append(shown, told)
	}
	return shown, nil
}

func recall(ctx context.Context, client *camillo.Client, of command) (any, error) {
	response, err := client.Recall(ctx, of.Text, &camillov1.RecallRequest{TimeZone: of.TimeZone})
	if err != nil {
		return nil, err
	}
	return inJSON(response)
}

func bundle(ctx context.Context, client *camillo.Client, of command) (any, error) {
	built, err := client.Context.Bundle(ctx, of.Text, &camillov1.BuildBundleRequest{TimeZone: of.TimeZone})
	if err != nil {
		return nil, err
	}
	return inJSON(built)
}

func record(ctx context.Context, client *camillo.Client, of command) (any, error) {
	written, err := client.Events.Record(ctx, camillo.Message(of.SessionID, nil, of.Text))
	if err != nil {
		return nil, err
	}
	return inJSON(written.RecordedEvent)
}

func pages(ctx context.Context, client *camillo.Client, of command, request proto.Message) (any, error) {
	return taken(of, client.Pages(ctx, of.Method, request))
}

func stream(ctx context.Context, client *camillo.Client, of command, request proto.Message) (any, error) {
	return taken(of, client.Stream(ctx, of.Method, request))
}

// taken is the first so many messages, or all. None are asked for where none are wanted.
func taken(of command, messages iter.Seq2[proto.Message, error]) (any, error) {
	taken := []any{}
	if of.Take != nil && *of.Take <= 0 {
		return taken, nil
	}
	for message, err := range messages {
		if err != nil {
			return nil, err
		}
		shown, err := inJSON(message)
		if err != nil {
			return nil, err
		}
		taken = append(taken, shown)
		if of.Take != nil && len(taken) == *of.Take {
			break
		}
	}
	return taken, nil
}
