package dev.camillo.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * The audit trail of a tenant: every change that a call or a background job made, who asked for it, and proof that
 * nothing was removed from it or altered.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class AuditServiceGrpc {

  private AuditServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "camillo.v1.AuditService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ListAuditEntriesRequest,
      dev.camillo.v1.ListAuditEntriesResponse> getListAuditEntriesMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListAuditEntries",
      requestType = dev.camillo.v1.ListAuditEntriesRequest.class,
      responseType = dev.camillo.v1.ListAuditEntriesResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ListAuditEntriesRequest,
      dev.camillo.v1.ListAuditEntriesResponse> getListAuditEntriesMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ListAuditEntriesRequest, dev.camillo.v1.ListAuditEntriesResponse> getListAuditEntriesMethod;
    if ((getListAuditEntriesMethod = AuditServiceGrpc.getListAuditEntriesMethod) == null) {
      synchronized (AuditServiceGrpc.class) {
        if ((getListAuditEntriesMethod = AuditServiceGrpc.getListAuditEntriesMethod) == null) {
          AuditServiceGrpc.getListAuditEntriesMethod = getListAuditEntriesMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ListAuditEntriesRequest, dev.camillo.v1.ListAuditEntriesResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListAuditEntries"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListAuditEntriesRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListAuditEntriesResponse.getDefaultInstance()))
              .setSchemaDescriptor(new AuditServiceMethodDescriptorSupplier("ListAuditEntries"))
              .build();
        }
      }
    }
    return getListAuditEntriesMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.WatchAuditRequest,
      dev.camillo.v1.WatchAuditResponse> getWatchAuditMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "WatchAudit",
      requestType = dev.camillo.v1.WatchAuditRequest.class,
      responseType = dev.camillo.v1.WatchAuditResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.WatchAuditRequest,
      dev.camillo.v1.WatchAuditResponse> getWatchAuditMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.WatchAuditRequest, dev.camillo.v1.WatchAuditResponse> getWatchAuditMethod;
    if ((getWatchAuditMethod = AuditServiceGrpc.getWatchAuditMethod) == null) {
      synchronized (AuditServiceGrpc.class) {
        if ((getWatchAuditMethod = AuditServiceGrpc.getWatchAuditMethod) == null) {
          AuditServiceGrpc.getWatchAuditMethod = getWatchAuditMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.WatchAuditRequest, dev.camillo.v1.WatchAuditResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "WatchAudit"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.WatchAuditRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.WatchAuditResponse.getDefaultInstance()))
              .setSchemaDescriptor(new AuditServiceMethodDescriptorSupplier("WatchAudit"))
              .build();
        }
      }
    }
    return getWatchAuditMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.RecordAuditEntryRequest,
      dev.camillo.v1.RecordAuditEntryResponse> getRecordAuditEntryMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "RecordAuditEntry",
      requestType = dev.camillo.v1.RecordAuditEntryRequest.class,
      responseType = dev.camillo.v1.RecordAuditEntryResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.RecordAuditEntryRequest,
      dev.camillo.v1.RecordAuditEntryResponse> getRecordAuditEntryMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.RecordAuditEntryRequest, dev.camillo.v1.RecordAuditEntryResponse> getRecordAuditEntryMethod;
    if ((getRecordAuditEntryMethod = AuditServiceGrpc.getRecordAuditEntryMethod) == null) {
      synchronized (AuditServiceGrpc.class) {
        if ((getRecordAuditEntryMethod = AuditServiceGrpc.getRecordAuditEntryMethod) == null) {
          AuditServiceGrpc.getRecordAuditEntryMethod = getRecordAuditEntryMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.RecordAuditEntryRequest, dev.camillo.v1.RecordAuditEntryResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "RecordAuditEntry"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.RecordAuditEntryRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.RecordAuditEntryResponse.getDefaultInstance()))
              .setSchemaDescriptor(new AuditServiceMethodDescriptorSupplier("RecordAuditEntry"))
              .build();
        }
      }
    }
    return getRecordAuditEntryMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.GetAuditPolicyRequest,
      dev.camillo.v1.GetAuditPolicyResponse> getGetAuditPolicyMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetAuditPolicy",
      requestType = dev.camillo.v1.GetAuditPolicyRequest.class,
      responseType = dev.camillo.v1.GetAuditPolicyResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.GetAuditPolicyRequest,
      dev.camillo.v1.GetAuditPolicyResponse> getGetAuditPolicyMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.GetAuditPolicyRequest, dev.camillo.v1.GetAuditPolicyResponse> getGetAuditPolicyMethod;
    if ((getGetAuditPolicyMethod = AuditServiceGrpc.getGetAuditPolicyMethod) == null) {
      synchronized (AuditServiceGrpc.class) {
        if ((getGetAuditPolicyMethod = AuditServiceGrpc.getGetAuditPolicyMethod) == null) {
          AuditServiceGrpc.getGetAuditPolicyMethod = getGetAuditPolicyMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.GetAuditPolicyRequest, dev.camillo.v1.GetAuditPolicyResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetAuditPolicy"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.GetAuditPolicyRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.GetAuditPolicyResponse.getDefaultInstance()))
              .setSchemaDescriptor(new AuditServiceMethodDescriptorSupplier("GetAuditPolicy"))
              .build();
        }
      }
    }
    return getGetAuditPolicyMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.SetAuditPolicyRequest,
      dev.camillo.v1.SetAuditPolicyResponse> getSetAuditPolicyMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "SetAuditPolicy",
      requestType = dev.camillo.v1.SetAuditPolicyRequest.class,
      responseType = dev.camillo.v1.SetAuditPolicyResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.SetAuditPolicyRequest,
      dev.camillo.v1.SetAuditPolicyResponse> getSetAuditPolicyMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.SetAuditPolicyRequest, dev.camillo.v1.SetAuditPolicyResponse> getSetAuditPolicyMethod;
    if ((getSetAuditPolicyMethod = AuditServiceGrpc.getSetAuditPolicyMethod) == null) {
      synchronized (AuditServiceGrpc.class) {
        if ((getSetAuditPolicyMethod = AuditServiceGrpc.getSetAuditPolicyMethod) == null) {
          AuditServiceGrpc.getSetAuditPolicyMethod = getSetAuditPolicyMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.SetAuditPolicyRequest, dev.camillo.v1.SetAuditPolicyResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "SetAuditPolicy"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.SetAuditPolicyRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.SetAuditPolicyResponse.getDefaultInstance()))
              .setSchemaDescriptor(new AuditServiceMethodDescriptorSupplier("SetAuditPolicy"))
              .build();
        }
      }
    }
    return getSetAuditPolicyMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.VerifyAuditRequest,
      dev.camillo.v1.VerifyAuditResponse> getVerifyAuditMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "VerifyAudit",
      requestType = dev.camillo.v1.VerifyAuditRequest.class,
      responseType = dev.camillo.v1.VerifyAuditResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.VerifyAuditRequest,
      dev.camillo.v1.VerifyAuditResponse> getVerifyAuditMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.VerifyAuditRequest, dev.camillo.v1.VerifyAuditResponse> getVerifyAuditMethod;
    if ((getVerifyAuditMethod = AuditServiceGrpc.getVerifyAuditMethod) == null) {
      synchronized (AuditServiceGrpc.class) {
        if ((getVerifyAuditMethod = AuditServiceGrpc.getVerifyAuditMethod) == null) {
          AuditServiceGrpc.getVerifyAuditMethod = getVerifyAuditMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.VerifyAuditRequest, dev.camillo.v1.VerifyAuditResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "VerifyAudit"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.VerifyAuditRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.VerifyAuditResponse.getDefaultInstance()))
              .setSchemaDescriptor(new AuditServiceMethodDescriptorSupplier("VerifyAudit"))
              .build();
        }
      }
    }
    return getVerifyAuditMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static AuditServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<AuditServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<AuditServiceStub>() {
        @java.lang.Override
        public AuditServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new AuditServiceStub(channel, callOptions);
        }
      };
    return AuditServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static AuditServiceBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<AuditServiceBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<AuditServiceBlockingV2Stub>() {
        @java.lang.Override
        public AuditServiceBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new AuditServiceBlockingV2Stub(channel, callOptions);
        }
      };
    return AuditServiceBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static AuditServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<AuditServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<AuditServiceBlockingStub>() {
        @java.lang.Override
        public AuditServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new AuditServiceBlockingStub(channel, callOptions);
        }
      };
    return AuditServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static AuditServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<AuditServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<AuditServiceFutureStub>() {
        @java.lang.Override
        public AuditServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new AuditServiceFutureStub(channel, callOptions);
        }
      };
    return AuditServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * The audit trail of a tenant: every change that a call or a background job made, who asked for it, and proof that
   * nothing was removed from it or altered.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * Lists entries that pass a filter, last committed first, in pages.
     * </pre>
     */
    default void listAuditEntries(dev.camillo.v1.ListAuditEntriesRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListAuditEntriesResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListAuditEntriesMethod(), responseObserver);
    }

    /**
     * <pre>
     * Streams entries that pass a filter in commit order, without end: each exactly once.
     * </pre>
     */
    default void watchAudit(dev.camillo.v1.WatchAuditRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.WatchAuditResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getWatchAuditMethod(), responseObserver);
    }

    /**
     * <pre>
     * Records an action of an agent runtime. Agents of the tenant that accept handoffs from the acting agent find it by
     * Recall with SOURCE_AUDIT.
     * </pre>
     */
    default void recordAuditEntry(dev.camillo.v1.RecordAuditEntryRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.RecordAuditEntryResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getRecordAuditEntryMethod(), responseObserver);
    }

    /**
     * <pre>
     * Returns how long the tenant keeps entries, and whether reads are recorded.
     * </pre>
     */
    default void getAuditPolicy(dev.camillo.v1.GetAuditPolicyRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.GetAuditPolicyResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetAuditPolicyMethod(), responseObserver);
    }

    /**
     * <pre>
     * Changes the tenant's audit policy.
     * </pre>
     */
    default void setAuditPolicy(dev.camillo.v1.SetAuditPolicyRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.SetAuditPolicyResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getSetAuditPolicyMethod(), responseObserver);
    }

    /**
     * <pre>
     * Verifies the hashes of every chain of the tenant: a message for each chain, by agent.
     * </pre>
     */
    default void verifyAudit(dev.camillo.v1.VerifyAuditRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.VerifyAuditResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getVerifyAuditMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service AuditService.
   * <pre>
   * The audit trail of a tenant: every change that a call or a background job made, who asked for it, and proof that
   * nothing was removed from it or altered.
   * </pre>
   */
  public static abstract class AuditServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return AuditServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service AuditService.
   * <pre>
   * The audit trail of a tenant: every change that a call or a background job made, who asked for it, and proof that
   * nothing was removed from it or altered.
   * </pre>
   */
  public static final class AuditServiceStub
      extends io.grpc.stub.AbstractAsyncStub<AuditServiceStub> {
    private AuditServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected AuditServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new AuditServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * Lists entries that pass a filter, last committed first, in pages.
     * </pre>
     */
    public void listAuditEntries(dev.camillo.v1.ListAuditEntriesRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListAuditEntriesResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListAuditEntriesMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Streams entries that pass a filter in commit order, without end: each exactly once.
     * </pre>
     */
    public void watchAudit(dev.camillo.v1.WatchAuditRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.WatchAuditResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncServerStreamingCall(
          getChannel().newCall(getWatchAuditMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Records an action of an agent runtime. Agents of the tenant that accept handoffs from the acting agent find it by
     * Recall with SOURCE_AUDIT.
     * </pre>
     */
    public void recordAuditEntry(dev.camillo.v1.RecordAuditEntryRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.RecordAuditEntryResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getRecordAuditEntryMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Returns how long the tenant keeps entries, and whether reads are recorded.
     * </pre>
     */
    public void getAuditPolicy(dev.camillo.v1.GetAuditPolicyRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.GetAuditPolicyResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetAuditPolicyMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Changes the tenant's audit policy.
     * </pre>
     */
    public void setAuditPolicy(dev.camillo.v1.SetAuditPolicyRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.SetAuditPolicyResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getSetAuditPolicyMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Verifies the hashes of every chain of the tenant: a message for each chain, by agent.
     * </pre>
     */
    public void verifyAudit(dev.camillo.v1.VerifyAuditRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.VerifyAuditResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncServerStreamingCall(
          getChannel().newCall(getVerifyAuditMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service AuditService.
   * <pre>
   * The audit trail of a tenant: every change that a call or a background job made, who asked for it, and proof that
   * nothing was removed from it or altered.
   * </pre>
   */
  public static final class AuditServiceBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<AuditServiceBlockingV2Stub> {
    private AuditServiceBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected AuditServiceBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new AuditServiceBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * Lists entries that pass a filter, last committed first, in pages.
     * </pre>
     */
    public dev.camillo.v1.ListAuditEntriesResponse listAuditEntries(dev.camillo.v1.ListAuditEntriesRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListAuditEntriesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Streams entries that pass a filter in commit order, without end: each exactly once.
     * </pre>
     */
    @io.grpc.ExperimentalApi("https://github.com/grpc/grpc-java/issues/10918")
    public io.grpc.stub.BlockingClientCall<?, dev.camillo.v1.WatchAuditResponse>
        watchAudit(dev.camillo.v1.WatchAuditRequest request) {
      return io.grpc.stub.ClientCalls.blockingV2ServerStreamingCall(
          getChannel(), getWatchAuditMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Records an action of an agent runtime. Agents of the tenant that accept handoffs from the acting agent find it by
     * Recall with SOURCE_AUDIT.
     * </pre>
     */
    public dev.camillo.v1.RecordAuditEntryResponse recordAuditEntry(dev.camillo.v1.RecordAuditEntryRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getRecordAuditEntryMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Returns how long the tenant keeps entries, and whether reads are recorded.
     * </pre>
     */
    public dev.camillo.v1.GetAuditPolicyResponse getAuditPolicy(dev.camillo.v1.GetAuditPolicyRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getGetAuditPolicyMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Changes the tenant's audit policy.
     * </pre>
     */
    public dev.camillo.v1.SetAuditPolicyResponse setAuditPolicy(dev.camillo.v1.SetAuditPolicyRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getSetAuditPolicyMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Verifies the hashes of every chain of the tenant: a message for each chain, by agent.
     * </pre>
     */
    @io.grpc.ExperimentalApi("https://github.com/grpc/grpc-java/issues/10918")
    public io.grpc.stub.BlockingClientCall<?, dev.camillo.v1.VerifyAuditResponse>
        verifyAudit(dev.camillo.v1.VerifyAuditRequest request) {
      return io.grpc.stub.ClientCalls.blockingV2ServerStreamingCall(
          getChannel(), getVerifyAuditMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service AuditService.
   * <pre>
   * The audit trail of a tenant: every change that a call or a background job made, who asked for it, and proof that
   * nothing was removed from it or altered.
   * </pre>
   */
  public static final class AuditServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<AuditServiceBlockingStub> {
    private AuditServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected AuditServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new AuditServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * Lists entries that pass a filter, last committed first, in pages.
     * </pre>
     */
    public dev.camillo.v1.ListAuditEntriesResponse listAuditEntries(dev.camillo.v1.ListAuditEntriesRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListAuditEntriesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Streams entries that pass a filter in commit order, without end: each exactly once.
     * </pre>
     */
    public java.util.Iterator<dev.camillo.v1.WatchAuditResponse> watchAudit(
        dev.camillo.v1.WatchAuditRequest request) {
      return io.grpc.stub.ClientCalls.blockingServerStreamingCall(
          getChannel(), getWatchAuditMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Records an action of an agent runtime. Agents of the tenant that accept handoffs from the acting agent find it by
     * Recall with SOURCE_AUDIT.
     * </pre>
     */
    public dev.camillo.v1.RecordAuditEntryResponse recordAuditEntry(dev.camillo.v1.RecordAuditEntryRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getRecordAuditEntryMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Returns how long the tenant keeps entries, and whether reads are recorded.
     * </pre>
     */
    public dev.camillo.v1.GetAuditPolicyResponse getAuditPolicy(dev.camillo.v1.GetAuditPolicyRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetAuditPolicyMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Changes the tenant's audit policy.
     * </pre>
     */
    public dev.camillo.v1.SetAuditPolicyResponse setAuditPolicy(dev.camillo.v1.SetAuditPolicyRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getSetAuditPolicyMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Verifies the hashes of every chain of the tenant: a message for each chain, by agent.
     * </pre>
     */
    public java.util.Iterator<dev.camillo.v1.VerifyAuditResponse> verifyAudit(
        dev.camillo.v1.VerifyAuditRequest request) {
      return io.grpc.stub.ClientCalls.blockingServerStreamingCall(
          getChannel(), getVerifyAuditMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service AuditService.
   * <pre>
   * The audit trail of a tenant: every change that a call or a background job made, who asked for it, and proof that
   * nothing was removed from it or altered.
   * </pre>
   */
  public static final class AuditServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<AuditServiceFutureStub> {
    private AuditServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected AuditServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new AuditServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * Lists entries that pass a filter, last committed first, in pages.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.ListAuditEntriesResponse> listAuditEntries(
        dev.camillo.v1.ListAuditEntriesRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListAuditEntriesMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Records an action of an agent runtime. Agents of the tenant that accept handoffs from the acting agent find it by
     * Recall with SOURCE_AUDIT.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.RecordAuditEntryResponse> recordAuditEntry(
        dev.camillo.v1.RecordAuditEntryRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getRecordAuditEntryMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Returns how long the tenant keeps entries, and whether reads are recorded.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.GetAuditPolicyResponse> getAuditPolicy(
        dev.camillo.v1.GetAuditPolicyRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetAuditPolicyMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Changes the tenant's audit policy.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.SetAuditPolicyResponse> setAuditPolicy(
        dev.camillo.v1.SetAuditPolicyRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getSetAuditPolicyMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_LIST_AUDIT_ENTRIES = 0;
  private static final int METHODID_WATCH_AUDIT = 1;
  private static final int METHODID_RECORD_AUDIT_ENTRY = 2;
  private static final int METHODID_GET_AUDIT_POLICY = 3;
  private static final int METHODID_SET_AUDIT_POLICY = 4;
  private static final int METHODID_VERIFY_AUDIT = 5;

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
        case METHODID_LIST_AUDIT_ENTRIES:
          serviceImpl.listAuditEntries((dev.camillo.v1.ListAuditEntriesRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ListAuditEntriesResponse>) responseObserver);
          break;
        case METHODID_WATCH_AUDIT:
          serviceImpl.watchAudit((dev.camillo.v1.WatchAuditRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.WatchAuditResponse>) responseObserver);
          break;
        case METHODID_RECORD_AUDIT_ENTRY:
          serviceImpl.recordAuditEntry((dev.camillo.v1.RecordAuditEntryRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.RecordAuditEntryResponse>) responseObserver);
          break;
        case METHODID_GET_AUDIT_POLICY:
          serviceImpl.getAuditPolicy((dev.camillo.v1.GetAuditPolicyRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.GetAuditPolicyResponse>) responseObserver);
          break;
        case METHODID_SET_AUDIT_POLICY:
          serviceImpl.setAuditPolicy((dev.camillo.v1.SetAuditPolicyRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.SetAuditPolicyResponse>) responseObserver);
          break;
        case METHODID_VERIFY_AUDIT:
          serviceImpl.verifyAudit((dev.camillo.v1.VerifyAuditRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.VerifyAuditResponse>) responseObserver);
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
          getListAuditEntriesMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.ListAuditEntriesRequest,
              dev.camillo.v1.ListAuditEntriesResponse>(
                service, METHODID_LIST_AUDIT_ENTRIES)))
        .addMethod(
          getWatchAuditMethod(),
          io.grpc.stub.ServerCalls.asyncServerStreamingCall(
            new MethodHandlers<
              dev.camillo.v1.WatchAuditRequest,
              dev.camillo.v1.WatchAuditResponse>(
                service, METHODID_WATCH_AUDIT)))
        .addMethod(
          getRecordAuditEntryMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.RecordAuditEntryRequest,
              dev.camillo.v1.RecordAuditEntryResponse>(
                service, METHODID_RECORD_AUDIT_ENTRY)))
        .addMethod(
          getGetAuditPolicyMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.GetAuditPolicyRequest,
              dev.camillo.v1.GetAuditPolicyResponse>(
                service, METHODID_GET_AUDIT_POLICY)))
        .addMethod(
          getSetAuditPolicyMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.SetAuditPolicyRequest,
              dev.camillo.v1.SetAuditPolicyResponse>(
                service, METHODID_SET_AUDIT_POLICY)))
        .addMethod(
          getVerifyAuditMethod(),
          io.grpc.stub.ServerCalls.asyncServerStreamingCall(
            new MethodHandlers<
              dev.camillo.v1.VerifyAuditRequest,
              dev.camillo.v1.VerifyAuditResponse>(
                service, METHODID_VERIFY_AUDIT)))
        .build();
  }

  private static abstract class AuditServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    AuditServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return dev.camillo.v1.AuditServiceOuterClass.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("AuditService");
    }
  }

  private static final class AuditServiceFileDescriptorSupplier
      extends AuditServiceBaseDescriptorSupplier {
    AuditServiceFileDescriptorSupplier() {}
  }

  private static final class AuditServiceMethodDescriptorSupplier
      extends AuditServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    AuditServiceMethodDescriptorSupplier(java.lang.String methodName) {
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
      synchronized (AuditServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new AuditServiceFileDescriptorSupplier())
              .addMethod(getListAuditEntriesMethod())
              .addMethod(getWatchAuditMethod())
              .addMethod(getRecordAuditEntryMethod())
              .addMethod(getGetAuditPolicyMethod())
              .addMethod(getSetAuditPolicyMethod())
              .addMethod(getVerifyAuditMethod())
              .build();
        }
      }
    }
    return result;
  }
}
