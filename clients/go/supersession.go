package camillo

import (
	"context"
	"iter"

	camillov1 "camillo.dev/camillo/v1"
)

// Supersede puts a memory in the place of another, which stays readable as history; [VersionConflict] if that is no longer at the
// version, or was superseded already. Since when is in `how`, which may be nil: then as the successor says.
func (c *Client) Supersede(
	ctx context.Context, memoryID string, version int64, successorID string, how *camillov1.SupersedeMemoryRequest,
) (*camillov1.SupersedeMemoryResponse, error) {
	request := filledCopy(how)
	request.MemoryId, request.ExpectedVersion, request.SuccessorId = memoryID, version, successorID
	return c.memories().SupersedeMemory(ctx, request)
}

// Contradictions is pairs of memories that probably contradict each other, the newest first, among those that pass a filter,
// which may be nil. Nothing is changed by itself.
func (c *Client) Contradictions(
	ctx context.Context, filter *camillov1.MemoryFilter,
) iter.Seq2[*camillov1.Contradiction, error] {
	pages := Pages(ctx, c.memories().ListContradictions, &camillov1.ListContradictionsRequest{Filter: filter})
	return items(pages, (*camillov1.ListContradictionsResponse).GetContradictions)
}

// JudgedContradictions is [Client.Contradictions] of which the server's language model says what it thinks, and others that it
// proposes. It costs money of the tenant's budget and may take long. A pair that could not be judged says why in its judgement;
// [Client.JudgedContradictionPages] also tells of what might have been proposed.
func (c *Client) JudgedContradictions(
	ctx context.Context, filter *camillov1.MemoryFilter,
) iter.Seq2[*camillov1.Contradiction, error] {
	return items(c.JudgedContradictionPages(ctx, filter), (*camillov1.ListContradictionsResponse).GetContradictions)
}

// JudgedContradictionPages is the pages of [Client.JudgedContradictions], each with the reasons (GetDegraded) for which pairs
// were not judged.
func (c *Client) JudgedContradictionPages(
	ctx context.Context, filter *camillov1.MemoryFilter,
) iter.Seq2[*camillov1.ListContradictionsResponse, error] {
	request := &camillov1.ListContradictionsRequest{Filter: filter, Judge: true}
	return Pages(ctx, c.memories().ListContradictions, request)
}
