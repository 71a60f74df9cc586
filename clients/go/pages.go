package camillo

import (
	"context"
	"iter"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"
)

// Pages is all pages of a list by the method's name, such as `camillo.v1.AdminService/ListKeys`, each asked for when the
// one before has been taken, with the timeout for itself. Failures are [*Error].
func (c *Client) Pages(
	ctx context.Context, method string, request proto.Message,
) iter.Seq2[proto.Message, error] {
	if _, err := findMethodFor(method, request, false); err != nil {
		return failing[proto.Message](err)
	}
	return allPages(request, func(request proto.Message) (proto.Message, error) {
		return c.Call(ctx, method, request)
	})
}

// Pages is all pages of a list of a generated stub:
//
//	admin := camillov1.NewAdminServiceClient(client)
//	for page, err := range camillo.Pages(ctx, admin.ListKeys, &camillov1.ListKeysRequest{}) { … }
func Pages[Q, R proto.Message](
	ctx context.Context, ask func(context.Context, Q, ...grpc.CallOption) (R, error), request Q,
) iter.Seq2[R, error] {
	return allPages(request, func(request Q) (R, error) { return ask(ctx, request) })
}

func allPages[Q, R proto.Message](request Q, ask func(Q) (R, error)) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		request := copyOf(request).(Q)
		for {
			page, err := ask(request)
			if err != nil {
				var none R
				yield(none, err)
				return
			}
			if !yield(page, nil) {
				return
			}
			token := textOf(page, nextPageField)
			if token == "" {
				return
			}
			setText(request, pageTokenField, token)
		}
	}
}

// items is what is on the pages, one after another.
func items[R, I any](pages iter.Seq2[R, error], of func(R) []I) iter.Seq2[I, error] {
	return func(yield func(I, error) bool) {
		for page, err := range pages {
			if err != nil {
				var none I
				yield(none, err)
				return
			}
			for _, item := range of(page) {
				if !yield(item, nil) {
					return
				}
			}
		}
	}
}
