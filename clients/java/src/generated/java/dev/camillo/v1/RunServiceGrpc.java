package dev.camillo.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * Runs: the short-term memory of an agent, from the start of a run to its end. Runs are stored in the database, so any
 * server can continue them. `agent_id` and `request_id`: see MemoryService; secrets are redacted in every text.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class RunServiceGrpc {

  private RunServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "camillo.v1.RunService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.StartRunRequest,
      dev.camillo.v1.StartRunResponse> getStartRunMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "StartRun",
      requestType = dev.camillo.v1.StartRunRequest.class,
      responseType = dev.camillo.v1.StartRunResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.StartRunRequest,
      dev.camillo.v1.StartRunResponse> getStartRunMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.StartRunRequest, dev.camillo.v1.StartRunResponse> getStartRunMethod;
    if ((getStartRunMethod = RunServiceGrpc.getStartRunMethod) == null) {
      synchronized (RunServiceGrpc.class) {
        if ((getStartRunMethod = RunServiceGrpc.getStartRunMethod) == null) {
          RunServiceGrpc.getStartRunMethod = getStartRunMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.StartRunRequest, dev.camillo.v1.StartRunResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "StartRun"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.StartRunRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.StartRunResponse.getDefaultInstance()))
              .setSchemaDescriptor(new RunServiceMethodDescriptorSupplier("StartRun"))
              .build();
        }
      }
    }
    return getStartRunMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.AppendRunRequest,
      dev.camillo.v1.AppendRunResponse> getAppendRunMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "AppendRun",
      requestType = dev.camillo.v1.AppendRunRequest.class,
      responseType = dev.camillo.v1.AppendRunResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.AppendRunRequest,
      dev.camillo.v1.AppendRunResponse> getAppendRunMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.AppendRunRequest, dev.camillo.v1.AppendRunResponse> getAppendRunMethod;
    if ((getAppendRunMethod = RunServiceGrpc.getAppendRunMethod) == null) {
      synchronized (RunServiceGrpc.class) {
        if ((getAppendRunMethod = RunServiceGrpc.getAppendRunMethod) == null) {
          RunServiceGrpc.getAppendRunMethod = getAppendRunMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.AppendRunRequest, dev.camillo.v1.AppendRunResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "AppendRun"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.AppendRunRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.AppendRunResponse.getDefaultInstance()))
              .setSchemaDescriptor(new RunServiceMethodDescriptorSupplier("AppendRun"))
              .build();
        }
      }
    }
    return getAppendRunMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.InjectInstructionRequest,
      dev.camillo.v1.InjectInstructionResponse> getInjectInstructionMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "InjectInstruction",
      requestType = dev.camillo.v1.InjectInstructionRequest.class,
      responseType = dev.camillo.v1.InjectInstructionResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.InjectInstructionRequest,
      dev.camillo.v1.InjectInstructionResponse> getInjectInstructionMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.InjectInstructionRequest, dev.camillo.v1.InjectInstructionResponse> getInjectInstructionMethod;
    if ((getInjectInstructionMethod = RunServiceGrpc.getInjectInstructionMethod) == null) {
      synchronized (RunServiceGrpc.class) {
        if ((getInjectInstructionMethod = RunServiceGrpc.getInjectInstructionMethod) == null) {
          RunServiceGrpc.getInjectInstructionMethod = getInjectInstructionMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.InjectInstructionRequest, dev.camillo.v1.InjectInstructionResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "InjectInstruction"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.InjectInstructionRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.InjectInstructionResponse.getDefaultInstance()))
              .setSchemaDescriptor(new RunServiceMethodDescriptorSupplier("InjectInstruction"))
              .build();
        }
      }
    }
    return getInjectInstructionMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.RenderRunRequest,
      dev.camillo.v1.RenderRunResponse> getRenderRunMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "RenderRun",
      requestType = dev.camillo.v1.RenderRunRequest.class,
      responseType = dev.camillo.v1.RenderRunResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.RenderRunRequest,
      dev.camillo.v1.RenderRunResponse> getRenderRunMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.RenderRunRequest, dev.camillo.v1.RenderRunResponse> getRenderRunMethod;
    if ((getRenderRunMethod = RunServiceGrpc.getRenderRunMethod) == null) {
      synchronized (RunServiceGrpc.class) {
        if ((getRenderRunMethod = RunServiceGrpc.getRenderRunMethod) == null) {
          RunServiceGrpc.getRenderRunMethod = getRenderRunMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.RenderRunRequest, dev.camillo.v1.RenderRunResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "RenderRun"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.RenderRunRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.RenderRunResponse.getDefaultInstance()))
              .setSchemaDescriptor(new RunServiceMethodDescriptorSupplier("RenderRun"))
              .build();
        }
      }
    }
    return getRenderRunMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ListRunsRequest,
      dev.camillo.v1.ListRunsResponse> getListRunsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListRuns",
      requestType = dev.camillo.v1.ListRunsRequest.class,
      responseType = dev.camillo.v1.ListRunsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ListRunsRequest,
      dev.camillo.v1.ListRunsResponse> getListRunsMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ListRunsRequest, dev.camillo.v1.ListRunsResponse> getListRunsMethod;
    if ((getListRunsMethod = RunServiceGrpc.getListRunsMethod) == null) {
      synchronized (RunServiceGrpc.class) {
        if ((getListRunsMethod = RunServiceGrpc.getListRunsMethod) == null) {
          RunServiceGrpc.getListRunsMethod = getListRunsMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ListRunsRequest, dev.camillo.v1.ListRunsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListRuns"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListRunsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListRunsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new RunServiceMethodDescriptorSupplier("ListRuns"))
              .build();
        }
      }
    }
    return getListRunsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.EndRunRequest,
      dev.camillo.v1.EndRunResponse> getEndRunMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "EndRun",
      requestType = dev.camillo.v1.EndRunRequest.class,
      responseType = dev.camillo.v1.EndRunResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.EndRunRequest,
      dev.camillo.v1.EndRunResponse> getEndRunMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.EndRunRequest, dev.camillo.v1.EndRunResponse> getEndRunMethod;
    if ((getEndRunMethod = RunServiceGrpc.getEndRunMethod) == null) {
      synchronized (RunServiceGrpc.class) {
        if ((getEndRunMethod = RunServiceGrpc.getEndRunMethod) == null) {
          RunServiceGrpc.getEndRunMethod = getEndRunMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.EndRunRequest, dev.camillo.v1.EndRunResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "EndRun"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.EndRunRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.EndRunResponse.getDefaultInstance()))
              .setSchemaDescriptor(new RunServiceMethodDescriptorSupplier("EndRun"))
              .build();
        }
      }
    }
    return getEndRunMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static RunServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<RunServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<RunServiceStub>() {
        @java.lang.Override
        public RunServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new RunServiceStub(channel, callOptions);
        }
      };
    return RunServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static RunServiceBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<RunServiceBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<RunServiceBlockingV2Stub>() {
        @java.lang.Override
        public RunServiceBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new RunServiceBlockingV2Stub(channel, callOptions);
        }
      };
    return RunServiceBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static RunServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<RunServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<RunServiceBlockingStub>() {
        @java.lang.Override
        public RunServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new RunServiceBlockingStub(channel, callOptions);
        }
      };
    return RunServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static RunServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<RunServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<RunServiceFutureStub>() {
        @java.lang.Override
        public RunServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new RunServiceFutureStub(channel, callOptions);
        }
      };
    return RunServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * Runs: the short-term memory of an agent, from the start of a run to its end. Runs are stored in the database, so any
   * server can continue them. `agent_id` and `request_id`: see MemoryService; secrets are redacted in every text.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * Starts a run and returns the context for its start.
     * </pre>
     */
    default void startRun(dev.camillo.v1.StartRunRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.StartRunResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getStartRunMethod(), responseObserver);
    }

    /**
     * <pre>
     * Adds a round: calls and answers since the previous one.
     * </pre>
     */
    default void appendRun(dev.camillo.v1.AppendRunRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.AppendRunResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getAppendRunMethod(), responseObserver);
    }

    /**
     * <pre>
     * Adds an instruction, which is never cut from the rendering.
     * </pre>
     */
    default void injectInstruction(dev.camillo.v1.InjectInstructionRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.InjectInstructionResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getInjectInstructionMethod(), responseObserver);
    }

    /**
     * <pre>
     * Renders the run as a text for a prompt: trigger, focus, instructions and the last three rounds in full, each older
     * round in a sentence. Rounds beyond the budget are cut, oldest first. BUDGET_TOO_SMALL if the parts that are never
     * cut exceed it.
     * </pre>
     */
    default void renderRun(dev.camillo.v1.RenderRunRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.RenderRunResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getRenderRunMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists the agent's active runs, last started first, in pages. Ended runs are not kept.
     * </pre>
     */
    default void listRuns(dev.camillo.v1.ListRunsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListRunsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListRunsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Ends a run. Its content is deleted, except for distilled memories.
     * </pre>
     */
    default void endRun(dev.camillo.v1.EndRunRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.EndRunResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getEndRunMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service RunService.
   * <pre>
   * Runs: the short-term memory of an agent, from the start of a run to its end. Runs are stored in the database, so any
   * server can continue them. `agent_id` and `request_id`: see MemoryService; secrets are redacted in every text.
   * </pre>
   */
  public static abstract class RunServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return RunServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service RunService.
   * <pre>
   * Runs: the short-term memory of an agent, from the start of a run to its end. Runs are stored in the database, so any
   * server can continue them. `agent_id` and `request_id`: see MemoryService; secrets are redacted in every text.
   * </pre>
   */
  public static final class RunServiceStub
      extends io.grpc.stub.AbstractAsyncStub<RunServiceStub> {
    private RunServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected RunServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new RunServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * Starts a run and returns the context for its start.
     * </pre>
     */
    public void startRun(dev.camillo.v1.StartRunRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.StartRunResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getStartRunMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Adds a round: calls and answers since the previous one.
     * </pre>
     */
    public void appendRun(dev.camillo.v1.AppendRunRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.AppendRunResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getAppendRunMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Adds an instruction, which is never cut from the rendering.
     * </pre>
     */
    public void injectInstruction(dev.camillo.v1.InjectInstructionRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.InjectInstructionResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getInjectInstructionMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Renders the run as a text for a prompt: trigger, focus, instructions and the last three rounds in full, each older
     * round in a sentence. Rounds beyond the budget are cut, oldest first. BUDGET_TOO_SMALL if the parts that are never
     * cut exceed it.
     * </pre>
     */
    public void renderRun(dev.camillo.v1.RenderRunRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.RenderRunResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getRenderRunMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists the agent's active runs, last started first, in pages. Ended runs are not kept.
     * </pre>
     */
    public void listRuns(dev.camillo.v1.ListRunsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListRunsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListRunsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Ends a run. Its content is deleted, except for distilled memories.
     * </pre>
     */
    public void endRun(dev.camillo.v1.EndRunRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.EndRunResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getEndRunMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service RunService.
   * <pre>
   * Runs: the short-term memory of an agent, from the start of a run to its end. Runs are stored in the database, so any
   * server can continue them. `agent_id` and `request_id`: see MemoryService; secrets are redacted in every text.
   * </pre>
   */
  public static final class RunServiceBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<RunServiceBlockingV2Stub> {
    private RunServiceBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected RunServiceBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new RunServiceBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * Starts a run and returns the context for its start.
     * </pre>
     */
    public dev.camillo.v1.StartRunResponse startRun(dev.camillo.v1.StartRunRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getStartRunMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Adds a round: calls and answers since the previous one.
     * </pre>
     */
    public dev.camillo.v1.AppendRunResponse appendRun(dev.camillo.v1.AppendRunRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getAppendRunMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Adds an instruction, which is never cut from the rendering.
     * </pre>
     */
    public dev.camillo.v1.InjectInstructionResponse injectInstruction(dev.camillo.v1.InjectInstructionRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getInjectInstructionMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Renders the run as a text for a prompt: trigger, focus, instructions and the last three rounds in full, each older
     * round in a sentence. Rounds beyond the budget are cut, oldest first. BUDGET_TOO_SMALL if the parts that are never
     * cut exceed it.
     * </pre>
     */
    public dev.camillo.v1.RenderRunResponse renderRun(dev.camillo.v1.RenderRunRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getRenderRunMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the agent's active runs, last started first, in pages. Ended runs are not kept.
     * </pre>
     */
    public dev.camillo.v1.ListRunsResponse listRuns(dev.camillo.v1.ListRunsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListRunsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Ends a run. Its content is deleted, except for distilled memories.
     * </pre>
     */
    public dev.camillo.v1.EndRunResponse endRun(dev.camillo.v1.EndRunRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getEndRunMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service RunService.
   * <pre>
   * Runs: the short-term memory of an agent, from the start of a run to its end. Runs are stored in the database, so any
   * server can continue them. `agent_id` and `request_id`: see MemoryService; secrets are redacted in every text.
   * </pre>
   */
  public static final class RunServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<RunServiceBlockingStub> {
    private RunServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected RunServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new RunServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * Starts a run and returns the context for its start.
     * </pre>
     */
    public dev.camillo.v1.StartRunResponse startRun(dev.camillo.v1.StartRunRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getStartRunMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Adds a round: calls and answers since the previous one.
     * </pre>
     */
    public dev.camillo.v1.AppendRunResponse appendRun(dev.camillo.v1.AppendRunRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getAppendRunMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Adds an instruction, which is never cut from the rendering.
     * </pre>
     */
    public dev.camillo.v1.InjectInstructionResponse injectInstruction(dev.camillo.v1.InjectInstructionRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getInjectInstructionMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Renders the run as a text for a prompt: trigger, focus, instructions and the last three rounds in full, each older
     * round in a sentence. Rounds beyond the budget are cut, oldest first. BUDGET_TOO_SMALL if the parts that are never
     * cut exceed it.
     * </pre>
     */
    public dev.camillo.v1.RenderRunResponse renderRun(dev.camillo.v1.RenderRunRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getRenderRunMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the agent's active runs, last started first, in pages. Ended runs are not kept.
     * </pre>
     */
    public dev.camillo.v1.ListRunsResponse listRuns(dev.camillo.v1.ListRunsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListRunsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Ends a run. Its content is deleted, except for distilled memories.
     * </pre>
     */
    public dev.camillo.v1.EndRunResponse endRun(dev.camillo.v1.EndRunRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getEndRunMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service RunService.
   * <pre>
   * Runs: the short-term memory of an agent, from the start of a run to its end. Runs are stored in the database, so any
   * server can continue them. `agent_id` and `request_id`: see MemoryService; secrets are redacted in every text.
   * </pre>
   */
  public static final class RunServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<RunServiceFutureStub> {
    private RunServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected RunServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new RunServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * Starts a run and returns the context for its start.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.StartRunResponse> startRun(
        dev.camillo.v1.StartRunRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getStartRunMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Adds a round: calls and answers since the previous one.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.AppendRunResponse> appendRun(
        dev.camillo.v1.AppendRunRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getAppendRunMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Adds an instruction, which is never cut from the rendering.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.InjectInstructionResponse> injectInstruction(
        dev.camillo.v1.InjectInstructionRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getInjectInstructionMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Renders the run as a text for a prompt: trigger, focus, instructions and the last three rounds in full, each older
     * round in a sentence. Rounds beyond the budget are cut, oldest first. BUDGET_TOO_SMALL if the parts that are never
     * cut exceed it.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.RenderRunResponse> renderRun(
        dev.camillo.v1.RenderRunRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getRenderRunMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists the agent's active runs, last started first, in pages. Ended runs are not kept.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.ListRunsResponse> listRuns(
        dev.camillo.v1.ListRunsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListRunsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Ends a run. Its content is deleted, except for distilled memories.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.EndRunResponse> endRun(
        dev.camillo.v1.EndRunRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getEndRunMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_START_RUN = 0;
  private static final int METHODID_APPEND_RUN = 1;
  private static final int METHODID_INJECT_INSTRUCTION = 2;
  private static final int METHODID_RENDER_RUN = 3;
  private static final int METHODID_LIST_RUNS = 4;
  private static final int METHODID_END_RUN = 5;

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
        case METHODID_START_RUN:
          serviceImpl.startRun((dev.camillo.v1.StartRunRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.StartRunResponse>) responseObserver);
          break;
        case METHODID_APPEND_RUN:
          serviceImpl.appendRun((dev.camillo.v1.AppendRunRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.AppendRunResponse>) responseObserver);
          break;
        case METHODID_INJECT_INSTRUCTION:
          serviceImpl.injectInstruction((dev.camillo.v1.InjectInstructionRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.InjectInstructionResponse>) responseObserver);
          break;
        case METHODID_RENDER_RUN:
          serviceImpl.renderRun((dev.camillo.v1.RenderRunRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.RenderRunResponse>) responseObserver);
          break;
        case METHODID_LIST_RUNS:
          serviceImpl.listRuns((dev.camillo.v1.ListRunsRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ListRunsResponse>) responseObserver);
          break;
        case METHODID_END_RUN:
          serviceImpl.endRun((dev.camillo.v1.EndRunRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.EndRunResponse>) responseObserver);
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
          getStartRunMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.StartRunRequest,
              dev.camillo.v1.StartRunResponse>(
                service, METHODID_START_RUN)))
        .addMethod(
          getAppendRunMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.AppendRunRequest,
              dev.camillo.v1.AppendRunResponse>(
                service, METHODID_APPEND_RUN)))
        .addMethod(
          getInjectInstructionMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.InjectInstructionRequest,
              dev.camillo.v1.InjectInstructionResponse>(
                service, METHODID_INJECT_INSTRUCTION)))
        .addMethod(
          getRenderRunMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.RenderRunRequest,
              dev.camillo.v1.RenderRunResponse>(
                service, METHODID_RENDER_RUN)))
        .addMethod(
          getListRunsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.ListRunsRequest,
              dev.camillo.v1.ListRunsResponse>(
                service, METHODID_LIST_RUNS)))
        .addMethod(
          getEndRunMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.EndRunRequest,
              dev.camillo.v1.EndRunResponse>(
                service, METHODID_END_RUN)))
        .build();
  }

  private static abstract class RunServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    RunServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return dev.camillo.v1.RunServiceOuterClass.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("RunService");
    }
  }

  private static final class RunServiceFileDescriptorSupplier
      extends RunServiceBaseDescriptorSupplier {
    RunServiceFileDescriptorSupplier() {}
  }

  private static final class RunServiceMethodDescriptorSupplier
      extends RunServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    RunServiceMethodDescriptorSupplier(java.lang.String methodName) {
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
      synchronized (RunServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new RunServiceFileDescriptorSupplier())
              .addMethod(getStartRunMethod())
              .addMethod(getAppendRunMethod())
              .addMethod(getInjectInstructionMethod())
              .addMethod(getRenderRunMethod())
              .addMethod(getListRunsMethod())
              .addMethod(getEndRunMethod())
              .build();
        }
      }
    }
    return result;
  }
}
