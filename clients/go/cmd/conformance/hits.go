package main

import (
	"fmt"

	"camillo.dev/camillo"
	camillov1 "camillo.dev/camillo/v1"
)

// hits are those of a recall, as the client reads them.
func (r *runner) hits(of command) (any, error) {
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
	answer, ok := response.(*camillov1.RecallResponse)
	if !ok {
		return nil, fmt.Errorf("%s has no hits", of.Method)
	}
	shown := []map[string]any{}
	for _, hit := range answer.GetHits() {
		item := camillo.ItemOf(hit)
		shown = append(shown, map[string]any{
			"text": item.Text, "id": item.ID, "ref": item.Ref, "kind": item.Kind, "occurred_at_ms": item.OccurredAt.UnixMilli(),
		})
	}
	return shown, nil
}
