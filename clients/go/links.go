package camillo

import (
	"context"
	"iter"

	camillov1 "camillo.dev/camillo/v1"
)

// Links is what belongs together in a scope, stated by callers or told by what texts mention.
type Links struct {
	client *Client
}

func (l *Links) service() camillov1.LinkServiceClient {
	return camillov1.NewLinkServiceClient(l.client)
}

// MemoryEnd is a memory as one end of a link.
func MemoryEnd(memoryID string) *camillov1.LinkEnd {
	return &camillov1.LinkEnd{Source: camillov1.Source_SOURCE_MEMORY, Id: memoryID}
}

// Add states up to 100 links in one transaction; [RefNotFound] where an end is not there.
func (l *Links) Add(ctx context.Context, links ...*camillov1.NewLink) ([]*camillov1.Link, error) {
	answer, err := l.service().AddLinks(ctx, &camillov1.AddLinksRequest{Links: links})
	return answer.GetLinks(), err
}

// Remove takes links away and tells how many were there.
func (l *Links) Remove(ctx context.Context, links ...*camillov1.NewLink) (int, error) {
	answer, err := l.service().RemoveLinks(ctx, &camillov1.RemoveLinksRequest{Links: links})
	return int(answer.GetRemoved()), err
}

// Related is what is one step away from something: by links, then by what both mention, the rarest first; with types, only by
// links of these.
func (l *Links) Related(
	ctx context.Context, item *camillov1.LinkEnd, types ...camillov1.LinkType,
) iter.Seq2[*camillov1.Related, error] {
	to := &camillov1.ListRelatedRequest_Item{Item: item}
	return l.listed(ctx, &camillov1.ListRelatedRequest{To: to, Types: types})
}

// Mentioning is what mentions an entity, the newest first.
func (l *Links) Mentioning(
	ctx context.Context, of camillov1.EntityType, name string,
) iter.Seq2[*camillov1.Related, error] {
	to := &camillov1.ListRelatedRequest_Entity{Entity: &camillov1.Entity{Type: of, Name: name}}
	return l.listed(ctx, &camillov1.ListRelatedRequest{To: to})
}

func (l *Links) listed(
	ctx context.Context, request *camillov1.ListRelatedRequest,
) iter.Seq2[*camillov1.Related, error] {
	return items(Pages(ctx, l.service().ListRelated, request), (*camillov1.ListRelatedResponse).GetRelated)
}
