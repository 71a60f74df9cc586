package camillo

import (
	"context"
	"iter"
	"slices"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/known/fieldmaskpb"

	camillov1 "camillo.dev/camillo/v1"
)

func (c *Client) memories() camillov1.MemoryServiceClient {
	return camillov1.NewMemoryServiceClient(c)
}

// filledCopy is the message, which may be nil, as something to fill in.
func filledCopy[M proto.Message](message M) M {
	if !message.ProtoReflect().IsValid() {
		return message.ProtoReflect().New().Interface().(M)
	}
	return copyOf(message).(M)
}

// Remember stores one memory, or adds to the one that says exactly the same. Everything else about it is in `about`,
// which may be nil. Durability of the result says where the memory is.
func (c *Client) Remember(
	ctx context.Context, content string, about *camillov1.NewMemory,
) (*WrittenMemory, error) {
	memory := filledCopy(about)
	memory.Content = content
	answer, err := c.memories().Remember(ctx, &camillov1.RememberRequest{Memory: memory})
	if err != nil {
		return nil, err
	}
	return &WrittenMemory{orEmpty(answer.GetMemory()), placementOf(answer)}, nil
}

// Recall is the best hits for a text. How it is looked for is in `how`, which may be nil; with a vector there, the text is
// to be empty. Days begin and end in the machine's time zone, where `how` names none.
func (c *Client) Recall(
	ctx context.Context, text string, how *camillov1.RecallRequest,
) (*camillov1.RecallResponse, error) {
	request := filledCopy(how)
	if text != "" {
		request.Query = &camillov1.RecallRequest_Text{Text: text}
	}
	if request.GetTimeZone() == "" {
		request.TimeZone = localTimeZone()
	}
	return c.memories().Recall(ctx, request)
}

// SearchMyMemories is what the agent remembers, was done in the tenant, in workflows, or is written in its documents: a recall
// from memories, audit entries, workflow steps and documents by the profile `blended`, 5 hits, where `how`, which may be nil,
// does not say otherwise.
func (c *Client) SearchMyMemories(
	ctx context.Context, query string, how *camillov1.RecallRequest,
) (*camillov1.RecallResponse, error) {
	request := filledCopy(how)
	if len(request.GetSources()) == 0 {
		request.Sources = []camillov1.Source{
			camillov1.Source_SOURCE_MEMORY, camillov1.Source_SOURCE_AUDIT,
			camillov1.Source_SOURCE_WORKFLOW_STEP, camillov1.Source_SOURCE_DOCUMENT,
		}
	}
	if request.GetProfile() == nil {
		request.Profile = &camillov1.ScoringProfile{Profile: &camillov1.ScoringProfile_Name{Name: "blended"}}
	}
	if request.GetLimit() == 0 {
		request.Limit = 5
	}
	return c.Recall(ctx, query, request)
}

// Get is one memory, archived or not; [MemoryNotFound] if there is none.
func (c *Client) Get(ctx context.Context, memoryID string) (*camillov1.Memory, error) {
	answer, err := c.memories().GetMemory(ctx, &camillov1.GetMemoryRequest{MemoryId: memoryID})
	return answer.GetMemory(), err
}

// Update changes one memory, [VersionConflict] if it is no longer at the version. Taken are the fields of `changes` that
// are named or, where none is, those that are set; a field that is named but empty gets its default.
func (c *Client) Update(
	ctx context.Context, memoryID string, version int64, changes *camillov1.Memory, fields ...string,
) (*camillov1.Memory, error) {
	changes = filledCopy(changes)
	if len(fields) == 0 {
		fields = fieldsSet(changes)
	}
	answer, err := c.memories().UpdateMemory(ctx, &camillov1.UpdateMemoryRequest{
		MemoryId: memoryID, ExpectedVersion: version, Memory: changes,
		UpdateMask: &fieldmaskpb.FieldMask{Paths: fields},
	})
	return answer.GetMemory(), err
}

func fieldsSet(message proto.Message) []string {
	var names []string
	message.ProtoReflect().Range(func(field protoreflect.FieldDescriptor, _ protoreflect.Value) bool {
		names = append(names, string(field.Name()))
		return true
	})
	// The same changes are the same request.
	slices.Sort(names)
	return names
}

// Forget removes memories for good, with what was derived from them; what they said may not be stated again. Ids that are
// not there are passed over.
func (c *Client) Forget(ctx context.Context, ids ...string) (*camillov1.ForgetMemoriesResponse, error) {
	return c.memories().ForgetMemories(ctx, &camillov1.ForgetMemoriesRequest{
		Selector: &camillov1.ForgetMemoriesRequest_MemoryIds{MemoryIds: &camillov1.MemoryIds{Ids: ids}},
	})
}

// Memories is all memories that pass a filter, newest first; nil: all that are not archived.
func (c *Client) Memories(
	ctx context.Context, filter *camillov1.MemoryFilter,
) iter.Seq2[*camillov1.Memory, error] {
	request := &camillov1.ListMemoriesRequest{Filter: filter}
	pages := Pages(ctx, c.memories().ListMemories, request)
	return items(pages, (*camillov1.ListMemoriesResponse).GetMemories)
}
