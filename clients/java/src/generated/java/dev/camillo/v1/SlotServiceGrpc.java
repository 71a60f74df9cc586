package dev.camillo.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * Slots: JSON values by key, like files by path. The last write of a key wins, and every version stays in its history
 * until the slot is forgotten (LifecycleService.Forget).
 * A key is 1 to 1,024 bytes in UTF-8: `/`, then up to 32 names separated by `/`. It is stored in Unicode's
 * normalization form C, without repeated and trailing slashes; upper and lower case differ. A name is neither `.` nor
 * `..`, and has no control characters and no line breaks. A key with a secret is refused.
 * `agent_id` and `request_id`: see MemoryService. A call is about one space: the agent's own, or with `shared` the
 * tenant's shared one, which every agent may read and an operator writes as the agent `&#64;shared`.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class SlotServiceGrpc {

  private SlotServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "camillo.v1.SlotService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.SetMemoryRequest,
      dev.camillo.v1.SetMemoryResponse> getSetMemoryMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "SetMemory",
      requestType = dev.camillo.v1.SetMemoryRequest.class,
      responseType = dev.camillo.v1.SetMemoryResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.SetMemoryRequest,
      dev.camillo.v1.SetMemoryResponse> getSetMemoryMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.SetMemoryRequest, dev.camillo.v1.SetMemoryResponse> getSetMemoryMethod;
    if ((getSetMemoryMethod = SlotServiceGrpc.getSetMemoryMethod) == null) {
      synchronized (SlotServiceGrpc.class) {
        if ((getSetMemoryMethod = SlotServiceGrpc.getSetMemoryMethod) == null) {
          SlotServiceGrpc.getSetMemoryMethod = getSetMemoryMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.SetMemoryRequest, dev.camillo.v1.SetMemoryResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "SetMemory"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.SetMemoryRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.SetMemoryResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SlotServiceMethodDescriptorSupplier("SetMemory"))
              .build();
        }
      }
    }
    return getSetMemoryMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.BatchSetMemoryRequest,
      dev.camillo.v1.BatchSetMemoryResponse> getBatchSetMemoryMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "BatchSetMemory",
      requestType = dev.camillo.v1.BatchSetMemoryRequest.class,
      responseType = dev.camillo.v1.BatchSetMemoryResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.BatchSetMemoryRequest,
      dev.camillo.v1.BatchSetMemoryResponse> getBatchSetMemoryMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.BatchSetMemoryRequest, dev.camillo.v1.BatchSetMemoryResponse> getBatchSetMemoryMethod;
    if ((getBatchSetMemoryMethod = SlotServiceGrpc.getBatchSetMemoryMethod) == null) {
      synchronized (SlotServiceGrpc.class) {
        if ((getBatchSetMemoryMethod = SlotServiceGrpc.getBatchSetMemoryMethod) == null) {
          SlotServiceGrpc.getBatchSetMemoryMethod = getBatchSetMemoryMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.BatchSetMemoryRequest, dev.camillo.v1.BatchSetMemoryResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "BatchSetMemory"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.BatchSetMemoryRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.BatchSetMemoryResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SlotServiceMethodDescriptorSupplier("BatchSetMemory"))
              .build();
        }
      }
    }
    return getBatchSetMemoryMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.GetSlotRequest,
      dev.camillo.v1.GetSlotResponse> getGetSlotMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetSlot",
      requestType = dev.camillo.v1.GetSlotRequest.class,
      responseType = dev.camillo.v1.GetSlotResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.GetSlotRequest,
      dev.camillo.v1.GetSlotResponse> getGetSlotMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.GetSlotRequest, dev.camillo.v1.GetSlotResponse> getGetSlotMethod;
    if ((getGetSlotMethod = SlotServiceGrpc.getGetSlotMethod) == null) {
      synchronized (SlotServiceGrpc.class) {
        if ((getGetSlotMethod = SlotServiceGrpc.getGetSlotMethod) == null) {
          SlotServiceGrpc.getGetSlotMethod = getGetSlotMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.GetSlotRequest, dev.camillo.v1.GetSlotResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetSlot"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.GetSlotRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.GetSlotResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SlotServiceMethodDescriptorSupplier("GetSlot"))
              .build();
        }
      }
    }
    return getGetSlotMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ListSlotsRequest,
      dev.camillo.v1.ListSlotsResponse> getListSlotsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListSlots",
      requestType = dev.camillo.v1.ListSlotsRequest.class,
      responseType = dev.camillo.v1.ListSlotsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ListSlotsRequest,
      dev.camillo.v1.ListSlotsResponse> getListSlotsMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ListSlotsRequest, dev.camillo.v1.ListSlotsResponse> getListSlotsMethod;
    if ((getListSlotsMethod = SlotServiceGrpc.getListSlotsMethod) == null) {
      synchronized (SlotServiceGrpc.class) {
        if ((getListSlotsMethod = SlotServiceGrpc.getListSlotsMethod) == null) {
          SlotServiceGrpc.getListSlotsMethod = getListSlotsMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ListSlotsRequest, dev.camillo.v1.ListSlotsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListSlots"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListSlotsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListSlotsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SlotServiceMethodDescriptorSupplier("ListSlots"))
              .build();
        }
      }
    }
    return getListSlotsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ListSlotHistoryRequest,
      dev.camillo.v1.ListSlotHistoryResponse> getListSlotHistoryMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListSlotHistory",
      requestType = dev.camillo.v1.ListSlotHistoryRequest.class,
      responseType = dev.camillo.v1.ListSlotHistoryResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ListSlotHistoryRequest,
      dev.camillo.v1.ListSlotHistoryResponse> getListSlotHistoryMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ListSlotHistoryRequest, dev.camillo.v1.ListSlotHistoryResponse> getListSlotHistoryMethod;
    if ((getListSlotHistoryMethod = SlotServiceGrpc.getListSlotHistoryMethod) == null) {
      synchronized (SlotServiceGrpc.class) {
        if ((getListSlotHistoryMethod = SlotServiceGrpc.getListSlotHistoryMethod) == null) {
          SlotServiceGrpc.getListSlotHistoryMethod = getListSlotHistoryMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ListSlotHistoryRequest, dev.camillo.v1.ListSlotHistoryResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListSlotHistory"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListSlotHistoryRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListSlotHistoryResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SlotServiceMethodDescriptorSupplier("ListSlotHistory"))
              .build();
        }
      }
    }
    return getListSlotHistoryMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.WatchSlotsRequest,
      dev.camillo.v1.WatchSlotsResponse> getWatchSlotsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "WatchSlots",
      requestType = dev.camillo.v1.WatchSlotsRequest.class,
      responseType = dev.camillo.v1.WatchSlotsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.WatchSlotsRequest,
      dev.camillo.v1.WatchSlotsResponse> getWatchSlotsMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.WatchSlotsRequest, dev.camillo.v1.WatchSlotsResponse> getWatchSlotsMethod;
    if ((getWatchSlotsMethod = SlotServiceGrpc.getWatchSlotsMethod) == null) {
      synchronized (SlotServiceGrpc.class) {
        if ((getWatchSlotsMethod = SlotServiceGrpc.getWatchSlotsMethod) == null) {
          SlotServiceGrpc.getWatchSlotsMethod = getWatchSlotsMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.WatchSlotsRequest, dev.camillo.v1.WatchSlotsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "WatchSlots"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.WatchSlotsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.WatchSlotsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SlotServiceMethodDescriptorSupplier("WatchSlots"))
              .build();
        }
      }
    }
    return getWatchSlotsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ExportSlotsRequest,
      dev.camillo.v1.ExportSlotsResponse> getExportSlotsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ExportSlots",
      requestType = dev.camillo.v1.ExportSlotsRequest.class,
      responseType = dev.camillo.v1.ExportSlotsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ExportSlotsRequest,
      dev.camillo.v1.ExportSlotsResponse> getExportSlotsMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ExportSlotsRequest, dev.camillo.v1.ExportSlotsResponse> getExportSlotsMethod;
    if ((getExportSlotsMethod = SlotServiceGrpc.getExportSlotsMethod) == null) {
      synchronized (SlotServiceGrpc.class) {
        if ((getExportSlotsMethod = SlotServiceGrpc.getExportSlotsMethod) == null) {
          SlotServiceGrpc.getExportSlotsMethod = getExportSlotsMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ExportSlotsRequest, dev.camillo.v1.ExportSlotsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ExportSlots"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ExportSlotsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ExportSlotsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SlotServiceMethodDescriptorSupplier("ExportSlots"))
              .build();
        }
      }
    }
    return getExportSlotsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.RestoreSlotRequest,
      dev.camillo.v1.RestoreSlotResponse> getRestoreSlotMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "RestoreSlot",
      requestType = dev.camillo.v1.RestoreSlotRequest.class,
      responseType = dev.camillo.v1.RestoreSlotResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.RestoreSlotRequest,
      dev.camillo.v1.RestoreSlotResponse> getRestoreSlotMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.RestoreSlotRequest, dev.camillo.v1.RestoreSlotResponse> getRestoreSlotMethod;
    if ((getRestoreSlotMethod = SlotServiceGrpc.getRestoreSlotMethod) == null) {
      synchronized (SlotServiceGrpc.class) {
        if ((getRestoreSlotMethod = SlotServiceGrpc.getRestoreSlotMethod) == null) {
          SlotServiceGrpc.getRestoreSlotMethod = getRestoreSlotMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.RestoreSlotRequest, dev.camillo.v1.RestoreSlotResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "RestoreSlot"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.RestoreSlotRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.RestoreSlotResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SlotServiceMethodDescriptorSupplier("RestoreSlot"))
              .build();
        }
      }
    }
    return getRestoreSlotMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static SlotServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<SlotServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<SlotServiceStub>() {
        @java.lang.Override
        public SlotServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new SlotServiceStub(channel, callOptions);
        }
      };
    return SlotServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static SlotServiceBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<SlotServiceBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<SlotServiceBlockingV2Stub>() {
        @java.lang.Override
        public SlotServiceBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new SlotServiceBlockingV2Stub(channel, callOptions);
        }
      };
    return SlotServiceBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static SlotServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<SlotServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<SlotServiceBlockingStub>() {
        @java.lang.Override
        public SlotServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new SlotServiceBlockingStub(channel, callOptions);
        }
      };
    return SlotServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static SlotServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<SlotServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<SlotServiceFutureStub>() {
        @java.lang.Override
        public SlotServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new SlotServiceFutureStub(channel, callOptions);
        }
      };
    return SlotServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * Slots: JSON values by key, like files by path. The last write of a key wins, and every version stays in its history
   * until the slot is forgotten (LifecycleService.Forget).
   * A key is 1 to 1,024 bytes in UTF-8: `/`, then up to 32 names separated by `/`. It is stored in Unicode's
   * normalization form C, without repeated and trailing slashes; upper and lower case differ. A name is neither `.` nor
   * `..`, and has no control characters and no line breaks. A key with a secret is refused.
   * `agent_id` and `request_id`: see MemoryService. A call is about one space: the agent's own, or with `shared` the
   * tenant's shared one, which every agent may read and an operator writes as the agent `&#64;shared`.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * Writes content under a key, or with `null` a tombstone.
     * </pre>
     */
    default void setMemory(dev.camillo.v1.SetMemoryRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.SetMemoryResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getSetMemoryMethod(), responseObserver);
    }

    /**
     * <pre>
     * Writes up to 100 versions in this order, all or none, at one revision and with one `updated_at`. A repeated key
     * gets several versions.
     * </pre>
     */
    default void batchSetMemory(dev.camillo.v1.BatchSetMemoryRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.BatchSetMemoryResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getBatchSetMemoryMethod(), responseObserver);
    }

    /**
     * <pre>
     * Returns the newest version of a slot. One without content, or that the channel may not load, is not found.
     * </pre>
     */
    default void getSlot(dev.camillo.v1.GetSlotRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.GetSlotResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetSlotMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists the slots below a prefix, or one level of them, like a directory.
     * </pre>
     */
    default void listSlots(dev.camillo.v1.ListSlotsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListSlotsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListSlotsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists the versions of a slot, newest first, including tombstones.
     * </pre>
     */
    default void listSlotHistory(dev.camillo.v1.ListSlotHistoryRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListSlotHistoryResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListSlotHistoryMethod(), responseObserver);
    }

    /**
     * <pre>
     * Streams every version of a space's slots in the order of revisions, from a position that the caller names, and
     * which slots were forgotten. A caller that applies every message has the slots and their history.
     * </pre>
     */
    default void watchSlots(dev.camillo.v1.WatchSlotsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.WatchSlotsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getWatchSlotsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Streams every version of a space's slots at `revision`, in the order in which they were written, or only the newest
     * of each. Slots forgotten meanwhile are omitted. WatchSlots after that revision returns the changes. A caller that
     * reads no message for long gets STREAM_IDLE, and resumes with `next_page_token`.
     * </pre>
     */
    default void exportSlots(dev.camillo.v1.ExportSlotsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ExportSlotsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getExportSlotsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Writes the content of an earlier version again, as the newest one.
     * </pre>
     */
    default void restoreSlot(dev.camillo.v1.RestoreSlotRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.RestoreSlotResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getRestoreSlotMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service SlotService.
   * <pre>
   * Slots: JSON values by key, like files by path. The last write of a key wins, and every version stays in its history
   * until the slot is forgotten (LifecycleService.Forget).
   * A key is 1 to 1,024 bytes in UTF-8: `/`, then up to 32 names separated by `/`. It is stored in Unicode's
   * normalization form C, without repeated and trailing slashes; upper and lower case differ. A name is neither `.` nor
   * `..`, and has no control characters and no line breaks. A key with a secret is refused.
   * `agent_id` and `request_id`: see MemoryService. A call is about one space: the agent's own, or with `shared` the
   * tenant's shared one, which every agent may read and an operator writes as the agent `&#64;shared`.
   * </pre>
   */
  public static abstract class SlotServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return SlotServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service SlotService.
   * <pre>
   * Slots: JSON values by key, like files by path. The last write of a key wins, and every version stays in its history
   * until the slot is forgotten (LifecycleService.Forget).
   * A key is 1 to 1,024 bytes in UTF-8: `/`, then up to 32 names separated by `/`. It is stored in Unicode's
   * normalization form C, without repeated and trailing slashes; upper and lower case differ. A name is neither `.` nor
   * `..`, and has no control characters and no line breaks. A key with a secret is refused.
   * `agent_id` and `request_id`: see MemoryService. A call is about one space: the agent's own, or with `shared` the
   * tenant's shared one, which every agent may read and an operator writes as the agent `&#64;shared`.
   * </pre>
   */
  public static final class SlotServiceStub
      extends io.grpc.stub.AbstractAsyncStub<SlotServiceStub> {
    private SlotServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected SlotServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new SlotServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * Writes content under a key, or with `null` a tombstone.
     * </pre>
     */
    public void setMemory(dev.camillo.v1.SetMemoryRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.SetMemoryResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getSetMemoryMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Writes up to 100 versions in this order, all or none, at one revision and with one `updated_at`. A repeated key
     * gets several versions.
     * </pre>
     */
    public void batchSetMemory(dev.camillo.v1.BatchSetMemoryRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.BatchSetMemoryResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getBatchSetMemoryMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Returns the newest version of a slot. One without content, or that the channel may not load, is not found.
     * </pre>
     */
    public void getSlot(dev.camillo.v1.GetSlotRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.GetSlotResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetSlotMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists the slots below a prefix, or one level of them, like a directory.
     * </pre>
     */
    public void listSlots(dev.camillo.v1.ListSlotsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListSlotsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListSlotsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists the versions of a slot, newest first, including tombstones.
     * </pre>
     */
    public void listSlotHistory(dev.camillo.v1.ListSlotHistoryRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListSlotHistoryResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListSlotHistoryMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Streams every version of a space's slots in the order of revisions, from a position that the caller names, and
     * which slots were forgotten. A caller that applies every message has the slots and their history.
     * </pre>
     */
    public void watchSlots(dev.camillo.v1.WatchSlotsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.WatchSlotsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncServerStreamingCall(
          getChannel().newCall(getWatchSlotsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Streams every version of a space's slots at `revision`, in the order in which they were written, or only the newest
     * of each. Slots forgotten meanwhile are omitted. WatchSlots after that revision returns the changes. A caller that
     * reads no message for long gets STREAM_IDLE, and resumes with `next_page_token`.
     * </pre>
     */
    public void exportSlots(dev.camillo.v1.ExportSlotsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ExportSlotsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncServerStreamingCall(
          getChannel().newCall(getExportSlotsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Writes the content of an earlier version again, as the newest one.
     * </pre>
     */
    public void restoreSlot(dev.camillo.v1.RestoreSlotRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.RestoreSlotResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getRestoreSlotMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service SlotService.
   * <pre>
   * Slots: JSON values by key, like files by path. The last write of a key wins, and every version stays in its history
   * until the slot is forgotten (LifecycleService.Forget).
   * A key is 1 to 1,024 bytes in UTF-8: `/`, then up to 32 names separated by `/`. It is stored in Unicode's
   * normalization form C, without repeated and trailing slashes; upper and lower case differ. A name is neither `.` nor
   * `..`, and has no control characters and no line breaks. A key with a secret is refused.
   * `agent_id` and `request_id`: see MemoryService. A call is about one space: the agent's own, or with `shared` the
   * tenant's shared one, which every agent may read and an operator writes as the agent `&#64;shared`.
   * </pre>
   */
  public static final class SlotServiceBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<SlotServiceBlockingV2Stub> {
    private SlotServiceBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected SlotServiceBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new SlotServiceBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * Writes content under a key, or with `null` a tombstone.
     * </pre>
     */
    public dev.camillo.v1.SetMemoryResponse setMemory(dev.camillo.v1.SetMemoryRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getSetMemoryMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Writes up to 100 versions in this order, all or none, at one revision and with one `updated_at`. A repeated key
     * gets several versions.
     * </pre>
     */
    public dev.camillo.v1.BatchSetMemoryResponse batchSetMemory(dev.camillo.v1.BatchSetMemoryRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getBatchSetMemoryMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Returns the newest version of a slot. One without content, or that the channel may not load, is not found.
     * </pre>
     */
    public dev.camillo.v1.GetSlotResponse getSlot(dev.camillo.v1.GetSlotRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getGetSlotMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the slots below a prefix, or one level of them, like a directory.
     * </pre>
     */
    public dev.camillo.v1.ListSlotsResponse listSlots(dev.camillo.v1.ListSlotsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListSlotsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the versions of a slot, newest first, including tombstones.
     * </pre>
     */
    public dev.camillo.v1.ListSlotHistoryResponse listSlotHistory(dev.camillo.v1.ListSlotHistoryRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListSlotHistoryMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Streams every version of a space's slots in the order of revisions, from a position that the caller names, and
     * which slots were forgotten. A caller that applies every message has the slots and their history.
     * </pre>
     */
    @io.grpc.ExperimentalApi("https://github.com/grpc/grpc-java/issues/10918")
    public io.grpc.stub.BlockingClientCall<?, dev.camillo.v1.WatchSlotsResponse>
        watchSlots(dev.camillo.v1.WatchSlotsRequest request) {
      return io.grpc.stub.ClientCalls.blockingV2ServerStreamingCall(
          getChannel(), getWatchSlotsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Streams every version of a space's slots at `revision`, in the order in which they were written, or only the newest
     * of each. Slots forgotten meanwhile are omitted. WatchSlots after that revision returns the changes. A caller that
     * reads no message for long gets STREAM_IDLE, and resumes with `next_page_token`.
     * </pre>
     */
    @io.grpc.ExperimentalApi("https://github.com/grpc/grpc-java/issues/10918")
    public io.grpc.stub.BlockingClientCall<?, dev.camillo.v1.ExportSlotsResponse>
        exportSlots(dev.camillo.v1.ExportSlotsRequest request) {
      return io.grpc.stub.ClientCalls.blockingV2ServerStreamingCall(
          getChannel(), getExportSlotsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Writes the content of an earlier version again, as the newest one.
     * </pre>
     */
    public dev.camillo.v1.RestoreSlotResponse restoreSlot(dev.camillo.v1.RestoreSlotRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getRestoreSlotMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service SlotService.
   * <pre>
   * Slots: JSON values by key, like files by path. The last write of a key wins, and every version stays in its history
   * until the slot is forgotten (LifecycleService.Forget).
   * A key is 1 to 1,024 bytes in UTF-8: `/`, then up to 32 names separated by `/`. It is stored in Unicode's
   * normalization form C, without repeated and trailing slashes; upper and lower case differ. A name is neither `.` nor
   * `..`, and has no control characters and no line breaks. A key with a secret is refused.
   * `agent_id` and `request_id`: see MemoryService. A call is about one space: the agent's own, or with `shared` the
   * tenant's shared one, which every agent may read and an operator writes as the agent `&#64;shared`.
   * </pre>
   */
  public static final class SlotServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<SlotServiceBlockingStub> {
    private SlotServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected SlotServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new SlotServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * Writes content under a key, or with `null` a tombstone.
     * </pre>
     */
    public dev.camillo.v1.SetMemoryResponse setMemory(dev.camillo.v1.SetMemoryRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getSetMemoryMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Writes up to 100 versions in this order, all or none, at one revision and with one `updated_at`. A repeated key
     * gets several versions.
     * </pre>
     */
    public dev.camillo.v1.BatchSetMemoryResponse batchSetMemory(dev.camillo.v1.BatchSetMemoryRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getBatchSetMemoryMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Returns the newest version of a slot. One without content, or that the channel may not load, is not found.
     * </pre>
     */
    public dev.camillo.v1.GetSlotResponse getSlot(dev.camillo.v1.GetSlotRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetSlotMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the slots below a prefix, or one level of them, like a directory.
     * </pre>
     */
    public dev.camillo.v1.ListSlotsResponse listSlots(dev.camillo.v1.ListSlotsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListSlotsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the versions of a slot, newest first, including tombstones.
     * </pre>
     */
    public dev.camillo.v1.ListSlotHistoryResponse listSlotHistory(dev.camillo.v1.ListSlotHistoryRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListSlotHistoryMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Streams every version of a space's slots in the order of revisions, from a position that the caller names, and
     * which slots were forgotten. A caller that applies every message has the slots and their history.
     * </pre>
     */
    public java.util.Iterator<dev.camillo.v1.WatchSlotsResponse> watchSlots(
        dev.camillo.v1.WatchSlotsRequest request) {
      return io.grpc.stub.ClientCalls.blockingServerStreamingCall(
          getChannel(), getWatchSlotsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Streams every version of a space's slots at `revision`, in the order in which they were written, or only the newest
     * of each. Slots forgotten meanwhile are omitted. WatchSlots after that revision returns the changes. A caller that
     * reads no message for long gets STREAM_IDLE, and resumes with `next_page_token`.
     * </pre>
     */
    public java.util.Iterator<dev.camillo.v1.ExportSlotsResponse> exportSlots(
        dev.camillo.v1.ExportSlotsRequest request) {
      return io.grpc.stub.ClientCalls.blockingServerStreamingCall(
          getChannel(), getExportSlotsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Writes the content of an earlier version again, as the newest one.
     * </pre>
     */
    public dev.camillo.v1.RestoreSlotResponse restoreSlot(dev.camillo.v1.RestoreSlotRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getRestoreSlotMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service SlotService.
   * <pre>
   * Slots: JSON values by key, like files by path. The last write of a key wins, and every version stays in its history
   * until the slot is forgotten (LifecycleService.Forget).
   * A key is 1 to 1,024 bytes in UTF-8: `/`, then up to 32 names separated by `/`. It is stored in Unicode's
   * normalization form C, without repeated and trailing slashes; upper and lower case differ. A name is neither `.` nor
   * `..`, and has no control characters and no line breaks. A key with a secret is refused.
   * `agent_id` and `request_id`: see MemoryService. A call is about one space: the agent's own, or with `shared` the
   * tenant's shared one, which every agent may read and an operator writes as the agent `&#64;shared`.
   * </pre>
   */
  public static final class SlotServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<SlotServiceFutureStub> {
    private SlotServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected SlotServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new SlotServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * Writes content under a key, or with `null` a tombstone.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.SetMemoryResponse> setMemory(
        dev.camillo.v1.SetMemoryRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getSetMemoryMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Writes up to 100 versions in this order, all or none, at one revision and with one `updated_at`. A repeated key
     * gets several versions.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.BatchSetMemoryResponse> batchSetMemory(
        dev.camillo.v1.BatchSetMemoryRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getBatchSetMemoryMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Returns the newest version of a slot. One without content, or that the channel may not load, is not found.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.GetSlotResponse> getSlot(
        dev.camillo.v1.GetSlotRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetSlotMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists the slots below a prefix, or one level of them, like a directory.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.ListSlotsResponse> listSlots(
        dev.camillo.v1.ListSlotsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListSlotsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists the versions of a slot, newest first, including tombstones.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.ListSlotHistoryResponse> listSlotHistory(
        dev.camillo.v1.ListSlotHistoryRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListSlotHistoryMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Writes the content of an earlier version again, as the newest one.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.RestoreSlotResponse> restoreSlot(
        dev.camillo.v1.RestoreSlotRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getRestoreSlotMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_SET_MEMORY = 0;
  private static final int METHODID_BATCH_SET_MEMORY = 1;
  private static final int METHODID_GET_SLOT = 2;
  private static final int METHODID_LIST_SLOTS = 3;
  private static final int METHODID_LIST_SLOT_HISTORY = 4;
  private static final int METHODID_WATCH_SLOTS = 5;
  private static final int METHODID_EXPORT_SLOTS = 6;
  private static final int METHODID_RESTORE_SLOT = 7;

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
        case METHODID_SET_MEMORY:
          serviceImpl.setMemory((dev.camillo.v1.SetMemoryRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.SetMemoryResponse>) responseObserver);
          break;
        case METHODID_BATCH_SET_MEMORY:
          serviceImpl.batchSetMemory((dev.camillo.v1.BatchSetMemoryRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.BatchSetMemoryResponse>) responseObserver);
          break;
        case METHODID_GET_SLOT:
          serviceImpl.getSlot((dev.camillo.v1.GetSlotRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.GetSlotResponse>) responseObserver);
          break;
        case METHODID_LIST_SLOTS:
          serviceImpl.listSlots((dev.camillo.v1.ListSlotsRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ListSlotsResponse>) responseObserver);
          break;
        case METHODID_LIST_SLOT_HISTORY:
          serviceImpl.listSlotHistory((dev.camillo.v1.ListSlotHistoryRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ListSlotHistoryResponse>) responseObserver);
          break;
        case METHODID_WATCH_SLOTS:
          serviceImpl.watchSlots((dev.camillo.v1.WatchSlotsRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.WatchSlotsResponse>) responseObserver);
          break;
        case METHODID_EXPORT_SLOTS:
          serviceImpl.exportSlots((dev.camillo.v1.ExportSlotsRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ExportSlotsResponse>) responseObserver);
          break;
        case METHODID_RESTORE_SLOT:
          serviceImpl.restoreSlot((dev.camillo.v1.RestoreSlotRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.RestoreSlotResponse>) responseObserver);
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
          getSetMemoryMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.SetMemoryRequest,
              dev.camillo.v1.SetMemoryResponse>(
                service, METHODID_SET_MEMORY)))
        .addMethod(
          getBatchSetMemoryMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.BatchSetMemoryRequest,
              dev.camillo.v1.BatchSetMemoryResponse>(
                service, METHODID_BATCH_SET_MEMORY)))
        .addMethod(
          getGetSlotMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.GetSlotRequest,
              dev.camillo.v1.GetSlotResponse>(
                service, METHODID_GET_SLOT)))
        .addMethod(
          getListSlotsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.ListSlotsRequest,
              dev.camillo.v1.ListSlotsResponse>(
                service, METHODID_LIST_SLOTS)))
        .addMethod(
          getListSlotHistoryMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.ListSlotHistoryRequest,
              dev.camillo.v1.ListSlotHistoryResponse>(
                service, METHODID_LIST_SLOT_HISTORY)))
        .addMethod(
          getWatchSlotsMethod(),
          io.grpc.stub.ServerCalls.asyncServerStreamingCall(
            new MethodHandlers<
              dev.camillo.v1.WatchSlotsRequest,
              dev.camillo.v1.WatchSlotsResponse>(
                service, METHODID_WATCH_SLOTS)))
        .addMethod(
          getExportSlotsMethod(),
          io.grpc.stub.ServerCalls.asyncServerStreamingCall(
            new MethodHandlers<
              dev.camillo.v1.ExportSlotsRequest,
              dev.camillo.v1.ExportSlotsResponse>(
                service, METHODID_EXPORT_SLOTS)))
        .addMethod(
          getRestoreSlotMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.RestoreSlotRequest,
              dev.camillo.v1.RestoreSlotResponse>(
                service, METHODID_RESTORE_SLOT)))
        .build();
  }

  private static abstract class SlotServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    SlotServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return dev.camillo.v1.SlotServiceOuterClass.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("SlotService");
    }
  }

  private static final class SlotServiceFileDescriptorSupplier
      extends SlotServiceBaseDescriptorSupplier {
    SlotServiceFileDescriptorSupplier() {}
  }

  private static final class SlotServiceMethodDescriptorSupplier
      extends SlotServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    SlotServiceMethodDescriptorSupplier(java.lang.String methodName) {
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
      synchronized (SlotServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new SlotServiceFileDescriptorSupplier())
              .addMethod(getSetMemoryMethod())
              .addMethod(getBatchSetMemoryMethod())
              .addMethod(getGetSlotMethod())
              .addMethod(getListSlotsMethod())
              .addMethod(getListSlotHistoryMethod())
              .addMethod(getWatchSlotsMethod())
              .addMethod(getExportSlotsMethod())
              .addMethod(getRestoreSlotMethod())
              .build();
        }
      }
    }
    return result;
  }
}
