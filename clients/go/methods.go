package camillo

import (
	"fmt"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// contractMethod is an RPC of the contract, with what it takes and gives.
type contractMethod struct {
	path       string
	descriptor protoreflect.MethodDescriptor
	request    protoreflect.MessageType
	response   protoreflect.MessageType
}

// NewRequest is an empty request of a method, such as `camillo.v1.MemoryService/Remember`; the error is
// [MethodUnknown] where the contract of this client has none of that name.
func NewRequest(method string) (proto.Message, error) {
	known, err := findMethod(method)
	if err != nil {
		return nil, err
	}
	return known.request.New().Interface(), nil
}

// findMethodFor is the method for such a request, which is answered so; the error is [InvalidArgument] where it takes
// another one or is called otherwise.
func findMethodFor(name string, request proto.Message, answersStream bool) (*contractMethod, error) {
	known, err := findMethod(name)
	if err != nil {
		return nil, err
	}
	descriptor := known.descriptor
	switch {
	case descriptor.IsStreamingClient() || descriptor.IsStreamingServer() != answersStream:
		return nil, misused("%s is called otherwise: it has streams, or none", name)
	case request == nil:
		return nil, misused("%s takes a request", name)
	case request.ProtoReflect().Descriptor().FullName() != descriptor.Input().FullName():
		return nil, misused("%s takes no %T", name, request)
	}
	return known, nil
}

func misused(format string, values ...any) *Error {
	return &Error{Code: codes.InvalidArgument, Message: fmt.Sprintf(format, values...), kind: InvalidArgument}
}

// isWatch tells streams that can be gone on with behind the last change that they brought.
func (m *contractMethod) isWatch() bool {
	takes, gives := m.descriptor.Input().Fields(), m.descriptor.Output().Fields()
	return takes.ByName(resumeTokenField) != nil && gives.ByName(changeField) != nil
}

func findMethod(name string) (*contractMethod, error) {
	service, method, _ := strings.Cut(strings.TrimPrefix(name, "/"), "/")
	found, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(service))
	services, isService := found.(protoreflect.ServiceDescriptor)
	if err != nil || !isService {
		return nil, unknownMethod(name)
	}
	descriptor := services.Methods().ByName(protoreflect.Name(method))
	if descriptor == nil {
		return nil, unknownMethod(name)
	}
	return typedMethod("/"+service+"/"+method, descriptor)
}

func typedMethod(path string, descriptor protoreflect.MethodDescriptor) (*contractMethod, error) {
	request, err := protoregistry.GlobalTypes.FindMessageByName(descriptor.Input().FullName())
	if err != nil {
		return nil, err
	}
	response, err := protoregistry.GlobalTypes.FindMessageByName(descriptor.Output().FullName())
	if err != nil {
		return nil, err
	}
	return &contractMethod{path, descriptor, request, response}, nil
}
