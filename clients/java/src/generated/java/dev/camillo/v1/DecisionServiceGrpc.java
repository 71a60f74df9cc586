package dev.camillo.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * Decisions: what was decided, on which sources, and what superseded it.
 * `agent_id`, `request_id` and secrets: see MemoryService. Reads find the agent's own decisions and those of the
 * tenant's shared space, which an operator records there.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class DecisionServiceGrpc {

  private DecisionServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "camillo.v1.DecisionService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.RecordDecisionRequest,
      dev.camillo.v1.RecordDecisionResponse> getRecordDecisionMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "RecordDecision",
      requestType = dev.camillo.v1.RecordDecisionRequest.class,
      responseType = dev.camillo.v1.RecordDecisionResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.RecordDecisionRequest,
      dev.camillo.v1.RecordDecisionResponse> getRecordDecisionMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.RecordDecisionRequest, dev.camillo.v1.RecordDecisionResponse> getRecordDecisionMethod;
    if ((getRecordDecisionMethod = DecisionServiceGrpc.getRecordDecisionMethod) == null) {
      synchronized (DecisionServiceGrpc.class) {
        if ((getRecordDecisionMethod = DecisionServiceGrpc.getRecordDecisionMethod) == null) {
          DecisionServiceGrpc.getRecordDecisionMethod = getRecordDecisionMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.RecordDecisionRequest, dev.camillo.v1.RecordDecisionResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "RecordDecision"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.RecordDecisionRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.RecordDecisionResponse.getDefaultInstance()))
              .setSchemaDescriptor(new DecisionServiceMethodDescriptorSupplier("RecordDecision"))
              .build();
        }
      }
    }
    return getRecordDecisionMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.SupersedeDecisionRequest,
      dev.camillo.v1.SupersedeDecisionResponse> getSupersedeDecisionMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "SupersedeDecision",
      requestType = dev.camillo.v1.SupersedeDecisionRequest.class,
      responseType = dev.camillo.v1.SupersedeDecisionResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.SupersedeDecisionRequest,
      dev.camillo.v1.SupersedeDecisionResponse> getSupersedeDecisionMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.SupersedeDecisionRequest, dev.camillo.v1.SupersedeDecisionResponse> getSupersedeDecisionMethod;
    if ((getSupersedeDecisionMethod = DecisionServiceGrpc.getSupersedeDecisionMethod) == null) {
      synchronized (DecisionServiceGrpc.class) {
        if ((getSupersedeDecisionMethod = DecisionServiceGrpc.getSupersedeDecisionMethod) == null) {
          DecisionServiceGrpc.getSupersedeDecisionMethod = getSupersedeDecisionMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.SupersedeDecisionRequest, dev.camillo.v1.SupersedeDecisionResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "SupersedeDecision"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.SupersedeDecisionRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.SupersedeDecisionResponse.getDefaultInstance()))
              .setSchemaDescriptor(new DecisionServiceMethodDescriptorSupplier("SupersedeDecision"))
              .build();
        }
      }
    }
    return getSupersedeDecisionMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.GetDecisionRequest,
      dev.camillo.v1.GetDecisionResponse> getGetDecisionMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetDecision",
      requestType = dev.camillo.v1.GetDecisionRequest.class,
      responseType = dev.camillo.v1.GetDecisionResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.GetDecisionRequest,
      dev.camillo.v1.GetDecisionResponse> getGetDecisionMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.GetDecisionRequest, dev.camillo.v1.GetDecisionResponse> getGetDecisionMethod;
    if ((getGetDecisionMethod = DecisionServiceGrpc.getGetDecisionMethod) == null) {
      synchronized (DecisionServiceGrpc.class) {
        if ((getGetDecisionMethod = DecisionServiceGrpc.getGetDecisionMethod) == null) {
          DecisionServiceGrpc.getGetDecisionMethod = getGetDecisionMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.GetDecisionRequest, dev.camillo.v1.GetDecisionResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetDecision"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.GetDecisionRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.GetDecisionResponse.getDefaultInstance()))
              .setSchemaDescriptor(new DecisionServiceMethodDescriptorSupplier("GetDecision"))
              .build();
        }
      }
    }
    return getGetDecisionMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.QueryDecisionsRequest,
      dev.camillo.v1.QueryDecisionsResponse> getQueryDecisionsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "QueryDecisions",
      requestType = dev.camillo.v1.QueryDecisionsRequest.class,
      responseType = dev.camillo.v1.QueryDecisionsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.QueryDecisionsRequest,
      dev.camillo.v1.QueryDecisionsResponse> getQueryDecisionsMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.QueryDecisionsRequest, dev.camillo.v1.QueryDecisionsResponse> getQueryDecisionsMethod;
    if ((getQueryDecisionsMethod = DecisionServiceGrpc.getQueryDecisionsMethod) == null) {
      synchronized (DecisionServiceGrpc.class) {
        if ((getQueryDecisionsMethod = DecisionServiceGrpc.getQueryDecisionsMethod) == null) {
          DecisionServiceGrpc.getQueryDecisionsMethod = getQueryDecisionsMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.QueryDecisionsRequest, dev.camillo.v1.QueryDecisionsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "QueryDecisions"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.QueryDecisionsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.QueryDecisionsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new DecisionServiceMethodDescriptorSupplier("QueryDecisions"))
              .build();
        }
      }
    }
    return getQueryDecisionsMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static DecisionServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<DecisionServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<DecisionServiceStub>() {
        @java.lang.Override
        public DecisionServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new DecisionServiceStub(channel, callOptions);
        }
      };
    return DecisionServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static DecisionServiceBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<DecisionServiceBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<DecisionServiceBlockingV2Stub>() {
        @java.lang.Override
        public DecisionServiceBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new DecisionServiceBlockingV2Stub(channel, callOptions);
        }
      };
    return DecisionServiceBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static DecisionServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<DecisionServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<DecisionServiceBlockingStub>() {
        @java.lang.Override
        public DecisionServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new DecisionServiceBlockingStub(channel, callOptions);
        }
      };
    return DecisionServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static DecisionServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<DecisionServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<DecisionServiceFutureStub>() {
        @java.lang.Override
        public DecisionServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new DecisionServiceFutureStub(channel, callOptions);
        }
      };
    return DecisionServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * Decisions: what was decided, on which sources, and what superseded it.
   * `agent_id`, `request_id` and secrets: see MemoryService. Reads find the agent's own decisions and those of the
   * tenant's shared space, which an operator records there.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * Stores a decision.
     * </pre>
     */
    default void recordDecision(dev.camillo.v1.RecordDecisionRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.RecordDecisionResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getRecordDecisionMethod(), responseObserver);
    }

    /**
     * <pre>
     * Supersedes a decision by another one. Both are linked; the old one stays readable.
     * </pre>
     */
    default void supersedeDecision(dev.camillo.v1.SupersedeDecisionRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.SupersedeDecisionResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getSupersedeDecisionMethod(), responseObserver);
    }

    /**
     * <pre>
     * Returns one decision.
     * </pre>
     */
    default void getDecision(dev.camillo.v1.GetDecisionRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.GetDecisionResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetDecisionMethod(), responseObserver);
    }

    /**
     * <pre>
     * Finds decisions that pass a filter: best matches for a text, or latest first.
     * </pre>
     */
    default void queryDecisions(dev.camillo.v1.QueryDecisionsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.QueryDecisionsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getQueryDecisionsMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service DecisionService.
   * <pre>
   * Decisions: what was decided, on which sources, and what superseded it.
   * `agent_id`, `request_id` and secrets: see MemoryService. Reads find the agent's own decisions and those of the
   * tenant's shared space, which an operator records there.
   * </pre>
   */
  public static abstract class DecisionServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return DecisionServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service DecisionService.
   * <pre>
   * Decisions: what was decided, on which sources, and what superseded it.
   * `agent_id`, `request_id` and secrets: see MemoryService. Reads find the agent's own decisions and those of the
   * tenant's shared space, which an operator records there.
   * </pre>
   */
  public static final class DecisionServiceStub
      extends io.grpc.stub.AbstractAsyncStub<DecisionServiceStub> {
    private DecisionServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected DecisionServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new DecisionServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * Stores a decision.
     * </pre>
     */
    public void recordDecision(dev.camillo.v1.RecordDecisionRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.RecordDecisionResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getRecordDecisionMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Supersedes a decision by another one. Both are linked; the old one stays readable.
     * </pre>
     */
    public void supersedeDecision(dev.camillo.v1.SupersedeDecisionRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.SupersedeDecisionResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getSupersedeDecisionMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Returns one decision.
     * </pre>
     */
    public void getDecision(dev.camillo.v1.GetDecisionRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.GetDecisionResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetDecisionMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Finds decisions that pass a filter: best matches for a text, or latest first.
     * </pre>
     */
    public void queryDecisions(dev.camillo.v1.QueryDecisionsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.QueryDecisionsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getQueryDecisionsMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service DecisionService.
   * <pre>
   * Decisions: what was decided, on which sources, and what superseded it.
   * `agent_id`, `request_id` and secrets: see MemoryService. Reads find the agent's own decisions and those of the
   * tenant's shared space, which an operator records there.
   * </pre>
   */
  public static final class DecisionServiceBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<DecisionServiceBlockingV2Stub> {
    private DecisionServiceBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected DecisionServiceBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new DecisionServiceBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * Stores a decision.
     * </pre>
     */
    public dev.camillo.v1.RecordDecisionResponse recordDecision(dev.camillo.v1.RecordDecisionRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getRecordDecisionMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Supersedes a decision by another one. Both are linked; the old one stays readable.
     * </pre>
     */
    public dev.camillo.v1.SupersedeDecisionResponse supersedeDecision(dev.camillo.v1.SupersedeDecisionRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getSupersedeDecisionMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Returns one decision.
     * </pre>
     */
    public dev.camillo.v1.GetDecisionResponse getDecision(dev.camillo.v1.GetDecisionRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getGetDecisionMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Finds decisions that pass a filter: best matches for a text, or latest first.
     * </pre>
     */
    public dev.camillo.v1.QueryDecisionsResponse queryDecisions(dev.camillo.v1.QueryDecisionsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getQueryDecisionsMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service DecisionService.
   * <pre>
   * Decisions: what was decided, on which sources, and what superseded it.
   * `agent_id`, `request_id` and secrets: see MemoryService. Reads find the agent's own decisions and those of the
   * tenant's shared space, which an operator records there.
   * </pre>
   */
  public static final class DecisionServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<DecisionServiceBlockingStub> {
    private DecisionServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected DecisionServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new DecisionServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * Stores a decision.
     * </pre>
     */
    public dev.camillo.v1.RecordDecisionResponse recordDecision(dev.camillo.v1.RecordDecisionRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getRecordDecisionMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Supersedes a decision by another one. Both are linked; the old one stays readable.
     * </pre>
     */
    public dev.camillo.v1.SupersedeDecisionResponse supersedeDecision(dev.camillo.v1.SupersedeDecisionRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getSupersedeDecisionMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Returns one decision.
     * </pre>
     */
    public dev.camillo.v1.GetDecisionResponse getDecision(dev.camillo.v1.GetDecisionRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetDecisionMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Finds decisions that pass a filter: best matches for a text, or latest first.
     * </pre>
     */
    public dev.camillo.v1.QueryDecisionsResponse queryDecisions(dev.camillo.v1.QueryDecisionsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getQueryDecisionsMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service DecisionService.
   * <pre>
   * Decisions: what was decided, on which sources, and what superseded it.
   * `agent_id`, `request_id` and secrets: see MemoryService. Reads find the agent's own decisions and those of the
   * tenant's shared space, which an operator records there.
   * </pre>
   */
  public static final class DecisionServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<DecisionServiceFutureStub> {
    private DecisionServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected DecisionServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new DecisionServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * Stores a decision.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.RecordDecisionResponse> recordDecision(
        dev.camillo.v1.RecordDecisionRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getRecordDecisionMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Supersedes a decision by another one. Both are linked; the old one stays readable.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.SupersedeDecisionResponse> supersedeDecision(
        dev.camillo.v1.SupersedeDecisionRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getSupersedeDecisionMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Returns one decision.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.GetDecisionResponse> getDecision(
        dev.camillo.v1.GetDecisionRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetDecisionMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Finds decisions that pass a filter: best matches for a text, or latest first.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.QueryDecisionsResponse> queryDecisions(
        dev.camillo.v1.QueryDecisionsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getQueryDecisionsMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_RECORD_DECISION = 0;
  private static final int METHODID_SUPERSEDE_DECISION = 1;
  private static final int METHODID_GET_DECISION = 2;
  private static final int METHODID_QUERY_DECISIONS = 3;

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
        case METHODID_RECORD_DECISION:
          serviceImpl.recordDecision((dev.camillo.v1.RecordDecisionRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.RecordDecisionResponse>) responseObserver);
          break;
        case METHODID_SUPERSEDE_DECISION:
          serviceImpl.supersedeDecision((dev.camillo.v1.SupersedeDecisionRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.SupersedeDecisionResponse>) responseObserver);
          break;
        case METHODID_GET_DECISION:
          serviceImpl.getDecision((dev.camillo.v1.GetDecisionRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.GetDecisionResponse>) responseObserver);
          break;
        case METHODID_QUERY_DECISIONS:
          serviceImpl.queryDecisions((dev.camillo.v1.QueryDecisionsRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.QueryDecisionsResponse>) responseObserver);
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
          getRecordDecisionMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.RecordDecisionRequest,
              dev.camillo.v1.RecordDecisionResponse>(
                service, METHODID_RECORD_DECISION)))
        .addMethod(
          getSupersedeDecisionMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.SupersedeDecisionRequest,
              dev.camillo.v1.SupersedeDecisionResponse>(
                service, METHODID_SUPERSEDE_DECISION)))
        .addMethod(
          getGetDecisionMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.GetDecisionRequest,
              dev.camillo.v1.GetDecisionResponse>(
                service, METHODID_GET_DECISION)))
        .addMethod(
          getQueryDecisionsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.QueryDecisionsRequest,
              dev.camillo.v1.QueryDecisionsResponse>(
                service, METHODID_QUERY_DECISIONS)))
        .build();
  }

  private static abstract class DecisionServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    DecisionServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return dev.camillo.v1.DecisionServiceOuterClass.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("DecisionService");
    }
  }

  private static final class DecisionServiceFileDescriptorSupplier
      extends DecisionServiceBaseDescriptorSupplier {
    DecisionServiceFileDescriptorSupplier() {}
  }

  private static final class DecisionServiceMethodDescriptorSupplier
      extends DecisionServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    DecisionServiceMethodDescriptorSupplier(java.lang.String methodName) {
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
      synchronized (DecisionServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new DecisionServiceFileDescriptorSupplier())
              .addMethod(getRecordDecisionMethod())
              .addMethod(getSupersedeDecisionMethod())
              .addMethod(getGetDecisionMethod())
              .addMethod(getQueryDecisionsMethod())
              .build();
        }
      }
    }
    return result;
  }
}
