package dev.camillo.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * Spaces of a tenant: what each holds and costs, and its deletion. A credential of one agent sees that agent's own space and those that it was
 * granted. `agent_id` names the space of a request: an agent's id, a path such as users/42, or &#64;shared for the tenant's.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class SpaceServiceGrpc {

  private SpaceServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "camillo.v1.SpaceService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ListSpacesRequest,
      dev.camillo.v1.ListSpacesResponse> getListSpacesMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListSpaces",
      requestType = dev.camillo.v1.ListSpacesRequest.class,
      responseType = dev.camillo.v1.ListSpacesResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ListSpacesRequest,
      dev.camillo.v1.ListSpacesResponse> getListSpacesMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ListSpacesRequest, dev.camillo.v1.ListSpacesResponse> getListSpacesMethod;
    if ((getListSpacesMethod = SpaceServiceGrpc.getListSpacesMethod) == null) {
      synchronized (SpaceServiceGrpc.class) {
        if ((getListSpacesMethod = SpaceServiceGrpc.getListSpacesMethod) == null) {
          SpaceServiceGrpc.getListSpacesMethod = getListSpacesMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ListSpacesRequest, dev.camillo.v1.ListSpacesResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListSpaces"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListSpacesRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListSpacesResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SpaceServiceMethodDescriptorSupplier("ListSpaces"))
              .build();
        }
      }
    }
    return getListSpacesMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.GetSpaceRequest,
      dev.camillo.v1.GetSpaceResponse> getGetSpaceMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetSpace",
      requestType = dev.camillo.v1.GetSpaceRequest.class,
      responseType = dev.camillo.v1.GetSpaceResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.GetSpaceRequest,
      dev.camillo.v1.GetSpaceResponse> getGetSpaceMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.GetSpaceRequest, dev.camillo.v1.GetSpaceResponse> getGetSpaceMethod;
    if ((getGetSpaceMethod = SpaceServiceGrpc.getGetSpaceMethod) == null) {
      synchronized (SpaceServiceGrpc.class) {
        if ((getGetSpaceMethod = SpaceServiceGrpc.getGetSpaceMethod) == null) {
          SpaceServiceGrpc.getGetSpaceMethod = getGetSpaceMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.GetSpaceRequest, dev.camillo.v1.GetSpaceResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetSpace"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.GetSpaceRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.GetSpaceResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SpaceServiceMethodDescriptorSupplier("GetSpace"))
              .build();
        }
      }
    }
    return getGetSpaceMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ListTokenUsageRequest,
      dev.camillo.v1.ListTokenUsageResponse> getListTokenUsageMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListTokenUsage",
      requestType = dev.camillo.v1.ListTokenUsageRequest.class,
      responseType = dev.camillo.v1.ListTokenUsageResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ListTokenUsageRequest,
      dev.camillo.v1.ListTokenUsageResponse> getListTokenUsageMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ListTokenUsageRequest, dev.camillo.v1.ListTokenUsageResponse> getListTokenUsageMethod;
    if ((getListTokenUsageMethod = SpaceServiceGrpc.getListTokenUsageMethod) == null) {
      synchronized (SpaceServiceGrpc.class) {
        if ((getListTokenUsageMethod = SpaceServiceGrpc.getListTokenUsageMethod) == null) {
          SpaceServiceGrpc.getListTokenUsageMethod = getListTokenUsageMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ListTokenUsageRequest, dev.camillo.v1.ListTokenUsageResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListTokenUsage"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListTokenUsageRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListTokenUsageResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SpaceServiceMethodDescriptorSupplier("ListTokenUsage"))
              .build();
        }
      }
    }
    return getListTokenUsageMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ForgetSpaceRequest,
      dev.camillo.v1.ForgetSpaceResponse> getForgetSpaceMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ForgetSpace",
      requestType = dev.camillo.v1.ForgetSpaceRequest.class,
      responseType = dev.camillo.v1.ForgetSpaceResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ForgetSpaceRequest,
      dev.camillo.v1.ForgetSpaceResponse> getForgetSpaceMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ForgetSpaceRequest, dev.camillo.v1.ForgetSpaceResponse> getForgetSpaceMethod;
    if ((getForgetSpaceMethod = SpaceServiceGrpc.getForgetSpaceMethod) == null) {
      synchronized (SpaceServiceGrpc.class) {
        if ((getForgetSpaceMethod = SpaceServiceGrpc.getForgetSpaceMethod) == null) {
          SpaceServiceGrpc.getForgetSpaceMethod = getForgetSpaceMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ForgetSpaceRequest, dev.camillo.v1.ForgetSpaceResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ForgetSpace"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ForgetSpaceRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ForgetSpaceResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SpaceServiceMethodDescriptorSupplier("ForgetSpace"))
              .build();
        }
      }
    }
    return getForgetSpaceMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static SpaceServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<SpaceServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<SpaceServiceStub>() {
        @java.lang.Override
        public SpaceServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new SpaceServiceStub(channel, callOptions);
        }
      };
    return SpaceServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static SpaceServiceBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<SpaceServiceBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<SpaceServiceBlockingV2Stub>() {
        @java.lang.Override
        public SpaceServiceBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new SpaceServiceBlockingV2Stub(channel, callOptions);
        }
      };
    return SpaceServiceBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static SpaceServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<SpaceServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<SpaceServiceBlockingStub>() {
        @java.lang.Override
        public SpaceServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new SpaceServiceBlockingStub(channel, callOptions);
        }
      };
    return SpaceServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static SpaceServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<SpaceServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<SpaceServiceFutureStub>() {
        @java.lang.Override
        public SpaceServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new SpaceServiceFutureStub(channel, callOptions);
        }
      };
    return SpaceServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * Spaces of a tenant: what each holds and costs, and its deletion. A credential of one agent sees that agent's own space and those that it was
   * granted. `agent_id` names the space of a request: an agent's id, a path such as users/42, or &#64;shared for the tenant's.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * Lists the spaces that the caller reaches, in the order of their paths, in pages, each with its rows and bytes.
     * </pre>
     */
    default void listSpaces(dev.camillo.v1.ListSpacesRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListSpacesResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListSpacesMethod(), responseObserver);
    }

    /**
     * <pre>
     * Describes one space: memories by kind, sessions, the oldest and the newest record, how long records stay, and
     * for administrators who reaches it. Zeros where nobody has written it.
     * </pre>
     */
    default void getSpace(dev.camillo.v1.GetSpaceRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.GetSpaceResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetSpaceMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists the tokens and prices of models, and the tokens of context that were handed out, summed by what the request groups
     * them by, in pages. Days are those of UTC. Spaces that used least, and deleted ones, are summed as "*" (docs/costs.md).
     * </pre>
     */
    default void listTokenUsage(dev.camillo.v1.ListTokenUsageRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListTokenUsageResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListTokenUsageMethod(), responseObserver);
    }

    /**
     * <pre>
     * Removes a space and all its records for good, as AdminService.DeleteAgent does, and what other spaces of the tenant say
     * about the person, as the request chooses. A dry run lists the records of other spaces that hold one of the names. Names
     * need a credential that reaches any agent. It takes the role of a tenant's administrator, or a grant with the verb
     * `forget`. After a deadline, begin with a dry run again: what went is gone.
     * </pre>
     */
    default void forgetSpace(dev.camillo.v1.ForgetSpaceRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ForgetSpaceResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getForgetSpaceMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service SpaceService.
   * <pre>
   * Spaces of a tenant: what each holds and costs, and its deletion. A credential of one agent sees that agent's own space and those that it was
   * granted. `agent_id` names the space of a request: an agent's id, a path such as users/42, or &#64;shared for the tenant's.
   * </pre>
   */
  public static abstract class SpaceServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return SpaceServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service SpaceService.
   * <pre>
   * Spaces of a tenant: what each holds and costs, and its deletion. A credential of one agent sees that agent's own space and those that it was
   * granted. `agent_id` names the space of a request: an agent's id, a path such as users/42, or &#64;shared for the tenant's.
   * </pre>
   */
  public static final class SpaceServiceStub
      extends io.grpc.stub.AbstractAsyncStub<SpaceServiceStub> {
    private SpaceServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected SpaceServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new SpaceServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * Lists the spaces that the caller reaches, in the order of their paths, in pages, each with its rows and bytes.
     * </pre>
     */
    public void listSpaces(dev.camillo.v1.ListSpacesRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListSpacesResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListSpacesMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Describes one space: memories by kind, sessions, the oldest and the newest record, how long records stay, and
     * for administrators who reaches it. Zeros where nobody has written it.
     * </pre>
     */
    public void getSpace(dev.camillo.v1.GetSpaceRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.GetSpaceResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetSpaceMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists the tokens and prices of models, and the tokens of context that were handed out, summed by what the request groups
     * them by, in pages. Days are those of UTC. Spaces that used least, and deleted ones, are summed as "*" (docs/costs.md).
     * </pre>
     */
    public void listTokenUsage(dev.camillo.v1.ListTokenUsageRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListTokenUsageResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListTokenUsageMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Removes a space and all its records for good, as AdminService.DeleteAgent does, and what other spaces of the tenant say
     * about the person, as the request chooses. A dry run lists the records of other spaces that hold one of the names. Names
     * need a credential that reaches any agent. It takes the role of a tenant's administrator, or a grant with the verb
     * `forget`. After a deadline, begin with a dry run again: what went is gone.
     * </pre>
     */
    public void forgetSpace(dev.camillo.v1.ForgetSpaceRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ForgetSpaceResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getForgetSpaceMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service SpaceService.
   * <pre>
   * Spaces of a tenant: what each holds and costs, and its deletion. A credential of one agent sees that agent's own space and those that it was
   * granted. `agent_id` names the space of a request: an agent's id, a path such as users/42, or &#64;shared for the tenant's.
   * </pre>
   */
  public static final class SpaceServiceBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<SpaceServiceBlockingV2Stub> {
    private SpaceServiceBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected SpaceServiceBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new SpaceServiceBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * Lists the spaces that the caller reaches, in the order of their paths, in pages, each with its rows and bytes.
     * </pre>
     */
    public dev.camillo.v1.ListSpacesResponse listSpaces(dev.camillo.v1.ListSpacesRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListSpacesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Describes one space: memories by kind, sessions, the oldest and the newest record, how long records stay, and
     * for administrators who reaches it. Zeros where nobody has written it.
     * </pre>
     */
    public dev.camillo.v1.GetSpaceResponse getSpace(dev.camillo.v1.GetSpaceRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getGetSpaceMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the tokens and prices of models, and the tokens of context that were handed out, summed by what the request groups
     * them by, in pages. Days are those of UTC. Spaces that used least, and deleted ones, are summed as "*" (docs/costs.md).
     * </pre>
     */
    public dev.camillo.v1.ListTokenUsageResponse listTokenUsage(dev.camillo.v1.ListTokenUsageRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListTokenUsageMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Removes a space and all its records for good, as AdminService.DeleteAgent does, and what other spaces of the tenant say
     * about the person, as the request chooses. A dry run lists the records of other spaces that hold one of the names. Names
     * need a credential that reaches any agent. It takes the role of a tenant's administrator, or a grant with the verb
     * `forget`. After a deadline, begin with a dry run again: what went is gone.
     * </pre>
     */
    public dev.camillo.v1.ForgetSpaceResponse forgetSpace(dev.camillo.v1.ForgetSpaceRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getForgetSpaceMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service SpaceService.
   * <pre>
   * Spaces of a tenant: what each holds and costs, and its deletion. A credential of one agent sees that agent's own space and those that it was
   * granted. `agent_id` names the space of a request: an agent's id, a path such as users/42, or &#64;shared for the tenant's.
   * </pre>
   */
  public static final class SpaceServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<SpaceServiceBlockingStub> {
    private SpaceServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected SpaceServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new SpaceServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * Lists the spaces that the caller reaches, in the order of their paths, in pages, each with its rows and bytes.
     * </pre>
     */
    public dev.camillo.v1.ListSpacesResponse listSpaces(dev.camillo.v1.ListSpacesRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListSpacesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Describes one space: memories by kind, sessions, the oldest and the newest record, how long records stay, and
     * for administrators who reaches it. Zeros where nobody has written it.
     * </pre>
     */
    public dev.camillo.v1.GetSpaceResponse getSpace(dev.camillo.v1.GetSpaceRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetSpaceMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the tokens and prices of models, and the tokens of context that were handed out, summed by what the request groups
     * them by, in pages. Days are those of UTC. Spaces that used least, and deleted ones, are summed as "*" (docs/costs.md).
     * </pre>
     */
    public dev.camillo.v1.ListTokenUsageResponse listTokenUsage(dev.camillo.v1.ListTokenUsageRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListTokenUsageMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Removes a space and all its records for good, as AdminService.DeleteAgent does, and what other spaces of the tenant say
     * about the person, as the request chooses. A dry run lists the records of other spaces that hold one of the names. Names
     * need a credential that reaches any agent. It takes the role of a tenant's administrator, or a grant with the verb
     * `forget`. After a deadline, begin with a dry run again: what went is gone.
     * </pre>
     */
    public dev.camillo.v1.ForgetSpaceResponse forgetSpace(dev.camillo.v1.ForgetSpaceRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getForgetSpaceMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service SpaceService.
   * <pre>
   * Spaces of a tenant: what each holds and costs, and its deletion. A credential of one agent sees that agent's own space and those that it was
   * granted. `agent_id` names the space of a request: an agent's id, a path such as users/42, or &#64;shared for the tenant's.
   * </pre>
   */
  public static final class SpaceServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<SpaceServiceFutureStub> {
    private SpaceServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected SpaceServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new SpaceServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * Lists the spaces that the caller reaches, in the order of their paths, in pages, each with its rows and bytes.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.ListSpacesResponse> listSpaces(
        dev.camillo.v1.ListSpacesRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListSpacesMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Describes one space: memories by kind, sessions, the oldest and the newest record, how long records stay, and
     * for administrators who reaches it. Zeros where nobody has written it.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.GetSpaceResponse> getSpace(
        dev.camillo.v1.GetSpaceRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetSpaceMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists the tokens and prices of models, and the tokens of context that were handed out, summed by what the request groups
     * them by, in pages. Days are those of UTC. Spaces that used least, and deleted ones, are summed as "*" (docs/costs.md).
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.ListTokenUsageResponse> listTokenUsage(
        dev.camillo.v1.ListTokenUsageRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListTokenUsageMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Removes a space and all its records for good, as AdminService.DeleteAgent does, and what other spaces of the tenant say
     * about the person, as the request chooses. A dry run lists the records of other spaces that hold one of the names. Names
     * need a credential that reaches any agent. It takes the role of a tenant's administrator, or a grant with the verb
     * `forget`. After a deadline, begin with a dry run again: what went is gone.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.ForgetSpaceResponse> forgetSpace(
        dev.camillo.v1.ForgetSpaceRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getForgetSpaceMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_LIST_SPACES = 0;
  private static final int METHODID_GET_SPACE = 1;
  private static final int METHODID_LIST_TOKEN_USAGE = 2;
  private static final int METHODID_FORGET_SPACE = 3;

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
        case METHODID_LIST_SPACES:
          serviceImpl.listSpaces((dev.camillo.v1.ListSpacesRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ListSpacesResponse>) responseObserver);
          break;
        case METHODID_GET_SPACE:
          serviceImpl.getSpace((dev.camillo.v1.GetSpaceRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.GetSpaceResponse>) responseObserver);
          break;
        case METHODID_LIST_TOKEN_USAGE:
          serviceImpl.listTokenUsage((dev.camillo.v1.ListTokenUsageRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ListTokenUsageResponse>) responseObserver);
          break;
        case METHODID_FORGET_SPACE:
          serviceImpl.forgetSpace((dev.camillo.v1.ForgetSpaceRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ForgetSpaceResponse>) responseObserver);
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
          getListSpacesMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.ListSpacesRequest,
              dev.camillo.v1.ListSpacesResponse>(
                service, METHODID_LIST_SPACES)))
        .addMethod(
          getGetSpaceMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.GetSpaceRequest,
              dev.camillo.v1.GetSpaceResponse>(
                service, METHODID_GET_SPACE)))
        .addMethod(
          getListTokenUsageMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.ListTokenUsageRequest,
              dev.camillo.v1.ListTokenUsageResponse>(
                service, METHODID_LIST_TOKEN_USAGE)))
        .addMethod(
          getForgetSpaceMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.ForgetSpaceRequest,
              dev.camillo.v1.ForgetSpaceResponse>(
                service, METHODID_FORGET_SPACE)))
        .build();
  }

  private static abstract class SpaceServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    SpaceServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return dev.camillo.v1.SpaceServiceOuterClass.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("SpaceService");
    }
  }

  private static final class SpaceServiceFileDescriptorSupplier
      extends SpaceServiceBaseDescriptorSupplier {
    SpaceServiceFileDescriptorSupplier() {}
  }

  private static final class SpaceServiceMethodDescriptorSupplier
      extends SpaceServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    SpaceServiceMethodDescriptorSupplier(java.lang.String methodName) {
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
      synchronized (SpaceServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new SpaceServiceFileDescriptorSupplier())
              .addMethod(getListSpacesMethod())
              .addMethod(getGetSpaceMethod())
              .addMethod(getListTokenUsageMethod())
              .addMethod(getForgetSpaceMethod())
              .build();
        }
      }
    }
    return result;
  }
}
