"""A protoc plugin that runs the gRPC generator inside grpcio-tools, which ships no plugin executable."""

import sys
import tempfile
from pathlib import Path

from google.protobuf.compiler.plugin_pb2 import CodeGeneratorRequest, CodeGeneratorResponse
from google.protobuf.descriptor_pb2 import FileDescriptorSet
from grpc_tools import protoc


def generate(request: CodeGeneratorRequest) -> CodeGeneratorResponse:
    """One `*_pb2_grpc.py` for every file of the request that declares a service."""
    services = [f.name for f in request.proto_file if f.service and f.name in request.file_to_generate]
    response = CodeGeneratorResponse(supported_features=CodeGeneratorResponse.FEATURE_PROTO3_OPTIONAL)
    with tempfile.TemporaryDirectory() as directory:
        descriptors = Path(directory, "descriptors.binpb")
        descriptors.write_bytes(FileDescriptorSet(file=request.proto_file).SerializeToString())
        command = ["protoc", f"--descriptor_set_in={descriptors}", f"--grpc_python_out={directory}"]
        if services and protoc.main([*command, *services]) != 0:
            response.error = "grpc_tools.protoc failed"
        for path in sorted(Path(directory).rglob("*_pb2_grpc.py")):
            name = str(path.relative_to(directory))
            response.file.add(name=name, content=path.read_text("utf-8"))
    return response


if __name__ == "__main__":
    request = CodeGeneratorRequest.FromString(sys.stdin.buffer.read())
    sys.stdout.buffer.write(generate(request).SerializeToString())
