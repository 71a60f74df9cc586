package dev.camillo.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * Memories, decisions and tasks out of what was said, by a model: proposed with quotes that the server checks, reviewed, reverted
 * exactly. Off unless a model is configured and the space is among `distillation.spaces`; proposals of earlier are reviewed and
 * reverted also then. See MemoryService for `agent_id` and `request_id`, and docs/distillation.md.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class DistillationServiceGrpc {

  private DistillationServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "camillo.v1.DistillationService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.DistillRequest,
      dev.camillo.v1.DistillResponse> getDistillMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "Distill",
      requestType = dev.camillo.v1.DistillRequest.class,
      responseType = dev.camillo.v1.DistillResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.DistillRequest,
      dev.camillo.v1.DistillResponse> getDistillMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.DistillRequest, dev.camillo.v1.DistillResponse> getDistillMethod;
    if ((getDistillMethod = DistillationServiceGrpc.getDistillMethod) == null) {
      synchronized (DistillationServiceGrpc.class) {
        if ((getDistillMethod = DistillationServiceGrpc.getDistillMethod) == null) {
          DistillationServiceGrpc.getDistillMethod = getDistillMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.DistillRequest, dev.camillo.v1.DistillResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "Distill"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.DistillRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.DistillResponse.getDefaultInstance()))
              .setSchemaDescriptor(new DistillationServiceMethodDescriptorSupplier("Distill"))
              .build();
        }
      }
    }
    return getDistillMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ListDistillationsRequest,
      dev.camillo.v1.ListDistillationsResponse> getListDistillationsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListDistillations",
      requestType = dev.camillo.v1.ListDistillationsRequest.class,
      responseType = dev.camillo.v1.ListDistillationsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ListDistillationsRequest,
      dev.camillo.v1.ListDistillationsResponse> getListDistillationsMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ListDistillationsRequest, dev.camillo.v1.ListDistillationsResponse> getListDistillationsMethod;
    if ((getListDistillationsMethod = DistillationServiceGrpc.getListDistillationsMethod) == null) {
      synchronized (DistillationServiceGrpc.class) {
        if ((getListDistillationsMethod = DistillationServiceGrpc.getListDistillationsMethod) == null) {
          DistillationServiceGrpc.getListDistillationsMethod = getListDistillationsMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ListDistillationsRequest, dev.camillo.v1.ListDistillationsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListDistillations"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListDistillationsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListDistillationsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new DistillationServiceMethodDescriptorSupplier("ListDistillations"))
              .build();
        }
      }
    }
    return getListDistillationsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.RevertDistillationRequest,
      dev.camillo.v1.RevertDistillationResponse> getRevertDistillationMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "RevertDistillation",
      requestType = dev.camillo.v1.RevertDistillationRequest.class,
      responseType = dev.camillo.v1.RevertDistillationResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.RevertDistillationRequest,
      dev.camillo.v1.RevertDistillationResponse> getRevertDistillationMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.RevertDistillationRequest, dev.camillo.v1.RevertDistillationResponse> getRevertDistillationMethod;
    if ((getRevertDistillationMethod = DistillationServiceGrpc.getRevertDistillationMethod) == null) {
      synchronized (DistillationServiceGrpc.class) {
        if ((getRevertDistillationMethod = DistillationServiceGrpc.getRevertDistillationMethod) == null) {
          DistillationServiceGrpc.getRevertDistillationMethod = getRevertDistillationMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.RevertDistillationRequest, dev.camillo.v1.RevertDistillationResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "RevertDistillation"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.RevertDistillationRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.RevertDistillationResponse.getDefaultInstance()))
              .setSchemaDescriptor(new DistillationServiceMethodDescriptorSupplier("RevertDistillation"))
              .build();
        }
      }
    }
    return getRevertDistillationMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ReplayDistillationRequest,
      dev.camillo.v1.ReplayDistillationResponse> getReplayDistillationMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ReplayDistillation",
      requestType = dev.camillo.v1.ReplayDistillationRequest.class,
      responseType = dev.camillo.v1.ReplayDistillationResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ReplayDistillationRequest,
      dev.camillo.v1.ReplayDistillationResponse> getReplayDistillationMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ReplayDistillationRequest, dev.camillo.v1.ReplayDistillationResponse> getReplayDistillationMethod;
    if ((getReplayDistillationMethod = DistillationServiceGrpc.getReplayDistillationMethod) == null) {
      synchronized (DistillationServiceGrpc.class) {
        if ((getReplayDistillationMethod = DistillationServiceGrpc.getReplayDistillationMethod) == null) {
          DistillationServiceGrpc.getReplayDistillationMethod = getReplayDistillationMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ReplayDistillationRequest, dev.camillo.v1.ReplayDistillationResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ReplayDistillation"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ReplayDistillationRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ReplayDistillationResponse.getDefaultInstance()))
              .setSchemaDescriptor(new DistillationServiceMethodDescriptorSupplier("ReplayDistillation"))
              .build();
        }
      }
    }
    return getReplayDistillationMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ListProposalsRequest,
      dev.camillo.v1.ListProposalsResponse> getListProposalsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListProposals",
      requestType = dev.camillo.v1.ListProposalsRequest.class,
      responseType = dev.camillo.v1.ListProposalsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ListProposalsRequest,
      dev.camillo.v1.ListProposalsResponse> getListProposalsMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ListProposalsRequest, dev.camillo.v1.ListProposalsResponse> getListProposalsMethod;
    if ((getListProposalsMethod = DistillationServiceGrpc.getListProposalsMethod) == null) {
      synchronized (DistillationServiceGrpc.class) {
        if ((getListProposalsMethod = DistillationServiceGrpc.getListProposalsMethod) == null) {
          DistillationServiceGrpc.getListProposalsMethod = getListProposalsMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ListProposalsRequest, dev.camillo.v1.ListProposalsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListProposals"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListProposalsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListProposalsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new DistillationServiceMethodDescriptorSupplier("ListProposals"))
              .build();
        }
      }
    }
    return getListProposalsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.AcceptProposalsRequest,
      dev.camillo.v1.AcceptProposalsResponse> getAcceptProposalsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "AcceptProposals",
      requestType = dev.camillo.v1.AcceptProposalsRequest.class,
      responseType = dev.camillo.v1.AcceptProposalsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.AcceptProposalsRequest,
      dev.camillo.v1.AcceptProposalsResponse> getAcceptProposalsMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.AcceptProposalsRequest, dev.camillo.v1.AcceptProposalsResponse> getAcceptProposalsMethod;
    if ((getAcceptProposalsMethod = DistillationServiceGrpc.getAcceptProposalsMethod) == null) {
      synchronized (DistillationServiceGrpc.class) {
        if ((getAcceptProposalsMethod = DistillationServiceGrpc.getAcceptProposalsMethod) == null) {
          DistillationServiceGrpc.getAcceptProposalsMethod = getAcceptProposalsMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.AcceptProposalsRequest, dev.camillo.v1.AcceptProposalsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "AcceptProposals"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.AcceptProposalsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.AcceptProposalsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new DistillationServiceMethodDescriptorSupplier("AcceptProposals"))
              .build();
        }
      }
    }
    return getAcceptProposalsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.RejectProposalsRequest,
      dev.camillo.v1.RejectProposalsResponse> getRejectProposalsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "RejectProposals",
      requestType = dev.camillo.v1.RejectProposalsRequest.class,
      responseType = dev.camillo.v1.RejectProposalsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.RejectProposalsRequest,
      dev.camillo.v1.RejectProposalsResponse> getRejectProposalsMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.RejectProposalsRequest, dev.camillo.v1.RejectProposalsResponse> getRejectProposalsMethod;
    if ((getRejectProposalsMethod = DistillationServiceGrpc.getRejectProposalsMethod) == null) {
      synchronized (DistillationServiceGrpc.class) {
        if ((getRejectProposalsMethod = DistillationServiceGrpc.getRejectProposalsMethod) == null) {
          DistillationServiceGrpc.getRejectProposalsMethod = getRejectProposalsMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.RejectProposalsRequest, dev.camillo.v1.RejectProposalsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "RejectProposals"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.RejectProposalsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.RejectProposalsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new DistillationServiceMethodDescriptorSupplier("RejectProposals"))
              .build();
        }
      }
    }
    return getRejectProposalsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.EditProposalRequest,
      dev.camillo.v1.EditProposalResponse> getEditProposalMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "EditProposal",
      requestType = dev.camillo.v1.EditProposalRequest.class,
      responseType = dev.camillo.v1.EditProposalResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.EditProposalRequest,
      dev.camillo.v1.EditProposalResponse> getEditProposalMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.EditProposalRequest, dev.camillo.v1.EditProposalResponse> getEditProposalMethod;
    if ((getEditProposalMethod = DistillationServiceGrpc.getEditProposalMethod) == null) {
      synchronized (DistillationServiceGrpc.class) {
        if ((getEditProposalMethod = DistillationServiceGrpc.getEditProposalMethod) == null) {
          DistillationServiceGrpc.getEditProposalMethod = getEditProposalMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.EditProposalRequest, dev.camillo.v1.EditProposalResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "EditProposal"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.EditProposalRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.EditProposalResponse.getDefaultInstance()))
              .setSchemaDescriptor(new DistillationServiceMethodDescriptorSupplier("EditProposal"))
              .build();
        }
      }
    }
    return getEditProposalMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static DistillationServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<DistillationServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<DistillationServiceStub>() {
        @java.lang.Override
        public DistillationServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new DistillationServiceStub(channel, callOptions);
        }
      };
    return DistillationServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static DistillationServiceBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<DistillationServiceBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<DistillationServiceBlockingV2Stub>() {
        @java.lang.Override
        public DistillationServiceBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new DistillationServiceBlockingV2Stub(channel, callOptions);
        }
      };
    return DistillationServiceBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static DistillationServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<DistillationServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<DistillationServiceBlockingStub>() {
        @java.lang.Override
        public DistillationServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new DistillationServiceBlockingStub(channel, callOptions);
        }
      };
    return DistillationServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static DistillationServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<DistillationServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<DistillationServiceFutureStub>() {
        @java.lang.Override
        public DistillationServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new DistillationServiceFutureStub(channel, callOptions);
        }
      };
    return DistillationServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * Memories, decisions and tasks out of what was said, by a model: proposed with quotes that the server checks, reviewed, reverted
   * exactly. Off unless a model is configured and the space is among `distillation.spaces`; proposals of earlier are reviewed and
   * reverted also then. See MemoryService for `agent_id` and `request_id`, and docs/distillation.md.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * Sends the turns of a session, or those behind the space's cursor, and stores what the model proposes. Takes as long as the
     * model. Turns that were sent before are left out.
     * </pre>
     */
    default void distill(dev.camillo.v1.DistillRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.DistillResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getDistillMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists distillations, newest first.
     * </pre>
     */
    default void listDistillations(dev.camillo.v1.ListDistillationsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListDistillationsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListDistillationsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Reverts a distillation exactly: what its proposals added is removed, what they superseded is in force again, what they
     * confirmed counts as before. Pending ones are rejected. Records that somebody has changed since stay, and are named.
     * </pre>
     */
    default void revertDistillation(dev.camillo.v1.RevertDistillationRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.RevertDistillationResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getRevertDistillationMethod(), responseObserver);
    }

    /**
     * <pre>
     * Checks the stored answers of a distillation once more, without the model, and changes nothing.
     * </pre>
     */
    default void replayDistillation(dev.camillo.v1.ReplayDistillationRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ReplayDistillationResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getReplayDistillationMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists proposals, newest first.
     * </pre>
     */
    default void listProposals(dev.camillo.v1.ListProposalsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListProposalsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListProposalsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Accepts pending proposals: each becomes a record, or is stale or refused.
     * </pre>
     */
    default void acceptProposals(dev.camillo.v1.AcceptProposalsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.AcceptProposalsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getAcceptProposalsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Rejects pending proposals.
     * </pre>
     */
    default void rejectProposals(dev.camillo.v1.RejectProposalsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.RejectProposalsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getRejectProposalsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Changes the text of a pending proposal that adds or supersedes. The text is the caller's then.
     * </pre>
     */
    default void editProposal(dev.camillo.v1.EditProposalRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.EditProposalResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getEditProposalMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service DistillationService.
   * <pre>
   * Memories, decisions and tasks out of what was said, by a model: proposed with quotes that the server checks, reviewed, reverted
   * exactly. Off unless a model is configured and the space is among `distillation.spaces`; proposals of earlier are reviewed and
   * reverted also then. See MemoryService for `agent_id` and `request_id`, and docs/distillation.md.
   * </pre>
   */
  public static abstract class DistillationServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return DistillationServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service DistillationService.
   * <pre>
   * Memories, decisions and tasks out of what was said, by a model: proposed with quotes that the server checks, reviewed, reverted
   * exactly. Off unless a model is configured and the space is among `distillation.spaces`; proposals of earlier are reviewed and
   * reverted also then. See MemoryService for `agent_id` and `request_id`, and docs/distillation.md.
   * </pre>
   */
  public static final class DistillationServiceStub
      extends io.grpc.stub.AbstractAsyncStub<DistillationServiceStub> {
    private DistillationServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected DistillationServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new DistillationServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * Sends the turns of a session, or those behind the space's cursor, and stores what the model proposes. Takes as long as the
     * model. Turns that were sent before are left out.
     * </pre>
     */
    public void distill(dev.camillo.v1.DistillRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.DistillResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getDistillMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists distillations, newest first.
     * </pre>
     */
    public void listDistillations(dev.camillo.v1.ListDistillationsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListDistillationsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListDistillationsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Reverts a distillation exactly: what its proposals added is removed, what they superseded is in force again, what they
     * confirmed counts as before. Pending ones are rejected. Records that somebody has changed since stay, and are named.
     * </pre>
     */
    public void revertDistillation(dev.camillo.v1.RevertDistillationRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.RevertDistillationResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getRevertDistillationMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Checks the stored answers of a distillation once more, without the model, and changes nothing.
     * </pre>
     */
    public void replayDistillation(dev.camillo.v1.ReplayDistillationRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ReplayDistillationResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getReplayDistillationMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists proposals, newest first.
     * </pre>
     */
    public void listProposals(dev.camillo.v1.ListProposalsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListProposalsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListProposalsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Accepts pending proposals: each becomes a record, or is stale or refused.
     * </pre>
     */
    public void acceptProposals(dev.camillo.v1.AcceptProposalsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.AcceptProposalsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getAcceptProposalsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Rejects pending proposals.
     * </pre>
     */
    public void rejectProposals(dev.camillo.v1.RejectProposalsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.RejectProposalsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getRejectProposalsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Changes the text of a pending proposal that adds or supersedes. The text is the caller's then.
     * </pre>
     */
    public void editProposal(dev.camillo.v1.EditProposalRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.EditProposalResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getEditProposalMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service DistillationService.
   * <pre>
   * Memories, decisions and tasks out of what was said, by a model: proposed with quotes that the server checks, reviewed, reverted
   * exactly. Off unless a model is configured and the space is among `distillation.spaces`; proposals of earlier are reviewed and
   * reverted also then. See MemoryService for `agent_id` and `request_id`, and docs/distillation.md.
   * </pre>
   */
  public static final class DistillationServiceBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<DistillationServiceBlockingV2Stub> {
    private DistillationServiceBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected DistillationServiceBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new DistillationServiceBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * Sends the turns of a session, or those behind the space's cursor, and stores what the model proposes. Takes as long as the
     * model. Turns that were sent before are left out.
     * </pre>
     */
    public dev.camillo.v1.DistillResponse distill(dev.camillo.v1.DistillRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getDistillMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists distillations, newest first.
     * </pre>
     */
    public dev.camillo.v1.ListDistillationsResponse listDistillations(dev.camillo.v1.ListDistillationsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListDistillationsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Reverts a distillation exactly: what its proposals added is removed, what they superseded is in force again, what they
     * confirmed counts as before. Pending ones are rejected. Records that somebody has changed since stay, and are named.
     * </pre>
     */
    public dev.camillo.v1.RevertDistillationResponse revertDistillation(dev.camillo.v1.RevertDistillationRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getRevertDistillationMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Checks the stored answers of a distillation once more, without the model, and changes nothing.
     * </pre>
     */
    public dev.camillo.v1.ReplayDistillationResponse replayDistillation(dev.camillo.v1.ReplayDistillationRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getReplayDistillationMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists proposals, newest first.
     * </pre>
     */
    public dev.camillo.v1.ListProposalsResponse listProposals(dev.camillo.v1.ListProposalsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListProposalsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Accepts pending proposals: each becomes a record, or is stale or refused.
     * </pre>
     */
    public dev.camillo.v1.AcceptProposalsResponse acceptProposals(dev.camillo.v1.AcceptProposalsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getAcceptProposalsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Rejects pending proposals.
     * </pre>
     */
    public dev.camillo.v1.RejectProposalsResponse rejectProposals(dev.camillo.v1.RejectProposalsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getRejectProposalsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Changes the text of a pending proposal that adds or supersedes. The text is the caller's then.
     * </pre>
     */
    public dev.camillo.v1.EditProposalResponse editProposal(dev.camillo.v1.EditProposalRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getEditProposalMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service DistillationService.
   * <pre>
   * Memories, decisions and tasks out of what was said, by a model: proposed with quotes that the server checks, reviewed, reverted
   * exactly. Off unless a model is configured and the space is among `distillation.spaces`; proposals of earlier are reviewed and
   * reverted also then. See MemoryService for `agent_id` and `request_id`, and docs/distillation.md.
   * </pre>
   */
  public static final class DistillationServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<DistillationServiceBlockingStub> {
    private DistillationServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected DistillationServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new DistillationServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * Sends the turns of a session, or those behind the space's cursor, and stores what the model proposes. Takes as long as the
     * model. Turns that were sent before are left out.
     * </pre>
     */
    public dev.camillo.v1.DistillResponse distill(dev.camillo.v1.DistillRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getDistillMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists distillations, newest first.
     * </pre>
     */
    public dev.camillo.v1.ListDistillationsResponse listDistillations(dev.camillo.v1.ListDistillationsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListDistillationsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Reverts a distillation exactly: what its proposals added is removed, what they superseded is in force again, what they
     * confirmed counts as before. Pending ones are rejected. Records that somebody has changed since stay, and are named.
     * </pre>
     */
    public dev.camillo.v1.RevertDistillationResponse revertDistillation(dev.camillo.v1.RevertDistillationRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getRevertDistillationMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Checks the stored answers of a distillation once more, without the model, and changes nothing.
     * </pre>
     */
    public dev.camillo.v1.ReplayDistillationResponse replayDistillation(dev.camillo.v1.ReplayDistillationRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getReplayDistillationMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists proposals, newest first.
     * </pre>
     */
    public dev.camillo.v1.ListProposalsResponse listProposals(dev.camillo.v1.ListProposalsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListProposalsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Accepts pending proposals: each becomes a record, or is stale or refused.
     * </pre>
     */
    public dev.camillo.v1.AcceptProposalsResponse acceptProposals(dev.camillo.v1.AcceptProposalsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getAcceptProposalsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Rejects pending proposals.
     * </pre>
     */
    public dev.camillo.v1.RejectProposalsResponse rejectProposals(dev.camillo.v1.RejectProposalsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getRejectProposalsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Changes the text of a pending proposal that adds or supersedes. The text is the caller's then.
     * </pre>
     */
    public dev.camillo.v1.EditProposalResponse editProposal(dev.camillo.v1.EditProposalRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getEditProposalMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service DistillationService.
   * <pre>
   * Memories, decisions and tasks out of what was said, by a model: proposed with quotes that the server checks, reviewed, reverted
   * exactly. Off unless a model is configured and the space is among `distillation.spaces`; proposals of earlier are reviewed and
   * reverted also then. See MemoryService for `agent_id` and `request_id`, and docs/distillation.md.
   * </pre>
   */
  public static final class DistillationServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<DistillationServiceFutureStub> {
    private DistillationServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected DistillationServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new DistillationServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * Sends the turns of a session, or those behind the space's cursor, and stores what the model proposes. Takes as long as the
     * model. Turns that were sent before are left out.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.DistillResponse> distill(
        dev.camillo.v1.DistillRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getDistillMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists distillations, newest first.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.ListDistillationsResponse> listDistillations(
        dev.camillo.v1.ListDistillationsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListDistillationsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Reverts a distillation exactly: what its proposals added is removed, what they superseded is in force again, what they
     * confirmed counts as before. Pending ones are rejected. Records that somebody has changed since stay, and are named.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.RevertDistillationResponse> revertDistillation(
        dev.camillo.v1.RevertDistillationRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getRevertDistillationMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Checks the stored answers of a distillation once more, without the model, and changes nothing.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.ReplayDistillationResponse> replayDistillation(
        dev.camillo.v1.ReplayDistillationRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getReplayDistillationMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists proposals, newest first.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.ListProposalsResponse> listProposals(
        dev.camillo.v1.ListProposalsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListProposalsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Accepts pending proposals: each becomes a record, or is stale or refused.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.AcceptProposalsResponse> acceptProposals(
        dev.camillo.v1.AcceptProposalsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getAcceptProposalsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Rejects pending proposals.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.RejectProposalsResponse> rejectProposals(
        dev.camillo.v1.RejectProposalsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getRejectProposalsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Changes the text of a pending proposal that adds or supersedes. The text is the caller's then.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.EditProposalResponse> editProposal(
        dev.camillo.v1.EditProposalRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getEditProposalMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_DISTILL = 0;
  private static final int METHODID_LIST_DISTILLATIONS = 1;
  private static final int METHODID_REVERT_DISTILLATION = 2;
  private static final int METHODID_REPLAY_DISTILLATION = 3;
  private static final int METHODID_LIST_PROPOSALS = 4;
  private static final int METHODID_ACCEPT_PROPOSALS = 5;
  private static final int METHODID_REJECT_PROPOSALS = 6;
  private static final int METHODID_EDIT_PROPOSAL = 7;

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
        case METHODID_DISTILL:
          serviceImpl.distill((dev.camillo.v1.DistillRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.DistillResponse>) responseObserver);
          break;
        case METHODID_LIST_DISTILLATIONS:
          serviceImpl.listDistillations((dev.camillo.v1.ListDistillationsRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ListDistillationsResponse>) responseObserver);
          break;
        case METHODID_REVERT_DISTILLATION:
          serviceImpl.revertDistillation((dev.camillo.v1.RevertDistillationRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.RevertDistillationResponse>) responseObserver);
          break;
        case METHODID_REPLAY_DISTILLATION:
          serviceImpl.replayDistillation((dev.camillo.v1.ReplayDistillationRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ReplayDistillationResponse>) responseObserver);
          break;
        case METHODID_LIST_PROPOSALS:
          serviceImpl.listProposals((dev.camillo.v1.ListProposalsRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ListProposalsResponse>) responseObserver);
          break;
        case METHODID_ACCEPT_PROPOSALS:
          serviceImpl.acceptProposals((dev.camillo.v1.AcceptProposalsRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.AcceptProposalsResponse>) responseObserver);
          break;
        case METHODID_REJECT_PROPOSALS:
          serviceImpl.rejectProposals((dev.camillo.v1.RejectProposalsRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.RejectProposalsResponse>) responseObserver);
          break;
        case METHODID_EDIT_PROPOSAL:
          serviceImpl.editProposal((dev.camillo.v1.EditProposalRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.EditProposalResponse>) responseObserver);
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
        default:
          throw new AssertionError();
      }
    }
  }

  public static final io.grpc.ServerServiceDefinition bindService(AsyncService service) {
    return io.grpc.ServerServiceDefinition.builder(getServiceDescriptor())
        .addMethod(
          getDistillMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.DistillRequest,
              dev.camillo.v1.DistillResponse>(
                service, METHODID_DISTILL)))
        .addMethod(
          getListDistillationsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.ListDistillationsRequest,
              dev.camillo.v1.ListDistillationsResponse>(
                service, METHODID_LIST_DISTILLATIONS)))
        .addMethod(
          getRevertDistillationMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.RevertDistillationRequest,
              dev.camillo.v1.RevertDistillationResponse>(
                service, METHODID_REVERT_DISTILLATION)))
        .addMethod(
          getReplayDistillationMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.ReplayDistillationRequest,
              dev.camillo.v1.ReplayDistillationResponse>(
                service, METHODID_REPLAY_DISTILLATION)))
        .addMethod(
          getListProposalsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.ListProposalsRequest,
              dev.camillo.v1.ListProposalsResponse>(
                service, METHODID_LIST_PROPOSALS)))
        .addMethod(
          getAcceptProposalsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.AcceptProposalsRequest,
              dev.camillo.v1.AcceptProposalsResponse>(
                service, METHODID_ACCEPT_PROPOSALS)))
        .addMethod(
          getRejectProposalsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.RejectProposalsRequest,
              dev.camillo.v1.RejectProposalsResponse>(
                service, METHODID_REJECT_PROPOSALS)))
        .addMethod(
          getEditProposalMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.EditProposalRequest,
              dev.camillo.v1.EditProposalResponse>(
                service, METHODID_EDIT_PROPOSAL)))
        .build();
  }

  private static abstract class DistillationServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    DistillationServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return dev.camillo.v1.DistillationServiceOuterClass.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("DistillationService");
    }
  }

  private static final class DistillationServiceFileDescriptorSupplier
      extends DistillationServiceBaseDescriptorSupplier {
    DistillationServiceFileDescriptorSupplier() {}
  }

  private static final class DistillationServiceMethodDescriptorSupplier
      extends DistillationServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    DistillationServiceMethodDescriptorSupplier(java.lang.String methodName) {
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
      synchronized (DistillationServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new DistillationServiceFileDescriptorSupplier())
              .addMethod(getDistillMethod())
              .addMethod(getListDistillationsMethod())
              .addMethod(getRevertDistillationMethod())
              .addMethod(getReplayDistillationMethod())
              .addMethod(getListProposalsMethod())
              .addMethod(getAcceptProposalsMethod())
              .addMethod(getRejectProposalsMethod())
              .addMethod(getEditProposalMethod())
              .build();
        }
      }
    }
    return result;
  }
}
