package dev.camillo.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * Events: what an agent was told and did. Append-only: events never change, and only forgetting removes them, or a value
 * from them, with a receipt.
 * `agent_id`, `request_id` and secrets: see MemoryService. Reads omit events that the channel may not load.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class EventServiceGrpc {

  private EventServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "camillo.v1.EventService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.RecordEventRequest,
      dev.camillo.v1.RecordEventResponse> getRecordEventMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "RecordEvent",
      requestType = dev.camillo.v1.RecordEventRequest.class,
      responseType = dev.camillo.v1.RecordEventResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.RecordEventRequest,
      dev.camillo.v1.RecordEventResponse> getRecordEventMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.RecordEventRequest, dev.camillo.v1.RecordEventResponse> getRecordEventMethod;
    if ((getRecordEventMethod = EventServiceGrpc.getRecordEventMethod) == null) {
      synchronized (EventServiceGrpc.class) {
        if ((getRecordEventMethod = EventServiceGrpc.getRecordEventMethod) == null) {
          EventServiceGrpc.getRecordEventMethod = getRecordEventMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.RecordEventRequest, dev.camillo.v1.RecordEventResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "RecordEvent"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.RecordEventRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.RecordEventResponse.getDefaultInstance()))
              .setSchemaDescriptor(new EventServiceMethodDescriptorSupplier("RecordEvent"))
              .build();
        }
      }
    }
    return getRecordEventMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.BatchRecordEventsRequest,
      dev.camillo.v1.BatchRecordEventsResponse> getBatchRecordEventsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "BatchRecordEvents",
      requestType = dev.camillo.v1.BatchRecordEventsRequest.class,
      responseType = dev.camillo.v1.BatchRecordEventsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.BatchRecordEventsRequest,
      dev.camillo.v1.BatchRecordEventsResponse> getBatchRecordEventsMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.BatchRecordEventsRequest, dev.camillo.v1.BatchRecordEventsResponse> getBatchRecordEventsMethod;
    if ((getBatchRecordEventsMethod = EventServiceGrpc.getBatchRecordEventsMethod) == null) {
      synchronized (EventServiceGrpc.class) {
        if ((getBatchRecordEventsMethod = EventServiceGrpc.getBatchRecordEventsMethod) == null) {
          EventServiceGrpc.getBatchRecordEventsMethod = getBatchRecordEventsMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.BatchRecordEventsRequest, dev.camillo.v1.BatchRecordEventsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "BatchRecordEvents"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.BatchRecordEventsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.BatchRecordEventsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new EventServiceMethodDescriptorSupplier("BatchRecordEvents"))
              .build();
        }
      }
    }
    return getBatchRecordEventsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.GetEventRequest,
      dev.camillo.v1.GetEventResponse> getGetEventMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetEvent",
      requestType = dev.camillo.v1.GetEventRequest.class,
      responseType = dev.camillo.v1.GetEventResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.GetEventRequest,
      dev.camillo.v1.GetEventResponse> getGetEventMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.GetEventRequest, dev.camillo.v1.GetEventResponse> getGetEventMethod;
    if ((getGetEventMethod = EventServiceGrpc.getGetEventMethod) == null) {
      synchronized (EventServiceGrpc.class) {
        if ((getGetEventMethod = EventServiceGrpc.getGetEventMethod) == null) {
          EventServiceGrpc.getGetEventMethod = getGetEventMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.GetEventRequest, dev.camillo.v1.GetEventResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetEvent"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.GetEventRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.GetEventResponse.getDefaultInstance()))
              .setSchemaDescriptor(new EventServiceMethodDescriptorSupplier("GetEvent"))
              .build();
        }
      }
    }
    return getGetEventMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ListEventsRequest,
      dev.camillo.v1.ListEventsResponse> getListEventsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListEvents",
      requestType = dev.camillo.v1.ListEventsRequest.class,
      responseType = dev.camillo.v1.ListEventsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ListEventsRequest,
      dev.camillo.v1.ListEventsResponse> getListEventsMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ListEventsRequest, dev.camillo.v1.ListEventsResponse> getListEventsMethod;
    if ((getListEventsMethod = EventServiceGrpc.getListEventsMethod) == null) {
      synchronized (EventServiceGrpc.class) {
        if ((getListEventsMethod = EventServiceGrpc.getListEventsMethod) == null) {
          EventServiceGrpc.getListEventsMethod = getListEventsMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ListEventsRequest, dev.camillo.v1.ListEventsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListEvents"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListEventsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListEventsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new EventServiceMethodDescriptorSupplier("ListEvents"))
              .build();
        }
      }
    }
    return getListEventsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ListWorkflowRequest,
      dev.camillo.v1.ListWorkflowResponse> getListWorkflowMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListWorkflow",
      requestType = dev.camillo.v1.ListWorkflowRequest.class,
      responseType = dev.camillo.v1.ListWorkflowResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ListWorkflowRequest,
      dev.camillo.v1.ListWorkflowResponse> getListWorkflowMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ListWorkflowRequest, dev.camillo.v1.ListWorkflowResponse> getListWorkflowMethod;
    if ((getListWorkflowMethod = EventServiceGrpc.getListWorkflowMethod) == null) {
      synchronized (EventServiceGrpc.class) {
        if ((getListWorkflowMethod = EventServiceGrpc.getListWorkflowMethod) == null) {
          EventServiceGrpc.getListWorkflowMethod = getListWorkflowMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ListWorkflowRequest, dev.camillo.v1.ListWorkflowResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListWorkflow"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListWorkflowRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListWorkflowResponse.getDefaultInstance()))
              .setSchemaDescriptor(new EventServiceMethodDescriptorSupplier("ListWorkflow"))
              .build();
        }
      }
    }
    return getListWorkflowMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.WatchEventsRequest,
      dev.camillo.v1.WatchEventsResponse> getWatchEventsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "WatchEvents",
      requestType = dev.camillo.v1.WatchEventsRequest.class,
      responseType = dev.camillo.v1.WatchEventsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.WatchEventsRequest,
      dev.camillo.v1.WatchEventsResponse> getWatchEventsMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.WatchEventsRequest, dev.camillo.v1.WatchEventsResponse> getWatchEventsMethod;
    if ((getWatchEventsMethod = EventServiceGrpc.getWatchEventsMethod) == null) {
      synchronized (EventServiceGrpc.class) {
        if ((getWatchEventsMethod = EventServiceGrpc.getWatchEventsMethod) == null) {
          EventServiceGrpc.getWatchEventsMethod = getWatchEventsMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.WatchEventsRequest, dev.camillo.v1.WatchEventsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "WatchEvents"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.WatchEventsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.WatchEventsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new EventServiceMethodDescriptorSupplier("WatchEvents"))
              .build();
        }
      }
    }
    return getWatchEventsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ForgetEventsRequest,
      dev.camillo.v1.ForgetEventsResponse> getForgetEventsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ForgetEvents",
      requestType = dev.camillo.v1.ForgetEventsRequest.class,
      responseType = dev.camillo.v1.ForgetEventsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ForgetEventsRequest,
      dev.camillo.v1.ForgetEventsResponse> getForgetEventsMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ForgetEventsRequest, dev.camillo.v1.ForgetEventsResponse> getForgetEventsMethod;
    if ((getForgetEventsMethod = EventServiceGrpc.getForgetEventsMethod) == null) {
      synchronized (EventServiceGrpc.class) {
        if ((getForgetEventsMethod = EventServiceGrpc.getForgetEventsMethod) == null) {
          EventServiceGrpc.getForgetEventsMethod = getForgetEventsMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ForgetEventsRequest, dev.camillo.v1.ForgetEventsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ForgetEvents"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ForgetEventsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ForgetEventsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new EventServiceMethodDescriptorSupplier("ForgetEvents"))
              .build();
        }
      }
    }
    return getForgetEventsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.RebuildChunksRequest,
      dev.camillo.v1.RebuildChunksResponse> getRebuildChunksMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "RebuildChunks",
      requestType = dev.camillo.v1.RebuildChunksRequest.class,
      responseType = dev.camillo.v1.RebuildChunksResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.RebuildChunksRequest,
      dev.camillo.v1.RebuildChunksResponse> getRebuildChunksMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.RebuildChunksRequest, dev.camillo.v1.RebuildChunksResponse> getRebuildChunksMethod;
    if ((getRebuildChunksMethod = EventServiceGrpc.getRebuildChunksMethod) == null) {
      synchronized (EventServiceGrpc.class) {
        if ((getRebuildChunksMethod = EventServiceGrpc.getRebuildChunksMethod) == null) {
          EventServiceGrpc.getRebuildChunksMethod = getRebuildChunksMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.RebuildChunksRequest, dev.camillo.v1.RebuildChunksResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "RebuildChunks"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.RebuildChunksRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.RebuildChunksResponse.getDefaultInstance()))
              .setSchemaDescriptor(new EventServiceMethodDescriptorSupplier("RebuildChunks"))
              .build();
        }
      }
    }
    return getRebuildChunksMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static EventServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<EventServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<EventServiceStub>() {
        @java.lang.Override
        public EventServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new EventServiceStub(channel, callOptions);
        }
      };
    return EventServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static EventServiceBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<EventServiceBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<EventServiceBlockingV2Stub>() {
        @java.lang.Override
        public EventServiceBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new EventServiceBlockingV2Stub(channel, callOptions);
        }
      };
    return EventServiceBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static EventServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<EventServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<EventServiceBlockingStub>() {
        @java.lang.Override
        public EventServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new EventServiceBlockingStub(channel, callOptions);
        }
      };
    return EventServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static EventServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<EventServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<EventServiceFutureStub>() {
        @java.lang.Override
        public EventServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new EventServiceFutureStub(channel, callOptions);
        }
      };
    return EventServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * Events: what an agent was told and did. Append-only: events never change, and only forgetting removes them, or a value
   * from them, with a receipt.
   * `agent_id`, `request_id` and secrets: see MemoryService. Reads omit events that the channel may not load.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * Stores one event. When the call returns, it is committed, cut into chunks and found by keyword; soon after, by
     * meaning.
     * </pre>
     */
    default void recordEvent(dev.camillo.v1.RecordEventRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.RecordEventResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getRecordEventMethod(), responseObserver);
    }

    /**
     * <pre>
     * Stores up to 1,000 events, in this order, in one transaction. One that breaks a limit fails alone; the others
     * commit together. Results are in the order given.
     * </pre>
     */
    default void batchRecordEvents(dev.camillo.v1.BatchRecordEventsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.BatchRecordEventsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getBatchRecordEventsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Returns one event.
     * </pre>
     */
    default void getEvent(dev.camillo.v1.GetEventRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.GetEventResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetEventMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists events that pass a filter, in the order of recording, in pages.
     * </pre>
     */
    default void listEvents(dev.camillo.v1.ListEventsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListEventsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListEventsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists the steps of a workflow, the agent's and the tenant's shared ones, in chronological order, in pages.
     * </pre>
     */
    default void listWorkflow(dev.camillo.v1.ListWorkflowRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListWorkflowResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListWorkflowMethod(), responseObserver);
    }

    /**
     * <pre>
     * Streams the events of a space in the order of recording, from a position that the caller names.
     * </pre>
     */
    default void watchEvents(dev.camillo.v1.WatchEventsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.WatchEventsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getWatchEventsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Removes events for good, with everything that was derived from them.
     * </pre>
     */
    default void forgetEvents(dev.camillo.v1.ForgetEventsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ForgetEventsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getForgetEventsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Rebuilds every chunk of the space from its events, decisions, slots, artifacts, actions and documents. Changes no
     * answer.
     * </pre>
     */
    default void rebuildChunks(dev.camillo.v1.RebuildChunksRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.RebuildChunksResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getRebuildChunksMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service EventService.
   * <pre>
   * Events: what an agent was told and did. Append-only: events never change, and only forgetting removes them, or a value
   * from them, with a receipt.
   * `agent_id`, `request_id` and secrets: see MemoryService. Reads omit events that the channel may not load.
   * </pre>
   */
  public static abstract class EventServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return EventServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service EventService.
   * <pre>
   * Events: what an agent was told and did. Append-only: events never change, and only forgetting removes them, or a value
   * from them, with a receipt.
   * `agent_id`, `request_id` and secrets: see MemoryService. Reads omit events that the channel may not load.
   * </pre>
   */
  public static final class EventServiceStub
      extends io.grpc.stub.AbstractAsyncStub<EventServiceStub> {
    private EventServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected EventServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new EventServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * Stores one event. When the call returns, it is committed, cut into chunks and found by keyword; soon after, by
     * meaning.
     * </pre>
     */
    public void recordEvent(dev.camillo.v1.RecordEventRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.RecordEventResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getRecordEventMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Stores up to 1,000 events, in this order, in one transaction. One that breaks a limit fails alone; the others
     * commit together. Results are in the order given.
     * </pre>
     */
    public void batchRecordEvents(dev.camillo.v1.BatchRecordEventsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.BatchRecordEventsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getBatchRecordEventsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Returns one event.
     * </pre>
     */
    public void getEvent(dev.camillo.v1.GetEventRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.GetEventResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetEventMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists events that pass a filter, in the order of recording, in pages.
     * </pre>
     */
    public void listEvents(dev.camillo.v1.ListEventsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListEventsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListEventsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists the steps of a workflow, the agent's and the tenant's shared ones, in chronological order, in pages.
     * </pre>
     */
    public void listWorkflow(dev.camillo.v1.ListWorkflowRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListWorkflowResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListWorkflowMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Streams the events of a space in the order of recording, from a position that the caller names.
     * </pre>
     */
    public void watchEvents(dev.camillo.v1.WatchEventsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.WatchEventsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncServerStreamingCall(
          getChannel().newCall(getWatchEventsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Removes events for good, with everything that was derived from them.
     * </pre>
     */
    public void forgetEvents(dev.camillo.v1.ForgetEventsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ForgetEventsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getForgetEventsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Rebuilds every chunk of the space from its events, decisions, slots, artifacts, actions and documents. Changes no
     * answer.
     * </pre>
     */
    public void rebuildChunks(dev.camillo.v1.RebuildChunksRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.RebuildChunksResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getRebuildChunksMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service EventService.
   * <pre>
   * Events: what an agent was told and did. Append-only: events never change, and only forgetting removes them, or a value
   * from them, with a receipt.
   * `agent_id`, `request_id` and secrets: see MemoryService. Reads omit events that the channel may not load.
   * </pre>
   */
  public static final class EventServiceBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<EventServiceBlockingV2Stub> {
    private EventServiceBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected EventServiceBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new EventServiceBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * Stores one event. When the call returns, it is committed, cut into chunks and found by keyword; soon after, by
     * meaning.
     * </pre>
     */
    public dev.camillo.v1.RecordEventResponse recordEvent(dev.camillo.v1.RecordEventRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getRecordEventMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Stores up to 1,000 events, in this order, in one transaction. One that breaks a limit fails alone; the others
     * commit together. Results are in the order given.
     * </pre>
     */
    public dev.camillo.v1.BatchRecordEventsResponse batchRecordEvents(dev.camillo.v1.BatchRecordEventsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getBatchRecordEventsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Returns one event.
     * </pre>
     */
    public dev.camillo.v1.GetEventResponse getEvent(dev.camillo.v1.GetEventRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getGetEventMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists events that pass a filter, in the order of recording, in pages.
     * </pre>
     */
    public dev.camillo.v1.ListEventsResponse listEvents(dev.camillo.v1.ListEventsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListEventsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the steps of a workflow, the agent's and the tenant's shared ones, in chronological order, in pages.
     * </pre>
     */
    public dev.camillo.v1.ListWorkflowResponse listWorkflow(dev.camillo.v1.ListWorkflowRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListWorkflowMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Streams the events of a space in the order of recording, from a position that the caller names.
     * </pre>
     */
    @io.grpc.ExperimentalApi("https://github.com/grpc/grpc-java/issues/10918")
    public io.grpc.stub.BlockingClientCall<?, dev.camillo.v1.WatchEventsResponse>
        watchEvents(dev.camillo.v1.WatchEventsRequest request) {
      return io.grpc.stub.ClientCalls.blockingV2ServerStreamingCall(
          getChannel(), getWatchEventsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Removes events for good, with everything that was derived from them.
     * </pre>
     */
    public dev.camillo.v1.ForgetEventsResponse forgetEvents(dev.camillo.v1.ForgetEventsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getForgetEventsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Rebuilds every chunk of the space from its events, decisions, slots, artifacts, actions and documents. Changes no
     * answer.
     * </pre>
     */
    public dev.camillo.v1.RebuildChunksResponse rebuildChunks(dev.camillo.v1.RebuildChunksRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getRebuildChunksMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service EventService.
   * <pre>
   * Events: what an agent was told and did. Append-only: events never change, and only forgetting removes them, or a value
   * from them, with a receipt.
   * `agent_id`, `request_id` and secrets: see MemoryService. Reads omit events that the channel may not load.
   * </pre>
   */
  public static final class EventServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<EventServiceBlockingStub> {
    private EventServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected EventServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new EventServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * Stores one event. When the call returns, it is committed, cut into chunks and found by keyword; soon after, by
     * meaning.
     * </pre>
     */
    public dev.camillo.v1.RecordEventResponse recordEvent(dev.camillo.v1.RecordEventRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getRecordEventMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Stores up to 1,000 events, in this order, in one transaction. One that breaks a limit fails alone; the others
     * commit together. Results are in the order given.
     * </pre>
     */
    public dev.camillo.v1.BatchRecordEventsResponse batchRecordEvents(dev.camillo.v1.BatchRecordEventsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getBatchRecordEventsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Returns one event.
     * </pre>
     */
    public dev.camillo.v1.GetEventResponse getEvent(dev.camillo.v1.GetEventRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetEventMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists events that pass a filter, in the order of recording, in pages.
     * </pre>
     */
    public dev.camillo.v1.ListEventsResponse listEvents(dev.camillo.v1.ListEventsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListEventsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the steps of a workflow, the agent's and the tenant's shared ones, in chronological order, in pages.
     * </pre>
     */
    public dev.camillo.v1.ListWorkflowResponse listWorkflow(dev.camillo.v1.ListWorkflowRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListWorkflowMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Streams the events of a space in the order of recording, from a position that the caller names.
     * </pre>
     */
    public java.util.Iterator<dev.camillo.v1.WatchEventsResponse> watchEvents(
        dev.camillo.v1.WatchEventsRequest request) {
      return io.grpc.stub.ClientCalls.blockingServerStreamingCall(
          getChannel(), getWatchEventsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Removes events for good, with everything that was derived from them.
     * </pre>
     */
    public dev.camillo.v1.ForgetEventsResponse forgetEvents(dev.camillo.v1.ForgetEventsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getForgetEventsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Rebuilds every chunk of the space from its events, decisions, slots, artifacts, actions and documents. Changes no
     * answer.
     * </pre>
     */
    public dev.camillo.v1.RebuildChunksResponse rebuildChunks(dev.camillo.v1.RebuildChunksRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getRebuildChunksMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service EventService.
   * <pre>
   * Events: what an agent was told and did. Append-only: events never change, and only forgetting removes them, or a value
   * from them, with a receipt.
   * `agent_id`, `request_id` and secrets: see MemoryService. Reads omit events that the channel may not load.
   * </pre>
   */
  public static final class EventServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<EventServiceFutureStub> {
    private EventServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected EventServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new EventServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * Stores one event. When the call returns, it is committed, cut into chunks and found by keyword; soon after, by
     * meaning.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.RecordEventResponse> recordEvent(
        dev.camillo.v1.RecordEventRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getRecordEventMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Stores up to 1,000 events, in this order, in one transaction. One that breaks a limit fails alone; the others
     * commit together. Results are in the order given.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.BatchRecordEventsResponse> batchRecordEvents(
        dev.camillo.v1.BatchRecordEventsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getBatchRecordEventsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Returns one event.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.GetEventResponse> getEvent(
        dev.camillo.v1.GetEventRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetEventMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists events that pass a filter, in the order of recording, in pages.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.ListEventsResponse> listEvents(
        dev.camillo.v1.ListEventsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListEventsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists the steps of a workflow, the agent's and the tenant's shared ones, in chronological order, in pages.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.ListWorkflowResponse> listWorkflow(
        dev.camillo.v1.ListWorkflowRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListWorkflowMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Removes events for good, with everything that was derived from them.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.ForgetEventsResponse> forgetEvents(
        dev.camillo.v1.ForgetEventsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getForgetEventsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Rebuilds every chunk of the space from its events, decisions, slots, artifacts, actions and documents. Changes no
     * answer.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.RebuildChunksResponse> rebuildChunks(
        dev.camillo.v1.RebuildChunksRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getRebuildChunksMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_RECORD_EVENT = 0;
  private static final int METHODID_BATCH_RECORD_EVENTS = 1;
  private static final int METHODID_GET_EVENT = 2;
  private static final int METHODID_LIST_EVENTS = 3;
  private static final int METHODID_LIST_WORKFLOW = 4;
  private static final int METHODID_WATCH_EVENTS = 5;
  private static final int METHODID_FORGET_EVENTS = 6;
  private static final int METHODID_REBUILD_CHUNKS = 7;

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
        case METHODID_RECORD_EVENT:
          serviceImpl.recordEvent((dev.camillo.v1.RecordEventRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.RecordEventResponse>) responseObserver);
          break;
        case METHODID_BATCH_RECORD_EVENTS:
          serviceImpl.batchRecordEvents((dev.camillo.v1.BatchRecordEventsRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.BatchRecordEventsResponse>) responseObserver);
          break;
        case METHODID_GET_EVENT:
          serviceImpl.getEvent((dev.camillo.v1.GetEventRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.GetEventResponse>) responseObserver);
          break;
        case METHODID_LIST_EVENTS:
          serviceImpl.listEvents((dev.camillo.v1.ListEventsRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ListEventsResponse>) responseObserver);
          break;
        case METHODID_LIST_WORKFLOW:
          serviceImpl.listWorkflow((dev.camillo.v1.ListWorkflowRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ListWorkflowResponse>) responseObserver);
          break;
        case METHODID_WATCH_EVENTS:
          serviceImpl.watchEvents((dev.camillo.v1.WatchEventsRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.WatchEventsResponse>) responseObserver);
          break;
        case METHODID_FORGET_EVENTS:
          serviceImpl.forgetEvents((dev.camillo.v1.ForgetEventsRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ForgetEventsResponse>) responseObserver);
          break;
        case METHODID_REBUILD_CHUNKS:
          serviceImpl.rebuildChunks((dev.camillo.v1.RebuildChunksRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.RebuildChunksResponse>) responseObserver);
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
          getRecordEventMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.RecordEventRequest,
              dev.camillo.v1.RecordEventResponse>(
                service, METHODID_RECORD_EVENT)))
        .addMethod(
          getBatchRecordEventsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.BatchRecordEventsRequest,
              dev.camillo.v1.BatchRecordEventsResponse>(
                service, METHODID_BATCH_RECORD_EVENTS)))
        .addMethod(
          getGetEventMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.GetEventRequest,
              dev.camillo.v1.GetEventResponse>(
                service, METHODID_GET_EVENT)))
        .addMethod(
          getListEventsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.ListEventsRequest,
              dev.camillo.v1.ListEventsResponse>(
                service, METHODID_LIST_EVENTS)))
        .addMethod(
          getListWorkflowMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.ListWorkflowRequest,
              dev.camillo.v1.ListWorkflowResponse>(
                service, METHODID_LIST_WORKFLOW)))
        .addMethod(
          getWatchEventsMethod(),
          io.grpc.stub.ServerCalls.asyncServerStreamingCall(
            new MethodHandlers<
              dev.camillo.v1.WatchEventsRequest,
              dev.camillo.v1.WatchEventsResponse>(
                service, METHODID_WATCH_EVENTS)))
        .addMethod(
          getForgetEventsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.ForgetEventsRequest,
              dev.camillo.v1.ForgetEventsResponse>(
                service, METHODID_FORGET_EVENTS)))
        .addMethod(
          getRebuildChunksMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.RebuildChunksRequest,
              dev.camillo.v1.RebuildChunksResponse>(
                service, METHODID_REBUILD_CHUNKS)))
        .build();
  }

  private static abstract class EventServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    EventServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return dev.camillo.v1.EventServiceOuterClass.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("EventService");
    }
  }

  private static final class EventServiceFileDescriptorSupplier
      extends EventServiceBaseDescriptorSupplier {
    EventServiceFileDescriptorSupplier() {}
  }

  private static final class EventServiceMethodDescriptorSupplier
      extends EventServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    EventServiceMethodDescriptorSupplier(java.lang.String methodName) {
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
      synchronized (EventServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new EventServiceFileDescriptorSupplier())
              .addMethod(getRecordEventMethod())
              .addMethod(getBatchRecordEventsMethod())
              .addMethod(getGetEventMethod())
              .addMethod(getListEventsMethod())
              .addMethod(getListWorkflowMethod())
              .addMethod(getWatchEventsMethod())
              .addMethod(getForgetEventsMethod())
              .addMethod(getRebuildChunksMethod())
              .build();
        }
      }
    }
    return result;
  }
}
