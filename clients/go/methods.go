package camillo

import (
	"strings"

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
