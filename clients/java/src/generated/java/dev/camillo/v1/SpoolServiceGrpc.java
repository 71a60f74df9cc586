package dev.camillo.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * Writes that were acknowledged while Postgres was unavailable (docs/degradation.md): those that wait, those that
 * failed and why, and the tenant's policy.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class SpoolServiceGrpc {

  private SpoolServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "camillo.v1.SpoolService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ListSpooledRequest,
      dev.camillo.v1.ListSpooledResponse> getListSpooledMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListSpooled",
      requestType = dev.camillo.v1.ListSpooledRequest.class,
      responseType = dev.camillo.v1.ListSpooledResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ListSpooledRequest,
      dev.camillo.v1.ListSpooledResponse> getListSpooledMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ListSpooledRequest, dev.camillo.v1.ListSpooledResponse> getListSpooledMethod;
    if ((getListSpooledMethod = SpoolServiceGrpc.getListSpooledMethod) == null) {
      synchronized (SpoolServiceGrpc.class) {
        if ((getListSpooledMethod = SpoolServiceGrpc.getListSpooledMethod) == null) {
          SpoolServiceGrpc.getListSpooledMethod = getListSpooledMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ListSpooledRequest, dev.camillo.v1.ListSpooledResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListSpooled"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListSpooledRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListSpooledResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SpoolServiceMethodDescriptorSupplier("ListSpooled"))
              .build();
        }
      }
    }
    return getListSpooledMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.RetrySpooledRequest,
      dev.camillo.v1.RetrySpooledResponse> getRetrySpooledMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "RetrySpooled",
      requestType = dev.camillo.v1.RetrySpooledRequest.class,
      responseType = dev.camillo.v1.RetrySpooledResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.RetrySpooledRequest,
      dev.camillo.v1.RetrySpooledResponse> getRetrySpooledMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.RetrySpooledRequest, dev.camillo.v1.RetrySpooledResponse> getRetrySpooledMethod;
    if ((getRetrySpooledMethod = SpoolServiceGrpc.getRetrySpooledMethod) == null) {
      synchronized (SpoolServiceGrpc.class) {
        if ((getRetrySpooledMethod = SpoolServiceGrpc.getRetrySpooledMethod) == null) {
          SpoolServiceGrpc.getRetrySpooledMethod = getRetrySpooledMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.RetrySpooledRequest, dev.camillo.v1.RetrySpooledResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "RetrySpooled"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.RetrySpooledRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.RetrySpooledResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SpoolServiceMethodDescriptorSupplier("RetrySpooled"))
              .build();
        }
      }
    }
    return getRetrySpooledMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.DiscardSpooledRequest,
      dev.camillo.v1.DiscardSpooledResponse> getDiscardSpooledMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "DiscardSpooled",
      requestType = dev.camillo.v1.DiscardSpooledRequest.class,
      responseType = dev.camillo.v1.DiscardSpooledResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.DiscardSpooledRequest,
      dev.camillo.v1.DiscardSpooledResponse> getDiscardSpooledMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.DiscardSpooledRequest, dev.camillo.v1.DiscardSpooledResponse> getDiscardSpooledMethod;
    if ((getDiscardSpooledMethod = SpoolServiceGrpc.getDiscardSpooledMethod) == null) {
      synchronized (SpoolServiceGrpc.class) {
        if ((getDiscardSpooledMethod = SpoolServiceGrpc.getDiscardSpooledMethod) == null) {
          SpoolServiceGrpc.getDiscardSpooledMethod = getDiscardSpooledMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.DiscardSpooledRequest, dev.camillo.v1.DiscardSpooledResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "DiscardSpooled"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.DiscardSpooledRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.DiscardSpooledResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SpoolServiceMethodDescriptorSupplier("DiscardSpooled"))
              .build();
        }
      }
    }
    return getDiscardSpooledMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.GetSpoolPolicyRequest,
      dev.camillo.v1.GetSpoolPolicyResponse> getGetSpoolPolicyMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetSpoolPolicy",
      requestType = dev.camillo.v1.GetSpoolPolicyRequest.class,
      responseType = dev.camillo.v1.GetSpoolPolicyResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.GetSpoolPolicyRequest,
      dev.camillo.v1.GetSpoolPolicyResponse> getGetSpoolPolicyMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.GetSpoolPolicyRequest, dev.camillo.v1.GetSpoolPolicyResponse> getGetSpoolPolicyMethod;
    if ((getGetSpoolPolicyMethod = SpoolServiceGrpc.getGetSpoolPolicyMethod) == null) {
      synchronized (SpoolServiceGrpc.class) {
        if ((getGetSpoolPolicyMethod = SpoolServiceGrpc.getGetSpoolPolicyMethod) == null) {
          SpoolServiceGrpc.getGetSpoolPolicyMethod = getGetSpoolPolicyMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.GetSpoolPolicyRequest, dev.camillo.v1.GetSpoolPolicyResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetSpoolPolicy"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.GetSpoolPolicyRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.GetSpoolPolicyResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SpoolServiceMethodDescriptorSupplier("GetSpoolPolicy"))
              .build();
        }
      }
    }
    return getGetSpoolPolicyMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.SetSpoolPolicyRequest,
      dev.camillo.v1.SetSpoolPolicyResponse> getSetSpoolPolicyMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "SetSpoolPolicy",
      requestType = dev.camillo.v1.SetSpoolPolicyRequest.class,
      responseType = dev.camillo.v1.SetSpoolPolicyResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.SetSpoolPolicyRequest,
      dev.camillo.v1.SetSpoolPolicyResponse> getSetSpoolPolicyMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.SetSpoolPolicyRequest, dev.camillo.v1.SetSpoolPolicyResponse> getSetSpoolPolicyMethod;
    if ((getSetSpoolPolicyMethod = SpoolServiceGrpc.getSetSpoolPolicyMethod) == null) {
      synchronized (SpoolServiceGrpc.class) {
        if ((getSetSpoolPolicyMethod = SpoolServiceGrpc.getSetSpoolPolicyMethod) == null) {
          SpoolServiceGrpc.getSetSpoolPolicyMethod = getSetSpoolPolicyMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.SetSpoolPolicyRequest, dev.camillo.v1.SetSpoolPolicyResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "SetSpoolPolicy"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.SetSpoolPolicyRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.SetSpoolPolicyResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SpoolServiceMethodDescriptorSupplier("SetSpoolPolicy"))
              .build();
        }
      }
    }
    return getSetSpoolPolicyMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static SpoolServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<SpoolServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<SpoolServiceStub>() {
        @java.lang.Override
        public SpoolServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new SpoolServiceStub(channel, callOptions);
        }
      };
    return SpoolServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static SpoolServiceBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<SpoolServiceBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<SpoolServiceBlockingV2Stub>() {
        @java.lang.Override
        public SpoolServiceBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new SpoolServiceBlockingV2Stub(channel, callOptions);
        }
      };
    return SpoolServiceBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static SpoolServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<SpoolServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<SpoolServiceBlockingStub>() {
        @java.lang.Override
        public SpoolServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new SpoolServiceBlockingStub(channel, callOptions);
        }
      };
    return SpoolServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static SpoolServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<SpoolServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<SpoolServiceFutureStub>() {
        @java.lang.Override
        public SpoolServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new SpoolServiceFutureStub(channel, callOptions);
        }
      };
    return SpoolServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * Writes that were acknowledged while Postgres was unavailable (docs/degradation.md): those that wait, those that
   * failed and why, and the tenant's policy.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * Lists the tenant's spooled writes that are not stored, in pages: those that failed, then those that wait on the
     * disk of the answering server, oldest first. Writes on the disks of other servers are not visible.
     * </pre>
     */
    default void listSpooled(dev.camillo.v1.ListSpooledRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListSpooledResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListSpooledMethod(), responseObserver);
    }

    /**
     * <pre>
     * Retries failed writes, in the order given. One that fails again stays, with its new reason.
     * </pre>
     */
    default void retrySpooled(dev.camillo.v1.RetrySpooledRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.RetrySpooledResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getRetrySpooledMethod(), responseObserver);
    }

    /**
     * <pre>
     * Removes failed writes for good. Unknown ids are ignored.
     * </pre>
     */
    default void discardSpooled(dev.camillo.v1.DiscardSpooledRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.DiscardSpooledResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getDiscardSpooledMethod(), responseObserver);
    }

    /**
     * <pre>
     * Returns the tenant's policy for its writes while Postgres is unavailable.
     * </pre>
     */
    default void getSpoolPolicy(dev.camillo.v1.GetSpoolPolicyRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.GetSpoolPolicyResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetSpoolPolicyMethod(), responseObserver);
    }

    /**
     * <pre>
     * Changes the tenant's policy for its writes while Postgres is unavailable. Every server follows within 15 seconds.
     * </pre>
     */
    default void setSpoolPolicy(dev.camillo.v1.SetSpoolPolicyRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.SetSpoolPolicyResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getSetSpoolPolicyMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service SpoolService.
   * <pre>
   * Writes that were acknowledged while Postgres was unavailable (docs/degradation.md): those that wait, those that
   * failed and why, and the tenant's policy.
   * </pre>
   */
  public static abstract class SpoolServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return SpoolServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service SpoolService.
   * <pre>
   * Writes that were acknowledged while Postgres was unavailable (docs/degradation.md): those that wait, those that
   * failed and why, and the tenant's policy.
   * </pre>
   */
  public static final class SpoolServiceStub
      extends io.grpc.stub.AbstractAsyncStub<SpoolServiceStub> {
    private SpoolServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected SpoolServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new SpoolServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * Lists the tenant's spooled writes that are not stored, in pages: those that failed, then those that wait on the
     * disk of the answering server, oldest first. Writes on the disks of other servers are not visible.
     * </pre>
     */
    public void listSpooled(dev.camillo.v1.ListSpooledRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListSpooledResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListSpooledMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Retries failed writes, in the order given. One that fails again stays, with its new reason.
     * </pre>
     */
    public void retrySpooled(dev.camillo.v1.RetrySpooledRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.RetrySpooledResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getRetrySpooledMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Removes failed writes for good. Unknown ids are ignored.
     * </pre>
     */
    public void discardSpooled(dev.camillo.v1.DiscardSpooledRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.DiscardSpooledResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getDiscardSpooledMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Returns the tenant's policy for its writes while Postgres is unavailable.
     * </pre>
     */
    public void getSpoolPolicy(dev.camillo.v1.GetSpoolPolicyRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.GetSpoolPolicyResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetSpoolPolicyMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Changes the tenant's policy for its writes while Postgres is unavailable. Every server follows within 15 seconds.
     * </pre>
     */
    public void setSpoolPolicy(dev.camillo.v1.SetSpoolPolicyRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.SetSpoolPolicyResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getSetSpoolPolicyMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service SpoolService.
   * <pre>
   * Writes that were acknowledged while Postgres was unavailable (docs/degradation.md): those that wait, those that
   * failed and why, and the tenant's policy.
   * </pre>
   */
  public static final class SpoolServiceBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<SpoolServiceBlockingV2Stub> {
    private SpoolServiceBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected SpoolServiceBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new SpoolServiceBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * Lists the tenant's spooled writes that are not stored, in pages: those that failed, then those that wait on the
     * disk of the answering server, oldest first. Writes on the disks of other servers are not visible.
     * </pre>
     */
    public dev.camillo.v1.ListSpooledResponse listSpooled(dev.camillo.v1.ListSpooledRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListSpooledMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Retries failed writes, in the order given. One that fails again stays, with its new reason.
     * </pre>
     */
    public dev.camillo.v1.RetrySpooledResponse retrySpooled(dev.camillo.v1.RetrySpooledRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getRetrySpooledMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Removes failed writes for good. Unknown ids are ignored.
     * </pre>
     */
    public dev.camillo.v1.DiscardSpooledResponse discardSpooled(dev.camillo.v1.DiscardSpooledRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getDiscardSpooledMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Returns the tenant's policy for its writes while Postgres is unavailable.
     * </pre>
     */
    public dev.camillo.v1.GetSpoolPolicyResponse getSpoolPolicy(dev.camillo.v1.GetSpoolPolicyRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getGetSpoolPolicyMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Changes the tenant's policy for its writes while Postgres is unavailable. Every server follows within 15 seconds.
     * </pre>
     */
    public dev.camillo.v1.SetSpoolPolicyResponse setSpoolPolicy(dev.camillo.v1.SetSpoolPolicyRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getSetSpoolPolicyMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service SpoolService.
   * <pre>
   * Writes that were acknowledged while Postgres was unavailable (docs/degradation.md): those that wait, those that
   * failed and why, and the tenant's policy.
   * </pre>
   */
  public static final class SpoolServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<SpoolServiceBlockingStub> {
    private SpoolServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected SpoolServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new SpoolServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * Lists the tenant's spooled writes that are not stored, in pages: those that failed, then those that wait on the
     * disk of the answering server, oldest first. Writes on the disks of other servers are not visible.
     * </pre>
     */
    public dev.camillo.v1.ListSpooledResponse listSpooled(dev.camillo.v1.ListSpooledRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListSpooledMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Retries failed writes, in the order given. One that fails again stays, with its new reason.
     * </pre>
     */
    public dev.camillo.v1.RetrySpooledResponse retrySpooled(dev.camillo.v1.RetrySpooledRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getRetrySpooledMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Removes failed writes for good. Unknown ids are ignored.
     * </pre>
     */
    public dev.camillo.v1.DiscardSpooledResponse discardSpooled(dev.camillo.v1.DiscardSpooledRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getDiscardSpooledMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Returns the tenant's policy for its writes while Postgres is unavailable.
     * </pre>
     */
    public dev.camillo.v1.GetSpoolPolicyResponse getSpoolPolicy(dev.camillo.v1.GetSpoolPolicyRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetSpoolPolicyMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Changes the tenant's policy for its writes while Postgres is unavailable. Every server follows within 15 seconds.
     * </pre>
     */
    public dev.camillo.v1.SetSpoolPolicyResponse setSpoolPolicy(dev.camillo.v1.SetSpoolPolicyRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getSetSpoolPolicyMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service SpoolService.
   * <pre>
   * Writes that were acknowledged while Postgres was unavailable (docs/degradation.md): those that wait, those that
   * failed and why, and the tenant's policy.
   * </pre>
   */
  public static final class SpoolServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<SpoolServiceFutureStub> {
    private SpoolServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected SpoolServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new SpoolServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * Lists the tenant's spooled writes that are not stored, in pages: those that failed, then those that wait on the
     * disk of the answering server, oldest first. Writes on the disks of other servers are not visible.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.ListSpooledResponse> listSpooled(
        dev.camillo.v1.ListSpooledRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListSpooledMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Retries failed writes, in the order given. One that fails again stays, with its new reason.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.RetrySpooledResponse> retrySpooled(
        dev.camillo.v1.RetrySpooledRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getRetrySpooledMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Removes failed writes for good. Unknown ids are ignored.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.DiscardSpooledResponse> discardSpooled(
        dev.camillo.v1.DiscardSpooledRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getDiscardSpooledMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Returns the tenant's policy for its writes while Postgres is unavailable.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.GetSpoolPolicyResponse> getSpoolPolicy(
        dev.camillo.v1.GetSpoolPolicyRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetSpoolPolicyMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Changes the tenant's policy for its writes while Postgres is unavailable. Every server follows within 15 seconds.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.SetSpoolPolicyResponse> setSpoolPolicy(
        dev.camillo.v1.SetSpoolPolicyRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getSetSpoolPolicyMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_LIST_SPOOLED = 0;
  private static final int METHODID_RETRY_SPOOLED = 1;
  private static final int METHODID_DISCARD_SPOOLED = 2;
  private static final int METHODID_GET_SPOOL_POLICY = 3;
  private static final int METHODID_SET_SPOOL_POLICY = 4;

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
        case METHODID_LIST_SPOOLED:
          serviceImpl.listSpooled((dev.camillo.v1.ListSpooledRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ListSpooledResponse>) responseObserver);
          break;
        case METHODID_RETRY_SPOOLED:
          serviceImpl.retrySpooled((dev.camillo.v1.RetrySpooledRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.RetrySpooledResponse>) responseObserver);
          break;
        case METHODID_DISCARD_SPOOLED:
          serviceImpl.discardSpooled((dev.camillo.v1.DiscardSpooledRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.DiscardSpooledResponse>) responseObserver);
          break;
        case METHODID_GET_SPOOL_POLICY:
          serviceImpl.getSpoolPolicy((dev.camillo.v1.GetSpoolPolicyRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.GetSpoolPolicyResponse>) responseObserver);
          break;
        case METHODID_SET_SPOOL_POLICY:
          serviceImpl.setSpoolPolicy((dev.camillo.v1.SetSpoolPolicyRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.SetSpoolPolicyResponse>) responseObserver);
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
          getListSpooledMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.ListSpooledRequest,
              dev.camillo.v1.ListSpooledResponse>(
                service, METHODID_LIST_SPOOLED)))
        .addMethod(
          getRetrySpooledMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.RetrySpooledRequest,
              dev.camillo.v1.RetrySpooledResponse>(
                service, METHODID_RETRY_SPOOLED)))
        .addMethod(
          getDiscardSpooledMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.DiscardSpooledRequest,
              dev.camillo.v1.DiscardSpooledResponse>(
                service, METHODID_DISCARD_SPOOLED)))
        .addMethod(
          getGetSpoolPolicyMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.GetSpoolPolicyRequest,
              dev.camillo.v1.GetSpoolPolicyResponse>(
                service, METHODID_GET_SPOOL_POLICY)))
        .addMethod(
          getSetSpoolPolicyMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.SetSpoolPolicyRequest,
              dev.camillo.v1.SetSpoolPolicyResponse>(
                service, METHODID_SET_SPOOL_POLICY)))
        .build();
  }

  private static abstract class SpoolServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    SpoolServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return dev.camillo.v1.SpoolServiceOuterClass.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("SpoolService");
    }
  }

  private static final class SpoolServiceFileDescriptorSupplier
      extends SpoolServiceBaseDescriptorSupplier {
    SpoolServiceFileDescriptorSupplier() {}
  }

  private static final class SpoolServiceMethodDescriptorSupplier
      extends SpoolServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    SpoolServiceMethodDescriptorSupplier(java.lang.String methodName) {
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
      synchronized (SpoolServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new SpoolServiceFileDescriptorSupplier())
              .addMethod(getListSpooledMethod())
              .addMethod(getRetrySpooledMethod())
              .addMethod(getDiscardSpooledMethod())
              .addMethod(getGetSpoolPolicyMethod())
              .addMethod(getSetSpoolPolicyMethod())
              .build();
        }
      }
    }
    return result;
  }
}
