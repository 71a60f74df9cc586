package main

import (
	"context"
	"iter"

	"google.golang.org/protobuf/proto"

	"camillo.dev/camillo"
)

func (r *runner) call(of command) (any, error) {
	client, err := r.client(of)
	if err != nil {
		return nil, err
	}
	request, err := of.request()
	if err != nil {
		return nil, err
	}
	ctx, cancel := of.context()
	defer cancel()
	response, err := client.Call(ctx, of.Method, request)
	if err != nil {
		return nil, err
	}
	return inJSON(response)
}

func (r *runner) pages(of command) (any, error) {
	return r.taken(of, func(ctx context.Context, client *camillo.Client, request proto.Message) iter.Seq2[proto.Message, error] {
		return client.Pages(ctx, of.Method, request)
	})
}

func (r *runner) stream(of command) (any, error) {
	return r.taken(of, func(ctx context.Context, client *camillo.Client, request proto.Message) iter.Seq2[proto.Message, error] {
		return client.Stream(ctx, of.Method, request)
	})
}

type begin = func(context.Context, *camillo.Client, proto.Message) iter.Seq2[proto.Message, error]

// taken is the first so many messages of what is begun, or all.
func (r *runner) taken(of command, begin begin) (any, error) {
	client, err := r.client(of)
	if err != nil {
		return nil, err
	}
	request, err := of.request()
	if err != nil {
		return nil, err
	}
	ctx, cancel := of.context()
	defer cancel()
	taken := []any{}
	if of.Take != nil && *of.Take <= 0 {
		return taken, nil
	}
	for message, err := range begin(ctx, client, request) {
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
