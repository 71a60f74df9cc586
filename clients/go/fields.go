package camillo

import (
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// Fields that mean the same in every message that has them.
const (
	agentIDField     protoreflect.Name = "agent_id"
	requestIDField   protoreflect.Name = "request_id"
	freshnessField   protoreflect.Name = "freshness"
	revisionField    protoreflect.Name = "revision"
	sharedField      protoreflect.Name = "shared_revision"
	bundleField      protoreflect.Name = "bundle"
	spacesField      protoreflect.Name = "spaces"
	tokenField       protoreflect.Name = "token"
	dryRunField      protoreflect.Name = "dry_run"
	allScopesField   protoreflect.Name = "all_scopes"
	pageTokenField   protoreflect.Name = "page_token"
	nextPageField    protoreflect.Name = "next_page_token"
	resumeTokenField protoreflect.Name = "resume_token"
	changeField      protoreflect.Name = "change"
)

// copyOf has the fields of a message, not copies of them: those that are set in it afterwards are its own.
func copyOf(message proto.Message) proto.Message {
	from := message.ProtoReflect()
	to := from.New()
	from.Range(func(field protoreflect.FieldDescriptor, value protoreflect.Value) bool {
		to.Set(field, value)
		return true
	})
	to.SetUnknown(from.GetUnknown())
	return to.Interface()
}

// fieldOf is nil where the message has none of that name and kind, or it is one of several that exclude each other.
func fieldOf(
	message proto.Message, name protoreflect.Name, kind protoreflect.Kind,
) protoreflect.FieldDescriptor {
	field := anyFieldOf(message, name, kind)
	if field == nil || isAlternative(field) {
		return nil
	}
	return field
}

func isAlternative(field protoreflect.FieldDescriptor) bool {
	oneof := field.ContainingOneof()
	return oneof != nil && !oneof.IsSynthetic()
}

func anyFieldOf(
	message proto.Message, name protoreflect.Name, kind protoreflect.Kind,
) protoreflect.FieldDescriptor {
	field := message.ProtoReflect().Descriptor().Fields().ByName(name)
	if field == nil || field.Kind() != kind || field.Cardinality() == protoreflect.Repeated {
		return nil
	}
	return field
}

// textOf is empty where there is no such field.
func textOf(message proto.Message, name protoreflect.Name) string {
	field := anyFieldOf(message, name, protoreflect.StringKind)
	if field == nil {
		return ""
	}
	return message.ProtoReflect().Get(field).String()
}

// setText does nothing where there is no such field.
func setText(message proto.Message, name protoreflect.Name, text string) {
	if field := anyFieldOf(message, name, protoreflect.StringKind); field != nil {
		message.ProtoReflect().Set(field, protoreflect.ValueOfString(text))
	}
}

// fillText gives an empty field of the message a text, and tells whether it was empty.
func fillText(message proto.Message, name protoreflect.Name, text string) bool {
	field := fieldOf(message, name, protoreflect.StringKind)
	if field == nil || message.ProtoReflect().Get(field).String() != "" {
		return false
	}
	message.ProtoReflect().Set(field, protoreflect.ValueOfString(text))
	return true
}

func flagOf(message proto.Message, name protoreflect.Name) bool {
	field := anyFieldOf(message, name, protoreflect.BoolKind)
	return field != nil && message.ProtoReflect().Get(field).Bool()
}

// part is the message in a field; nil where it is not set or there is no such field.
func part(message proto.Message, name protoreflect.Name) proto.Message {
	field := anyFieldOf(message, name, protoreflect.MessageKind)
	if field == nil || !message.ProtoReflect().Has(field) {
		return nil
	}
	return message.ProtoReflect().Get(field).Message().Interface()
}

// revisionOf is the token of an answer's revision, which bundles keep for themselves; empty where it tells none.
func revisionOf(answer proto.Message) string {
	if revision := part(readOf(answer), revisionField); revision != nil {
		return textOf(revision, tokenField)
	}
	return ""
}

// readOf is where an answer tells what it was read at: a bundle that it brings says so itself.
func readOf(answer proto.Message) proto.Message {
	if bundle := part(answer, bundleField); bundle != nil {
		return bundle
	}
	return answer
}

// sharedRevisionOf is the token of the revision of the tenant's shared scope that an answer tells; empty where it tells none.
func sharedRevisionOf(answer proto.Message) string {
	if revision := part(answer, sharedField); revision != nil {
		return textOf(revision, tokenField)
	}
	return ""
}

// namesSubject tells requests whose agent is not who acts, but who is made, removed or given a key.
func namesSubject(message proto.Message) bool {
	return strings.HasSuffix(message.ProtoReflect().Descriptor().ParentFile().Path(), "/admin_service.proto")
}
