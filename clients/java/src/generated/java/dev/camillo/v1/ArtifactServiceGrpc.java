package dev.camillo.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * Artifacts: large outputs kept out of the context and read back in parts.
 * The tenant, and for most credentials the agent, come from the credential; `agent_id` is for operators, as in
 * MemoryService. An agent reads its own artifacts and those of the tenant's shared space. An artifact that the channel
 * may not load is NOT_FOUND, as is one that belongs to another agent or tenant.
 * Secrets (keys, tokens, passwords of known forms) are never stored: a placeholder replaces them, which has the same
 * length in the bytes and may be shorter in other fields.
 * `request_id`: chosen by the client, up to 128 characters. The same id with the same content within 24 hours returns
 * the first answer and writes nothing; with other content it is ALREADY_EXISTS with REQUEST_ID_REUSED.
 * Artifacts are always read from Postgres: a read sees every write that was answered before it.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class ArtifactServiceGrpc {

  private ArtifactServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "camillo.v1.ArtifactService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.PutArtifactRequest,
      dev.camillo.v1.PutArtifactResponse> getPutArtifactMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "PutArtifact",
      requestType = dev.camillo.v1.PutArtifactRequest.class,
      responseType = dev.camillo.v1.PutArtifactResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.CLIENT_STREAMING)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.PutArtifactRequest,
      dev.camillo.v1.PutArtifactResponse> getPutArtifactMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.PutArtifactRequest, dev.camillo.v1.PutArtifactResponse> getPutArtifactMethod;
    if ((getPutArtifactMethod = ArtifactServiceGrpc.getPutArtifactMethod) == null) {
      synchronized (ArtifactServiceGrpc.class) {
        if ((getPutArtifactMethod = ArtifactServiceGrpc.getPutArtifactMethod) == null) {
          ArtifactServiceGrpc.getPutArtifactMethod = getPutArtifactMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.PutArtifactRequest, dev.camillo.v1.PutArtifactResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.CLIENT_STREAMING)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "PutArtifact"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.PutArtifactRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.PutArtifactResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ArtifactServiceMethodDescriptorSupplier("PutArtifact"))
              .build();
        }
      }
    }
    return getPutArtifactMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.GetUploadRequest,
      dev.camillo.v1.GetUploadResponse> getGetUploadMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetUpload",
      requestType = dev.camillo.v1.GetUploadRequest.class,
      responseType = dev.camillo.v1.GetUploadResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.GetUploadRequest,
      dev.camillo.v1.GetUploadResponse> getGetUploadMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.GetUploadRequest, dev.camillo.v1.GetUploadResponse> getGetUploadMethod;
    if ((getGetUploadMethod = ArtifactServiceGrpc.getGetUploadMethod) == null) {
      synchronized (ArtifactServiceGrpc.class) {
        if ((getGetUploadMethod = ArtifactServiceGrpc.getGetUploadMethod) == null) {
          ArtifactServiceGrpc.getGetUploadMethod = getGetUploadMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.GetUploadRequest, dev.camillo.v1.GetUploadResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetUpload"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.GetUploadRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.GetUploadResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ArtifactServiceMethodDescriptorSupplier("GetUpload"))
              .build();
        }
      }
    }
    return getGetUploadMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.OffloadOutputRequest,
      dev.camillo.v1.OffloadOutputResponse> getOffloadOutputMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "OffloadOutput",
      requestType = dev.camillo.v1.OffloadOutputRequest.class,
      responseType = dev.camillo.v1.OffloadOutputResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.OffloadOutputRequest,
      dev.camillo.v1.OffloadOutputResponse> getOffloadOutputMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.OffloadOutputRequest, dev.camillo.v1.OffloadOutputResponse> getOffloadOutputMethod;
    if ((getOffloadOutputMethod = ArtifactServiceGrpc.getOffloadOutputMethod) == null) {
      synchronized (ArtifactServiceGrpc.class) {
        if ((getOffloadOutputMethod = ArtifactServiceGrpc.getOffloadOutputMethod) == null) {
          ArtifactServiceGrpc.getOffloadOutputMethod = getOffloadOutputMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.OffloadOutputRequest, dev.camillo.v1.OffloadOutputResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "OffloadOutput"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.OffloadOutputRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.OffloadOutputResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ArtifactServiceMethodDescriptorSupplier("OffloadOutput"))
              .build();
        }
      }
    }
    return getOffloadOutputMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.GetArtifactRequest,
      dev.camillo.v1.GetArtifactResponse> getGetArtifactMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetArtifact",
      requestType = dev.camillo.v1.GetArtifactRequest.class,
      responseType = dev.camillo.v1.GetArtifactResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.GetArtifactRequest,
      dev.camillo.v1.GetArtifactResponse> getGetArtifactMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.GetArtifactRequest, dev.camillo.v1.GetArtifactResponse> getGetArtifactMethod;
    if ((getGetArtifactMethod = ArtifactServiceGrpc.getGetArtifactMethod) == null) {
      synchronized (ArtifactServiceGrpc.class) {
        if ((getGetArtifactMethod = ArtifactServiceGrpc.getGetArtifactMethod) == null) {
          ArtifactServiceGrpc.getGetArtifactMethod = getGetArtifactMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.GetArtifactRequest, dev.camillo.v1.GetArtifactResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetArtifact"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.GetArtifactRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.GetArtifactResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ArtifactServiceMethodDescriptorSupplier("GetArtifact"))
              .build();
        }
      }
    }
    return getGetArtifactMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ReadArtifactRequest,
      dev.camillo.v1.ReadArtifactResponse> getReadArtifactMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ReadArtifact",
      requestType = dev.camillo.v1.ReadArtifactRequest.class,
      responseType = dev.camillo.v1.ReadArtifactResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ReadArtifactRequest,
      dev.camillo.v1.ReadArtifactResponse> getReadArtifactMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ReadArtifactRequest, dev.camillo.v1.ReadArtifactResponse> getReadArtifactMethod;
    if ((getReadArtifactMethod = ArtifactServiceGrpc.getReadArtifactMethod) == null) {
      synchronized (ArtifactServiceGrpc.class) {
        if ((getReadArtifactMethod = ArtifactServiceGrpc.getReadArtifactMethod) == null) {
          ArtifactServiceGrpc.getReadArtifactMethod = getReadArtifactMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ReadArtifactRequest, dev.camillo.v1.ReadArtifactResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ReadArtifact"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ReadArtifactRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ReadArtifactResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ArtifactServiceMethodDescriptorSupplier("ReadArtifact"))
              .build();
        }
      }
    }
    return getReadArtifactMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ReadArtifactPageRequest,
      dev.camillo.v1.ReadArtifactPageResponse> getReadArtifactPageMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ReadArtifactPage",
      requestType = dev.camillo.v1.ReadArtifactPageRequest.class,
      responseType = dev.camillo.v1.ReadArtifactPageResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ReadArtifactPageRequest,
      dev.camillo.v1.ReadArtifactPageResponse> getReadArtifactPageMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ReadArtifactPageRequest, dev.camillo.v1.ReadArtifactPageResponse> getReadArtifactPageMethod;
    if ((getReadArtifactPageMethod = ArtifactServiceGrpc.getReadArtifactPageMethod) == null) {
      synchronized (ArtifactServiceGrpc.class) {
        if ((getReadArtifactPageMethod = ArtifactServiceGrpc.getReadArtifactPageMethod) == null) {
          ArtifactServiceGrpc.getReadArtifactPageMethod = getReadArtifactPageMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ReadArtifactPageRequest, dev.camillo.v1.ReadArtifactPageResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ReadArtifactPage"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ReadArtifactPageRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ReadArtifactPageResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ArtifactServiceMethodDescriptorSupplier("ReadArtifactPage"))
              .build();
        }
      }
    }
    return getReadArtifactPageMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.SearchArtifactRequest,
      dev.camillo.v1.SearchArtifactResponse> getSearchArtifactMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "SearchArtifact",
      requestType = dev.camillo.v1.SearchArtifactRequest.class,
      responseType = dev.camillo.v1.SearchArtifactResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.SearchArtifactRequest,
      dev.camillo.v1.SearchArtifactResponse> getSearchArtifactMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.SearchArtifactRequest, dev.camillo.v1.SearchArtifactResponse> getSearchArtifactMethod;
    if ((getSearchArtifactMethod = ArtifactServiceGrpc.getSearchArtifactMethod) == null) {
      synchronized (ArtifactServiceGrpc.class) {
        if ((getSearchArtifactMethod = ArtifactServiceGrpc.getSearchArtifactMethod) == null) {
          ArtifactServiceGrpc.getSearchArtifactMethod = getSearchArtifactMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.SearchArtifactRequest, dev.camillo.v1.SearchArtifactResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "SearchArtifact"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.SearchArtifactRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.SearchArtifactResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ArtifactServiceMethodDescriptorSupplier("SearchArtifact"))
              .build();
        }
      }
    }
    return getSearchArtifactMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ListArtifactsRequest,
      dev.camillo.v1.ListArtifactsResponse> getListArtifactsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListArtifacts",
      requestType = dev.camillo.v1.ListArtifactsRequest.class,
      responseType = dev.camillo.v1.ListArtifactsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ListArtifactsRequest,
      dev.camillo.v1.ListArtifactsResponse> getListArtifactsMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ListArtifactsRequest, dev.camillo.v1.ListArtifactsResponse> getListArtifactsMethod;
    if ((getListArtifactsMethod = ArtifactServiceGrpc.getListArtifactsMethod) == null) {
      synchronized (ArtifactServiceGrpc.class) {
        if ((getListArtifactsMethod = ArtifactServiceGrpc.getListArtifactsMethod) == null) {
          ArtifactServiceGrpc.getListArtifactsMethod = getListArtifactsMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ListArtifactsRequest, dev.camillo.v1.ListArtifactsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListArtifacts"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListArtifactsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListArtifactsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ArtifactServiceMethodDescriptorSupplier("ListArtifacts"))
              .build();
        }
      }
    }
    return getListArtifactsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.UpdateArtifactRequest,
      dev.camillo.v1.UpdateArtifactResponse> getUpdateArtifactMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "UpdateArtifact",
      requestType = dev.camillo.v1.UpdateArtifactRequest.class,
      responseType = dev.camillo.v1.UpdateArtifactResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.UpdateArtifactRequest,
      dev.camillo.v1.UpdateArtifactResponse> getUpdateArtifactMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.UpdateArtifactRequest, dev.camillo.v1.UpdateArtifactResponse> getUpdateArtifactMethod;
    if ((getUpdateArtifactMethod = ArtifactServiceGrpc.getUpdateArtifactMethod) == null) {
      synchronized (ArtifactServiceGrpc.class) {
        if ((getUpdateArtifactMethod = ArtifactServiceGrpc.getUpdateArtifactMethod) == null) {
          ArtifactServiceGrpc.getUpdateArtifactMethod = getUpdateArtifactMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.UpdateArtifactRequest, dev.camillo.v1.UpdateArtifactResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "UpdateArtifact"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.UpdateArtifactRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.UpdateArtifactResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ArtifactServiceMethodDescriptorSupplier("UpdateArtifact"))
              .build();
        }
      }
    }
    return getUpdateArtifactMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.DeleteArtifactRequest,
      dev.camillo.v1.DeleteArtifactResponse> getDeleteArtifactMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "DeleteArtifact",
      requestType = dev.camillo.v1.DeleteArtifactRequest.class,
      responseType = dev.camillo.v1.DeleteArtifactResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.DeleteArtifactRequest,
      dev.camillo.v1.DeleteArtifactResponse> getDeleteArtifactMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.DeleteArtifactRequest, dev.camillo.v1.DeleteArtifactResponse> getDeleteArtifactMethod;
    if ((getDeleteArtifactMethod = ArtifactServiceGrpc.getDeleteArtifactMethod) == null) {
      synchronized (ArtifactServiceGrpc.class) {
        if ((getDeleteArtifactMethod = ArtifactServiceGrpc.getDeleteArtifactMethod) == null) {
          ArtifactServiceGrpc.getDeleteArtifactMethod = getDeleteArtifactMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.DeleteArtifactRequest, dev.camillo.v1.DeleteArtifactResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "DeleteArtifact"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.DeleteArtifactRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.DeleteArtifactResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ArtifactServiceMethodDescriptorSupplier("DeleteArtifact"))
              .build();
        }
      }
    }
    return getDeleteArtifactMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ListCitationsRequest,
      dev.camillo.v1.ListCitationsResponse> getListCitationsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListCitations",
      requestType = dev.camillo.v1.ListCitationsRequest.class,
      responseType = dev.camillo.v1.ListCitationsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ListCitationsRequest,
      dev.camillo.v1.ListCitationsResponse> getListCitationsMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ListCitationsRequest, dev.camillo.v1.ListCitationsResponse> getListCitationsMethod;
    if ((getListCitationsMethod = ArtifactServiceGrpc.getListCitationsMethod) == null) {
      synchronized (ArtifactServiceGrpc.class) {
        if ((getListCitationsMethod = ArtifactServiceGrpc.getListCitationsMethod) == null) {
          ArtifactServiceGrpc.getListCitationsMethod = getListCitationsMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ListCitationsRequest, dev.camillo.v1.ListCitationsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListCitations"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListCitationsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListCitationsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new ArtifactServiceMethodDescriptorSupplier("ListCitations"))
              .build();
        }
      }
    }
    return getListCitationsMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static ArtifactServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<ArtifactServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<ArtifactServiceStub>() {
        @java.lang.Override
        public ArtifactServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new ArtifactServiceStub(channel, callOptions);
        }
      };
    return ArtifactServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static ArtifactServiceBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<ArtifactServiceBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<ArtifactServiceBlockingV2Stub>() {
        @java.lang.Override
        public ArtifactServiceBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new ArtifactServiceBlockingV2Stub(channel, callOptions);
        }
      };
    return ArtifactServiceBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static ArtifactServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<ArtifactServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<ArtifactServiceBlockingStub>() {
        @java.lang.Override
        public ArtifactServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new ArtifactServiceBlockingStub(channel, callOptions);
        }
      };
    return ArtifactServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static ArtifactServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<ArtifactServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<ArtifactServiceFutureStub>() {
        @java.lang.Override
        public ArtifactServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new ArtifactServiceFutureStub(channel, callOptions);
        }
      };
    return ArtifactServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * Artifacts: large outputs kept out of the context and read back in parts.
   * The tenant, and for most credentials the agent, come from the credential; `agent_id` is for operators, as in
   * MemoryService. An agent reads its own artifacts and those of the tenant's shared space. An artifact that the channel
   * may not load is NOT_FOUND, as is one that belongs to another agent or tenant.
   * Secrets (keys, tokens, passwords of known forms) are never stored: a placeholder replaces them, which has the same
   * length in the bytes and may be shorter in other fields.
   * `request_id`: chosen by the client, up to 128 characters. The same id with the same content within 24 hours returns
   * the first answer and writes nothing; with other content it is ALREADY_EXISTS with REQUEST_ID_REUSED.
   * Artifacts are always read from Postgres: a read sees every write that was answered before it.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * Stores a stream of bytes: a header, then bytes in their order, then the finish. The artifact is not visible before
     * the answer. Up to the server's limit (default 1 GiB). Content that the tenant already has is not stored again.
     * </pre>
     */
    default io.grpc.stub.StreamObserver<dev.camillo.v1.PutArtifactRequest> putArtifact(
        io.grpc.stub.StreamObserver<dev.camillo.v1.PutArtifactResponse> responseObserver) {
      return io.grpc.stub.ServerCalls.asyncUnimplementedStreamingCall(getPutArtifactMethod(), responseObserver);
    }

    /**
     * <pre>
     * Returns how many bytes of an upload the server has.
     * </pre>
     */
    default void getUpload(dev.camillo.v1.GetUploadRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.GetUploadResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetUploadMethod(), responseObserver);
    }

    /**
     * <pre>
     * Stores a tool's output if it is long, and answers with a ref, a summary and a preview to show the model instead. A
     * short output is returned without its secrets; neither it nor its request id is stored.
     * </pre>
     */
    default void offloadOutput(dev.camillo.v1.OffloadOutputRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.OffloadOutputResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getOffloadOutputMethod(), responseObserver);
    }

    /**
     * <pre>
     * Returns an artifact without its bytes.
     * </pre>
     */
    default void getArtifact(dev.camillo.v1.GetArtifactRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.GetArtifactResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetArtifactMethod(), responseObserver);
    }

    /**
     * <pre>
     * Streams the bytes of an artifact, or a part of them.
     * </pre>
     */
    default void readArtifact(dev.camillo.v1.ReadArtifactRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ReadArtifactResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getReadArtifactMethod(), responseObserver);
    }

    /**
     * <pre>
     * Reads the text of an artifact in pages limited by tokens, for callers that cannot read a stream.
     * </pre>
     */
    default void readArtifactPage(dev.camillo.v1.ReadArtifactPageRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ReadArtifactPageResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getReadArtifactPageMethod(), responseObserver);
    }

    /**
     * <pre>
     * Streams matching lines as they are found; or, for `ranked`, the passages that match best.
     * </pre>
     */
    default void searchArtifact(dev.camillo.v1.SearchArtifactRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.SearchArtifactResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getSearchArtifactMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists artifacts that pass a filter, newest first, in pages.
     * </pre>
     */
    default void listArtifacts(dev.camillo.v1.ListArtifactsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListArtifactsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListArtifactsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Changes the name, tags and other fields of an artifact, never its bytes.
     * </pre>
     */
    default void updateArtifact(dev.camillo.v1.UpdateArtifactRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.UpdateArtifactResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getUpdateArtifactMethod(), responseObserver);
    }

    /**
     * <pre>
     * Removes an artifact for good, and its bytes unless another artifact of the tenant has the same.
     * </pre>
     */
    default void deleteArtifact(dev.camillo.v1.DeleteArtifactRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.DeleteArtifactResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getDeleteArtifactMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists what cites an artifact, in pages.
     * </pre>
     */
    default void listCitations(dev.camillo.v1.ListCitationsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListCitationsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListCitationsMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service ArtifactService.
   * <pre>
   * Artifacts: large outputs kept out of the context and read back in parts.
   * The tenant, and for most credentials the agent, come from the credential; `agent_id` is for operators, as in
   * MemoryService. An agent reads its own artifacts and those of the tenant's shared space. An artifact that the channel
   * may not load is NOT_FOUND, as is one that belongs to another agent or tenant.
   * Secrets (keys, tokens, passwords of known forms) are never stored: a placeholder replaces them, which has the same
   * length in the bytes and may be shorter in other fields.
   * `request_id`: chosen by the client, up to 128 characters. The same id with the same content within 24 hours returns
   * the first answer and writes nothing; with other content it is ALREADY_EXISTS with REQUEST_ID_REUSED.
   * Artifacts are always read from Postgres: a read sees every write that was answered before it.
   * </pre>
   */
  public static abstract class ArtifactServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return ArtifactServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service ArtifactService.
   * <pre>
   * Artifacts: large outputs kept out of the context and read back in parts.
   * The tenant, and for most credentials the agent, come from the credential; `agent_id` is for operators, as in
   * MemoryService. An agent reads its own artifacts and those of the tenant's shared space. An artifact that the channel
   * may not load is NOT_FOUND, as is one that belongs to another agent or tenant.
   * Secrets (keys, tokens, passwords of known forms) are never stored: a placeholder replaces them, which has the same
   * length in the bytes and may be shorter in other fields.
   * `request_id`: chosen by the client, up to 128 characters. The same id with the same content within 24 hours returns
   * the first answer and writes nothing; with other content it is ALREADY_EXISTS with REQUEST_ID_REUSED.
   * Artifacts are always read from Postgres: a read sees every write that was answered before it.
   * </pre>
   */
  public static final class ArtifactServiceStub
      extends io.grpc.stub.AbstractAsyncStub<ArtifactServiceStub> {
    private ArtifactServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected ArtifactServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new ArtifactServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * Stores a stream of bytes: a header, then bytes in their order, then the finish. The artifact is not visible before
     * the answer. Up to the server's limit (default 1 GiB). Content that the tenant already has is not stored again.
     * </pre>
     */
    public io.grpc.stub.StreamObserver<dev.camillo.v1.PutArtifactRequest> putArtifact(
        io.grpc.stub.StreamObserver<dev.camillo.v1.PutArtifactResponse> responseObserver) {
      return io.grpc.stub.ClientCalls.asyncClientStreamingCall(
          getChannel().newCall(getPutArtifactMethod(), getCallOptions()), responseObserver);
    }

    /**
     * <pre>
     * Returns how many bytes of an upload the server has.
     * </pre>
     */
    public void getUpload(dev.camillo.v1.GetUploadRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.GetUploadResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetUploadMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Stores a tool's output if it is long, and answers with a ref, a summary and a preview to show the model instead. A
     * short output is returned without its secrets; neither it nor its request id is stored.
     * </pre>
     */
    public void offloadOutput(dev.camillo.v1.OffloadOutputRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.OffloadOutputResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getOffloadOutputMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Returns an artifact without its bytes.
     * </pre>
     */
    public void getArtifact(dev.camillo.v1.GetArtifactRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.GetArtifactResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetArtifactMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Streams the bytes of an artifact, or a part of them.
     * </pre>
     */
    public void readArtifact(dev.camillo.v1.ReadArtifactRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ReadArtifactResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncServerStreamingCall(
          getChannel().newCall(getReadArtifactMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Reads the text of an artifact in pages limited by tokens, for callers that cannot read a stream.
     * </pre>
     */
    public void readArtifactPage(dev.camillo.v1.ReadArtifactPageRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ReadArtifactPageResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getReadArtifactPageMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Streams matching lines as they are found; or, for `ranked`, the passages that match best.
     * </pre>
     */
    public void searchArtifact(dev.camillo.v1.SearchArtifactRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.SearchArtifactResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncServerStreamingCall(
          getChannel().newCall(getSearchArtifactMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists artifacts that pass a filter, newest first, in pages.
     * </pre>
     */
    public void listArtifacts(dev.camillo.v1.ListArtifactsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListArtifactsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListArtifactsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Changes the name, tags and other fields of an artifact, never its bytes.
     * </pre>
     */
    public void updateArtifact(dev.camillo.v1.UpdateArtifactRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.UpdateArtifactResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getUpdateArtifactMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Removes an artifact for good, and its bytes unless another artifact of the tenant has the same.
     * </pre>
     */
    public void deleteArtifact(dev.camillo.v1.DeleteArtifactRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.DeleteArtifactResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getDeleteArtifactMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists what cites an artifact, in pages.
     * </pre>
     */
    public void listCitations(dev.camillo.v1.ListCitationsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListCitationsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListCitationsMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service ArtifactService.
   * <pre>
   * Artifacts: large outputs kept out of the context and read back in parts.
   * The tenant, and for most credentials the agent, come from the credential; `agent_id` is for operators, as in
   * MemoryService. An agent reads its own artifacts and those of the tenant's shared space. An artifact that the channel
   * may not load is NOT_FOUND, as is one that belongs to another agent or tenant.
   * Secrets (keys, tokens, passwords of known forms) are never stored: a placeholder replaces them, which has the same
   * length in the bytes and may be shorter in other fields.
   * `request_id`: chosen by the client, up to 128 characters. The same id with the same content within 24 hours returns
   * the first answer and writes nothing; with other content it is ALREADY_EXISTS with REQUEST_ID_REUSED.
   * Artifacts are always read from Postgres: a read sees every write that was answered before it.
   * </pre>
   */
  public static final class ArtifactServiceBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<ArtifactServiceBlockingV2Stub> {
    private ArtifactServiceBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected ArtifactServiceBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new ArtifactServiceBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * Stores a stream of bytes: a header, then bytes in their order, then the finish. The artifact is not visible before
     * the answer. Up to the server's limit (default 1 GiB). Content that the tenant already has is not stored again.
     * </pre>
     */
    @io.grpc.ExperimentalApi("https://github.com/grpc/grpc-java/issues/10918")
    public io.grpc.stub.BlockingClientCall<dev.camillo.v1.PutArtifactRequest, dev.camillo.v1.PutArtifactResponse>
        putArtifact() {
      return io.grpc.stub.ClientCalls.blockingClientStreamingCall(
          getChannel(), getPutArtifactMethod(), getCallOptions());
    }

    /**
     * <pre>
     * Returns how many bytes of an upload the server has.
     * </pre>
     */
    public dev.camillo.v1.GetUploadResponse getUpload(dev.camillo.v1.GetUploadRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getGetUploadMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Stores a tool's output if it is long, and answers with a ref, a summary and a preview to show the model instead. A
     * short output is returned without its secrets; neither it nor its request id is stored.
     * </pre>
     */
    public dev.camillo.v1.OffloadOutputResponse offloadOutput(dev.camillo.v1.OffloadOutputRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getOffloadOutputMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Returns an artifact without its bytes.
     * </pre>
     */
    public dev.camillo.v1.GetArtifactResponse getArtifact(dev.camillo.v1.GetArtifactRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getGetArtifactMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Streams the bytes of an artifact, or a part of them.
     * </pre>
     */
    @io.grpc.ExperimentalApi("https://github.com/grpc/grpc-java/issues/10918")
    public io.grpc.stub.BlockingClientCall<?, dev.camillo.v1.ReadArtifactResponse>
        readArtifact(dev.camillo.v1.ReadArtifactRequest request) {
      return io.grpc.stub.ClientCalls.blockingV2ServerStreamingCall(
          getChannel(), getReadArtifactMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Reads the text of an artifact in pages limited by tokens, for callers that cannot read a stream.
     * </pre>
     */
    public dev.camillo.v1.ReadArtifactPageResponse readArtifactPage(dev.camillo.v1.ReadArtifactPageRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getReadArtifactPageMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Streams matching lines as they are found; or, for `ranked`, the passages that match best.
     * </pre>
     */
    @io.grpc.ExperimentalApi("https://github.com/grpc/grpc-java/issues/10918")
    public io.grpc.stub.BlockingClientCall<?, dev.camillo.v1.SearchArtifactResponse>
        searchArtifact(dev.camillo.v1.SearchArtifactRequest request) {
      return io.grpc.stub.ClientCalls.blockingV2ServerStreamingCall(
          getChannel(), getSearchArtifactMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists artifacts that pass a filter, newest first, in pages.
     * </pre>
     */
    public dev.camillo.v1.ListArtifactsResponse listArtifacts(dev.camillo.v1.ListArtifactsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListArtifactsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Changes the name, tags and other fields of an artifact, never its bytes.
     * </pre>
     */
    public dev.camillo.v1.UpdateArtifactResponse updateArtifact(dev.camillo.v1.UpdateArtifactRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getUpdateArtifactMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Removes an artifact for good, and its bytes unless another artifact of the tenant has the same.
     * </pre>
     */
    public dev.camillo.v1.DeleteArtifactResponse deleteArtifact(dev.camillo.v1.DeleteArtifactRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getDeleteArtifactMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists what cites an artifact, in pages.
     * </pre>
     */
    public dev.camillo.v1.ListCitationsResponse listCitations(dev.camillo.v1.ListCitationsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListCitationsMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service ArtifactService.
   * <pre>
   * Artifacts: large outputs kept out of the context and read back in parts.
   * The tenant, and for most credentials the agent, come from the credential; `agent_id` is for operators, as in
   * MemoryService. An agent reads its own artifacts and those of the tenant's shared space. An artifact that the channel
   * may not load is NOT_FOUND, as is one that belongs to another agent or tenant.
   * Secrets (keys, tokens, passwords of known forms) are never stored: a placeholder replaces them, which has the same
   * length in the bytes and may be shorter in other fields.
   * `request_id`: chosen by the client, up to 128 characters. The same id with the same content within 24 hours returns
   * the first answer and writes nothing; with other content it is ALREADY_EXISTS with REQUEST_ID_REUSED.
   * Artifacts are always read from Postgres: a read sees every write that was answered before it.
   * </pre>
   */
  public static final class ArtifactServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<ArtifactServiceBlockingStub> {
    private ArtifactServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected ArtifactServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new ArtifactServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * Returns how many bytes of an upload the server has.
     * </pre>
     */
    public dev.camillo.v1.GetUploadResponse getUpload(dev.camillo.v1.GetUploadRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetUploadMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Stores a tool's output if it is long, and answers with a ref, a summary and a preview to show the model instead. A
     * short output is returned without its secrets; neither it nor its request id is stored.
     * </pre>
     */
    public dev.camillo.v1.OffloadOutputResponse offloadOutput(dev.camillo.v1.OffloadOutputRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getOffloadOutputMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Returns an artifact without its bytes.
     * </pre>
     */
    public dev.camillo.v1.GetArtifactResponse getArtifact(dev.camillo.v1.GetArtifactRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetArtifactMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Streams the bytes of an artifact, or a part of them.
     * </pre>
     */
    public java.util.Iterator<dev.camillo.v1.ReadArtifactResponse> readArtifact(
        dev.camillo.v1.ReadArtifactRequest request) {
      return io.grpc.stub.ClientCalls.blockingServerStreamingCall(
          getChannel(), getReadArtifactMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Reads the text of an artifact in pages limited by tokens, for callers that cannot read a stream.
     * </pre>
     */
    public dev.camillo.v1.ReadArtifactPageResponse readArtifactPage(dev.camillo.v1.ReadArtifactPageRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getReadArtifactPageMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Streams matching lines as they are found; or, for `ranked`, the passages that match best.
     * </pre>
     */
    public java.util.Iterator<dev.camillo.v1.SearchArtifactResponse> searchArtifact(
        dev.camillo.v1.SearchArtifactRequest request) {
      return io.grpc.stub.ClientCalls.blockingServerStreamingCall(
          getChannel(), getSearchArtifactMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists artifacts that pass a filter, newest first, in pages.
     * </pre>
     */
    public dev.camillo.v1.ListArtifactsResponse listArtifacts(dev.camillo.v1.ListArtifactsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListArtifactsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Changes the name, tags and other fields of an artifact, never its bytes.
     * </pre>
     */
    public dev.camillo.v1.UpdateArtifactResponse updateArtifact(dev.camillo.v1.UpdateArtifactRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getUpdateArtifactMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Removes an artifact for good, and its bytes unless another artifact of the tenant has the same.
     * </pre>
     */
    public dev.camillo.v1.DeleteArtifactResponse deleteArtifact(dev.camillo.v1.DeleteArtifactRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getDeleteArtifactMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists what cites an artifact, in pages.
     * </pre>
     */
    public dev.camillo.v1.ListCitationsResponse listCitations(dev.camillo.v1.ListCitationsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListCitationsMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service ArtifactService.
   * <pre>
   * Artifacts: large outputs kept out of the context and read back in parts.
   * The tenant, and for most credentials the agent, come from the credential; `agent_id` is for operators, as in
   * MemoryService. An agent reads its own artifacts and those of the tenant's shared space. An artifact that the channel
   * may not load is NOT_FOUND, as is one that belongs to another agent or tenant.
   * Secrets (keys, tokens, passwords of known forms) are never stored: a placeholder replaces them, which has the same
   * length in the bytes and may be shorter in other fields.
   * `request_id`: chosen by the client, up to 128 characters. The same id with the same content within 24 hours returns
   * the first answer and writes nothing; with other content it is ALREADY_EXISTS with REQUEST_ID_REUSED.
   * Artifacts are always read from Postgres: a read sees every write that was answered before it.
   * </pre>
   */
  public static final class ArtifactServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<ArtifactServiceFutureStub> {
    private ArtifactServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected ArtifactServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new ArtifactServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * Returns how many bytes of an upload the server has.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.GetUploadResponse> getUpload(
        dev.camillo.v1.GetUploadRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetUploadMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Stores a tool's output if it is long, and answers with a ref, a summary and a preview to show the model instead. A
     * short output is returned without its secrets; neither it nor its request id is stored.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.OffloadOutputResponse> offloadOutput(
        dev.camillo.v1.OffloadOutputRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getOffloadOutputMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Returns an artifact without its bytes.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.GetArtifactResponse> getArtifact(
        dev.camillo.v1.GetArtifactRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetArtifactMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Reads the text of an artifact in pages limited by tokens, for callers that cannot read a stream.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.ReadArtifactPageResponse> readArtifactPage(
        dev.camillo.v1.ReadArtifactPageRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getReadArtifactPageMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists artifacts that pass a filter, newest first, in pages.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.ListArtifactsResponse> listArtifacts(
        dev.camillo.v1.ListArtifactsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListArtifactsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Changes the name, tags and other fields of an artifact, never its bytes.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.UpdateArtifactResponse> updateArtifact(
        dev.camillo.v1.UpdateArtifactRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getUpdateArtifactMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Removes an artifact for good, and its bytes unless another artifact of the tenant has the same.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.DeleteArtifactResponse> deleteArtifact(
        dev.camillo.v1.DeleteArtifactRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getDeleteArtifactMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists what cites an artifact, in pages.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.ListCitationsResponse> listCitations(
        dev.camillo.v1.ListCitationsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListCitationsMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_GET_UPLOAD = 0;
  private static final int METHODID_OFFLOAD_OUTPUT = 1;
  private static final int METHODID_GET_ARTIFACT = 2;
  private static final int METHODID_READ_ARTIFACT = 3;
  private static final int METHODID_READ_ARTIFACT_PAGE = 4;
  private static final int METHODID_SEARCH_ARTIFACT = 5;
  private static final int METHODID_LIST_ARTIFACTS = 6;
  private static final int METHODID_UPDATE_ARTIFACT = 7;
  private static final int METHODID_DELETE_ARTIFACT = 8;
  private static final int METHODID_LIST_CITATIONS = 9;
  private static final int METHODID_PUT_ARTIFACT = 10;

  private static final class MethodHandlers<Req, Resp> implements
      io.grpc.stub.ServerCalls.UnaryMethod<Req, Resp>,
      io.grpc.stub.ServerCalls.ServerStreamingMethod<Req, Resp>,
      io.grpc.stub.ServerCalls.ClientStreamingMethod<Req, Resp>,
      io.grpc.stub.ServerCalls.BidiStreamingMethod<Req, Resp> {
    private final AsyncService serviceImpl;
    private final int methodId;

    MethodHandlers(AsyncService serviceImpl, int methodId) {
      this.serviceImpl = serviceImpl;
      this.methodId = methodId;
    }

    @java.lang.Override
    @java.lang.SuppressWarnings("unchecked")
    public void invoke(Req request, io.grpc.stub.StreamObserver<Resp> responseObserver) {
      switch (methodId) {
        case METHODID_GET_UPLOAD:
          serviceImpl.getUpload((dev.camillo.v1.GetUploadRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.GetUploadResponse>) responseObserver);
          break;
        case METHODID_OFFLOAD_OUTPUT:
          serviceImpl.offloadOutput((dev.camillo.v1.OffloadOutputRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.OffloadOutputResponse>) responseObserver);
          break;
        case METHODID_GET_ARTIFACT:
          serviceImpl.getArtifact((dev.camillo.v1.GetArtifactRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.GetArtifactResponse>) responseObserver);
          break;
        case METHODID_READ_ARTIFACT:
          serviceImpl.readArtifact((dev.camillo.v1.ReadArtifactRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ReadArtifactResponse>) responseObserver);
          break;
        case METHODID_READ_ARTIFACT_PAGE:
          serviceImpl.readArtifactPage((dev.camillo.v1.ReadArtifactPageRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ReadArtifactPageResponse>) responseObserver);
          break;
        case METHODID_SEARCH_ARTIFACT:
          serviceImpl.searchArtifact((dev.camillo.v1.SearchArtifactRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.SearchArtifactResponse>) responseObserver);
          break;
        case METHODID_LIST_ARTIFACTS:
          serviceImpl.listArtifacts((dev.camillo.v1.ListArtifactsRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ListArtifactsResponse>) responseObserver);
          break;
        case METHODID_UPDATE_ARTIFACT:
          serviceImpl.updateArtifact((dev.camillo.v1.UpdateArtifactRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.UpdateArtifactResponse>) responseObserver);
          break;
        case METHODID_DELETE_ARTIFACT:
          serviceImpl.deleteArtifact((dev.camillo.v1.DeleteArtifactRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.DeleteArtifactResponse>) responseObserver);
          break;
        case METHODID_LIST_CITATIONS:
          serviceImpl.listCitations((dev.camillo.v1.ListCitationsRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ListCitationsResponse>) responseObserver);
          break;
        default:
          throw new AssertionError();
      }
    }

    @java.lang.Override
    @java.lang.SuppressWarnings("unchecked")
    public io.grpc.stub.StreamObserver<Req> invoke(
        io.grpc.stub.StreamObserver<Resp> responseObserver) {
      switch (methodId) {
        case METHODID_PUT_ARTIFACT:
          return (io.grpc.stub.StreamObserver<Req>) serviceImpl.putArtifact(
              (io.grpc.stub.StreamObserver<dev.camillo.v1.PutArtifactResponse>) responseObserver);
        default:
          throw new AssertionError();
      }
    }
  }

  public static final io.grpc.ServerServiceDefinition bindService(AsyncService service) {
    return io.grpc.ServerServiceDefinition.builder(getServiceDescriptor())
        .addMethod(
          getPutArtifactMethod(),
          io.grpc.stub.ServerCalls.asyncClientStreamingCall(
            new MethodHandlers<
              dev.camillo.v1.PutArtifactRequest,
              dev.camillo.v1.PutArtifactResponse>(
                service, METHODID_PUT_ARTIFACT)))
        .addMethod(
          getGetUploadMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.GetUploadRequest,
              dev.camillo.v1.GetUploadResponse>(
                service, METHODID_GET_UPLOAD)))
        .addMethod(
          getOffloadOutputMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.OffloadOutputRequest,
              dev.camillo.v1.OffloadOutputResponse>(
                service, METHODID_OFFLOAD_OUTPUT)))
        .addMethod(
          getGetArtifactMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.GetArtifactRequest,
              dev.camillo.v1.GetArtifactResponse>(
                service, METHODID_GET_ARTIFACT)))
        .addMethod(
          getReadArtifactMethod(),
          io.grpc.stub.ServerCalls.asyncServerStreamingCall(
            new MethodHandlers<
              dev.camillo.v1.ReadArtifactRequest,
              dev.camillo.v1.ReadArtifactResponse>(
                service, METHODID_READ_ARTIFACT)))
        .addMethod(
          getReadArtifactPageMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.ReadArtifactPageRequest,
              dev.camillo.v1.ReadArtifactPageResponse>(
                service, METHODID_READ_ARTIFACT_PAGE)))
        .addMethod(
          getSearchArtifactMethod(),
          io.grpc.stub.ServerCalls.asyncServerStreamingCall(
            new MethodHandlers<
              dev.camillo.v1.SearchArtifactRequest,
              dev.camillo.v1.SearchArtifactResponse>(
                service, METHODID_SEARCH_ARTIFACT)))
        .addMethod(
          getListArtifactsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.ListArtifactsRequest,
              dev.camillo.v1.ListArtifactsResponse>(
                service, METHODID_LIST_ARTIFACTS)))
        .addMethod(
          getUpdateArtifactMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.UpdateArtifactRequest,
              dev.camillo.v1.UpdateArtifactResponse>(
                service, METHODID_UPDATE_ARTIFACT)))
        .addMethod(
          getDeleteArtifactMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.DeleteArtifactRequest,
              dev.camillo.v1.DeleteArtifactResponse>(
                service, METHODID_DELETE_ARTIFACT)))
        .addMethod(
          getListCitationsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.ListCitationsRequest,
              dev.camillo.v1.ListCitationsResponse>(
                service, METHODID_LIST_CITATIONS)))
        .build();
  }

  private static abstract class ArtifactServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    ArtifactServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return dev.camillo.v1.ArtifactServiceOuterClass.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("ArtifactService");
    }
  }

  private static final class ArtifactServiceFileDescriptorSupplier
      extends ArtifactServiceBaseDescriptorSupplier {
    ArtifactServiceFileDescriptorSupplier() {}
  }

  private static final class ArtifactServiceMethodDescriptorSupplier
      extends ArtifactServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    ArtifactServiceMethodDescriptorSupplier(java.lang.String methodName) {
      this.methodName = methodName;
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.MethodDescriptor getMethodDescriptor() {
      return getServiceDescriptor().findMethodByName(methodName);
    }
  }

  private static volatile io.grpc.ServiceDescriptor serviceDescriptor;

  public static io.grpc.ServiceDescriptor getServiceDescriptor() {
    io.grpc.ServiceDescriptor result = serviceDescriptor;
    if (result == null) {
      synchronized (ArtifactServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new ArtifactServiceFileDescriptorSupplier())
              .addMethod(getPutArtifactMethod())
              .addMethod(getGetUploadMethod())
              .addMethod(getOffloadOutputMethod())
              .addMethod(getGetArtifactMethod())
              .addMethod(getReadArtifactMethod())
              .addMethod(getReadArtifactPageMethod())
              .addMethod(getSearchArtifactMethod())
              .addMethod(getListArtifactsMethod())
              .addMethod(getUpdateArtifactMethod())
              .addMethod(getDeleteArtifactMethod())
              .addMethod(getListCitationsMethod())
              .build();
        }
      }
    }
    return result;
  }
}
