package dev.camillo.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * Links between records of a space and the tenant's documents, stated by callers or derived from entities that texts
 * mention; and these entities with their aliases. See MemoryService for `agent_id` and `request_id`, and docs/links.md.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class LinkServiceGrpc {

  private LinkServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "camillo.v1.LinkService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.AddLinksRequest,
      dev.camillo.v1.AddLinksResponse> getAddLinksMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "AddLinks",
      requestType = dev.camillo.v1.AddLinksRequest.class,
      responseType = dev.camillo.v1.AddLinksResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.AddLinksRequest,
      dev.camillo.v1.AddLinksResponse> getAddLinksMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.AddLinksRequest, dev.camillo.v1.AddLinksResponse> getAddLinksMethod;
    if ((getAddLinksMethod = LinkServiceGrpc.getAddLinksMethod) == null) {
      synchronized (LinkServiceGrpc.class) {
        if ((getAddLinksMethod = LinkServiceGrpc.getAddLinksMethod) == null) {
          LinkServiceGrpc.getAddLinksMethod = getAddLinksMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.AddLinksRequest, dev.camillo.v1.AddLinksResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "AddLinks"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.AddLinksRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.AddLinksResponse.getDefaultInstance()))
              .setSchemaDescriptor(new LinkServiceMethodDescriptorSupplier("AddLinks"))
              .build();
        }
      }
    }
    return getAddLinksMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.RemoveLinksRequest,
      dev.camillo.v1.RemoveLinksResponse> getRemoveLinksMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "RemoveLinks",
      requestType = dev.camillo.v1.RemoveLinksRequest.class,
      responseType = dev.camillo.v1.RemoveLinksResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.RemoveLinksRequest,
      dev.camillo.v1.RemoveLinksResponse> getRemoveLinksMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.RemoveLinksRequest, dev.camillo.v1.RemoveLinksResponse> getRemoveLinksMethod;
    if ((getRemoveLinksMethod = LinkServiceGrpc.getRemoveLinksMethod) == null) {
      synchronized (LinkServiceGrpc.class) {
        if ((getRemoveLinksMethod = LinkServiceGrpc.getRemoveLinksMethod) == null) {
          LinkServiceGrpc.getRemoveLinksMethod = getRemoveLinksMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.RemoveLinksRequest, dev.camillo.v1.RemoveLinksResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "RemoveLinks"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.RemoveLinksRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.RemoveLinksResponse.getDefaultInstance()))
              .setSchemaDescriptor(new LinkServiceMethodDescriptorSupplier("RemoveLinks"))
              .build();
        }
      }
    }
    return getRemoveLinksMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ListRelatedRequest,
      dev.camillo.v1.ListRelatedResponse> getListRelatedMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListRelated",
      requestType = dev.camillo.v1.ListRelatedRequest.class,
      responseType = dev.camillo.v1.ListRelatedResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ListRelatedRequest,
      dev.camillo.v1.ListRelatedResponse> getListRelatedMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ListRelatedRequest, dev.camillo.v1.ListRelatedResponse> getListRelatedMethod;
    if ((getListRelatedMethod = LinkServiceGrpc.getListRelatedMethod) == null) {
      synchronized (LinkServiceGrpc.class) {
        if ((getListRelatedMethod = LinkServiceGrpc.getListRelatedMethod) == null) {
          LinkServiceGrpc.getListRelatedMethod = getListRelatedMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ListRelatedRequest, dev.camillo.v1.ListRelatedResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListRelated"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListRelatedRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListRelatedResponse.getDefaultInstance()))
              .setSchemaDescriptor(new LinkServiceMethodDescriptorSupplier("ListRelated"))
              .build();
        }
      }
    }
    return getListRelatedMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ListEntitiesRequest,
      dev.camillo.v1.ListEntitiesResponse> getListEntitiesMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListEntities",
      requestType = dev.camillo.v1.ListEntitiesRequest.class,
      responseType = dev.camillo.v1.ListEntitiesResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ListEntitiesRequest,
      dev.camillo.v1.ListEntitiesResponse> getListEntitiesMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ListEntitiesRequest, dev.camillo.v1.ListEntitiesResponse> getListEntitiesMethod;
    if ((getListEntitiesMethod = LinkServiceGrpc.getListEntitiesMethod) == null) {
      synchronized (LinkServiceGrpc.class) {
        if ((getListEntitiesMethod = LinkServiceGrpc.getListEntitiesMethod) == null) {
          LinkServiceGrpc.getListEntitiesMethod = getListEntitiesMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ListEntitiesRequest, dev.camillo.v1.ListEntitiesResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListEntities"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListEntitiesRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListEntitiesResponse.getDefaultInstance()))
              .setSchemaDescriptor(new LinkServiceMethodDescriptorSupplier("ListEntities"))
              .build();
        }
      }
    }
    return getListEntitiesMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.MergeEntitiesRequest,
      dev.camillo.v1.MergeEntitiesResponse> getMergeEntitiesMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "MergeEntities",
      requestType = dev.camillo.v1.MergeEntitiesRequest.class,
      responseType = dev.camillo.v1.MergeEntitiesResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.MergeEntitiesRequest,
      dev.camillo.v1.MergeEntitiesResponse> getMergeEntitiesMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.MergeEntitiesRequest, dev.camillo.v1.MergeEntitiesResponse> getMergeEntitiesMethod;
    if ((getMergeEntitiesMethod = LinkServiceGrpc.getMergeEntitiesMethod) == null) {
      synchronized (LinkServiceGrpc.class) {
        if ((getMergeEntitiesMethod = LinkServiceGrpc.getMergeEntitiesMethod) == null) {
          LinkServiceGrpc.getMergeEntitiesMethod = getMergeEntitiesMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.MergeEntitiesRequest, dev.camillo.v1.MergeEntitiesResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "MergeEntities"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.MergeEntitiesRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.MergeEntitiesResponse.getDefaultInstance()))
              .setSchemaDescriptor(new LinkServiceMethodDescriptorSupplier("MergeEntities"))
              .build();
        }
      }
    }
    return getMergeEntitiesMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.SplitEntityRequest,
      dev.camillo.v1.SplitEntityResponse> getSplitEntityMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "SplitEntity",
      requestType = dev.camillo.v1.SplitEntityRequest.class,
      responseType = dev.camillo.v1.SplitEntityResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.SplitEntityRequest,
      dev.camillo.v1.SplitEntityResponse> getSplitEntityMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.SplitEntityRequest, dev.camillo.v1.SplitEntityResponse> getSplitEntityMethod;
    if ((getSplitEntityMethod = LinkServiceGrpc.getSplitEntityMethod) == null) {
      synchronized (LinkServiceGrpc.class) {
        if ((getSplitEntityMethod = LinkServiceGrpc.getSplitEntityMethod) == null) {
          LinkServiceGrpc.getSplitEntityMethod = getSplitEntityMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.SplitEntityRequest, dev.camillo.v1.SplitEntityResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "SplitEntity"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.SplitEntityRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.SplitEntityResponse.getDefaultInstance()))
              .setSchemaDescriptor(new LinkServiceMethodDescriptorSupplier("SplitEntity"))
              .build();
        }
      }
    }
    return getSplitEntityMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.RevertEntityChangeRequest,
      dev.camillo.v1.RevertEntityChangeResponse> getRevertEntityChangeMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "RevertEntityChange",
      requestType = dev.camillo.v1.RevertEntityChangeRequest.class,
      responseType = dev.camillo.v1.RevertEntityChangeResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.RevertEntityChangeRequest,
      dev.camillo.v1.RevertEntityChangeResponse> getRevertEntityChangeMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.RevertEntityChangeRequest, dev.camillo.v1.RevertEntityChangeResponse> getRevertEntityChangeMethod;
    if ((getRevertEntityChangeMethod = LinkServiceGrpc.getRevertEntityChangeMethod) == null) {
      synchronized (LinkServiceGrpc.class) {
        if ((getRevertEntityChangeMethod = LinkServiceGrpc.getRevertEntityChangeMethod) == null) {
          LinkServiceGrpc.getRevertEntityChangeMethod = getRevertEntityChangeMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.RevertEntityChangeRequest, dev.camillo.v1.RevertEntityChangeResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "RevertEntityChange"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.RevertEntityChangeRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.RevertEntityChangeResponse.getDefaultInstance()))
              .setSchemaDescriptor(new LinkServiceMethodDescriptorSupplier("RevertEntityChange"))
              .build();
        }
      }
    }
    return getRevertEntityChangeMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ListEntityChangesRequest,
      dev.camillo.v1.ListEntityChangesResponse> getListEntityChangesMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListEntityChanges",
      requestType = dev.camillo.v1.ListEntityChangesRequest.class,
      responseType = dev.camillo.v1.ListEntityChangesResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ListEntityChangesRequest,
      dev.camillo.v1.ListEntityChangesResponse> getListEntityChangesMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ListEntityChangesRequest, dev.camillo.v1.ListEntityChangesResponse> getListEntityChangesMethod;
    if ((getListEntityChangesMethod = LinkServiceGrpc.getListEntityChangesMethod) == null) {
      synchronized (LinkServiceGrpc.class) {
        if ((getListEntityChangesMethod = LinkServiceGrpc.getListEntityChangesMethod) == null) {
          LinkServiceGrpc.getListEntityChangesMethod = getListEntityChangesMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ListEntityChangesRequest, dev.camillo.v1.ListEntityChangesResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListEntityChanges"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListEntityChangesRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListEntityChangesResponse.getDefaultInstance()))
              .setSchemaDescriptor(new LinkServiceMethodDescriptorSupplier("ListEntityChanges"))
              .build();
        }
      }
    }
    return getListEntityChangesMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static LinkServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<LinkServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<LinkServiceStub>() {
        @java.lang.Override
        public LinkServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new LinkServiceStub(channel, callOptions);
        }
      };
    return LinkServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static LinkServiceBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<LinkServiceBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<LinkServiceBlockingV2Stub>() {
        @java.lang.Override
        public LinkServiceBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new LinkServiceBlockingV2Stub(channel, callOptions);
        }
      };
    return LinkServiceBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static LinkServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<LinkServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<LinkServiceBlockingStub>() {
        @java.lang.Override
        public LinkServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new LinkServiceBlockingStub(channel, callOptions);
        }
      };
    return LinkServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static LinkServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<LinkServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<LinkServiceFutureStub>() {
        @java.lang.Override
        public LinkServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new LinkServiceFutureStub(channel, callOptions);
        }
      };
    return LinkServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * Links between records of a space and the tenant's documents, stated by callers or derived from entities that texts
   * mention; and these entities with their aliases. See MemoryService for `agent_id` and `request_id`, and docs/links.md.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * Stores up to 100 links in one transaction; existing ones stay as they are.
     * </pre>
     */
    default void addLinks(dev.camillo.v1.AddLinksRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.AddLinksResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getAddLinksMethod(), responseObserver);
    }

    /**
     * <pre>
     * Removes links; unknown ones are ignored.
     * </pre>
     */
    default void removeLinks(dev.camillo.v1.RemoveLinksRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.RemoveLinksResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getRemoveLinksMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists the records one step away from a record, or those that mention an entity, in pages. Merged names are one
     * entity.
     * </pre>
     */
    default void listRelated(dev.camillo.v1.ListRelatedRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListRelatedResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListRelatedMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists the entities that the newest 5,000 rows of a space mention, and those that have merged names: the most
     * mentioned first.
     * </pre>
     */
    default void listEntities(dev.camillo.v1.ListEntitiesRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListEntitiesResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListEntitiesMethod(), responseObserver);
    }

    /**
     * <pre>
     * States that names mean the same entity. Names that mean it already stay as they are.
     * </pre>
     */
    default void mergeEntities(dev.camillo.v1.MergeEntitiesRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.MergeEntitiesResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getMergeEntitiesMethod(), responseObserver);
    }

    /**
     * <pre>
     * Takes names out of the entity that they were merged into, so that each stands for itself. Others are ignored.
     * </pre>
     */
    default void splitEntity(dev.camillo.v1.SplitEntityRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.SplitEntityResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getSplitEntityMethod(), responseObserver);
    }

    /**
     * <pre>
     * Reverts a change: afterwards all others apply as if it had never been made.
     * </pre>
     */
    default void revertEntityChange(dev.camillo.v1.RevertEntityChangeRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.RevertEntityChangeResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getRevertEntityChangeMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists the changes of a space, newest first, with those that were reverted.
     * </pre>
     */
    default void listEntityChanges(dev.camillo.v1.ListEntityChangesRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListEntityChangesResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListEntityChangesMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service LinkService.
   * <pre>
   * Links between records of a space and the tenant's documents, stated by callers or derived from entities that texts
   * mention; and these entities with their aliases. See MemoryService for `agent_id` and `request_id`, and docs/links.md.
   * </pre>
   */
  public static abstract class LinkServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return LinkServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service LinkService.
   * <pre>
   * Links between records of a space and the tenant's documents, stated by callers or derived from entities that texts
   * mention; and these entities with their aliases. See MemoryService for `agent_id` and `request_id`, and docs/links.md.
   * </pre>
   */
  public static final class LinkServiceStub
      extends io.grpc.stub.AbstractAsyncStub<LinkServiceStub> {
    private LinkServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected LinkServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new LinkServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * Stores up to 100 links in one transaction; existing ones stay as they are.
     * </pre>
     */
    public void addLinks(dev.camillo.v1.AddLinksRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.AddLinksResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getAddLinksMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Removes links; unknown ones are ignored.
     * </pre>
     */
    public void removeLinks(dev.camillo.v1.RemoveLinksRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.RemoveLinksResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getRemoveLinksMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists the records one step away from a record, or those that mention an entity, in pages. Merged names are one
     * entity.
     * </pre>
     */
    public void listRelated(dev.camillo.v1.ListRelatedRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListRelatedResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListRelatedMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists the entities that the newest 5,000 rows of a space mention, and those that have merged names: the most
     * mentioned first.
     * </pre>
     */
    public void listEntities(dev.camillo.v1.ListEntitiesRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListEntitiesResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListEntitiesMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * States that names mean the same entity. Names that mean it already stay as they are.
     * </pre>
     */
    public void mergeEntities(dev.camillo.v1.MergeEntitiesRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.MergeEntitiesResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getMergeEntitiesMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Takes names out of the entity that they were merged into, so that each stands for itself. Others are ignored.
     * </pre>
     */
    public void splitEntity(dev.camillo.v1.SplitEntityRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.SplitEntityResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getSplitEntityMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Reverts a change: afterwards all others apply as if it had never been made.
     * </pre>
     */
    public void revertEntityChange(dev.camillo.v1.RevertEntityChangeRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.RevertEntityChangeResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getRevertEntityChangeMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists the changes of a space, newest first, with those that were reverted.
     * </pre>
     */
    public void listEntityChanges(dev.camillo.v1.ListEntityChangesRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListEntityChangesResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListEntityChangesMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service LinkService.
   * <pre>
   * Links between records of a space and the tenant's documents, stated by callers or derived from entities that texts
   * mention; and these entities with their aliases. See MemoryService for `agent_id` and `request_id`, and docs/links.md.
   * </pre>
   */
  public static final class LinkServiceBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<LinkServiceBlockingV2Stub> {
    private LinkServiceBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected LinkServiceBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new LinkServiceBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * Stores up to 100 links in one transaction; existing ones stay as they are.
     * </pre>
     */
    public dev.camillo.v1.AddLinksResponse addLinks(dev.camillo.v1.AddLinksRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getAddLinksMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Removes links; unknown ones are ignored.
     * </pre>
     */
    public dev.camillo.v1.RemoveLinksResponse removeLinks(dev.camillo.v1.RemoveLinksRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getRemoveLinksMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the records one step away from a record, or those that mention an entity, in pages. Merged names are one
     * entity.
     * </pre>
     */
    public dev.camillo.v1.ListRelatedResponse listRelated(dev.camillo.v1.ListRelatedRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListRelatedMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the entities that the newest 5,000 rows of a space mention, and those that have merged names: the most
     * mentioned first.
     * </pre>
     */
    public dev.camillo.v1.ListEntitiesResponse listEntities(dev.camillo.v1.ListEntitiesRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListEntitiesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * States that names mean the same entity. Names that mean it already stay as they are.
     * </pre>
     */
    public dev.camillo.v1.MergeEntitiesResponse mergeEntities(dev.camillo.v1.MergeEntitiesRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getMergeEntitiesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Takes names out of the entity that they were merged into, so that each stands for itself. Others are ignored.
     * </pre>
     */
    public dev.camillo.v1.SplitEntityResponse splitEntity(dev.camillo.v1.SplitEntityRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getSplitEntityMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Reverts a change: afterwards all others apply as if it had never been made.
     * </pre>
     */
    public dev.camillo.v1.RevertEntityChangeResponse revertEntityChange(dev.camillo.v1.RevertEntityChangeRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getRevertEntityChangeMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the changes of a space, newest first, with those that were reverted.
     * </pre>
     */
    public dev.camillo.v1.ListEntityChangesResponse listEntityChanges(dev.camillo.v1.ListEntityChangesRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListEntityChangesMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service LinkService.
   * <pre>
   * Links between records of a space and the tenant's documents, stated by callers or derived from entities that texts
   * mention; and these entities with their aliases. See MemoryService for `agent_id` and `request_id`, and docs/links.md.
   * </pre>
   */
  public static final class LinkServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<LinkServiceBlockingStub> {
    private LinkServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected LinkServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new LinkServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * Stores up to 100 links in one transaction; existing ones stay as they are.
     * </pre>
     */
    public dev.camillo.v1.AddLinksResponse addLinks(dev.camillo.v1.AddLinksRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getAddLinksMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Removes links; unknown ones are ignored.
     * </pre>
     */
    public dev.camillo.v1.RemoveLinksResponse removeLinks(dev.camillo.v1.RemoveLinksRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getRemoveLinksMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the records one step away from a record, or those that mention an entity, in pages. Merged names are one
     * entity.
     * </pre>
     */
    public dev.camillo.v1.ListRelatedResponse listRelated(dev.camillo.v1.ListRelatedRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListRelatedMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the entities that the newest 5,000 rows of a space mention, and those that have merged names: the most
     * mentioned first.
     * </pre>
     */
    public dev.camillo.v1.ListEntitiesResponse listEntities(dev.camillo.v1.ListEntitiesRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListEntitiesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * States that names mean the same entity. Names that mean it already stay as they are.
     * </pre>
     */
    public dev.camillo.v1.MergeEntitiesResponse mergeEntities(dev.camillo.v1.MergeEntitiesRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getMergeEntitiesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Takes names out of the entity that they were merged into, so that each stands for itself. Others are ignored.
     * </pre>
     */
    public dev.camillo.v1.SplitEntityResponse splitEntity(dev.camillo.v1.SplitEntityRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getSplitEntityMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Reverts a change: afterwards all others apply as if it had never been made.
     * </pre>
     */
    public dev.camillo.v1.RevertEntityChangeResponse revertEntityChange(dev.camillo.v1.RevertEntityChangeRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getRevertEntityChangeMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the changes of a space, newest first, with those that were reverted.
     * </pre>
     */
    public dev.camillo.v1.ListEntityChangesResponse listEntityChanges(dev.camillo.v1.ListEntityChangesRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListEntityChangesMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service LinkService.
   * <pre>
   * Links between records of a space and the tenant's documents, stated by callers or derived from entities that texts
   * mention; and these entities with their aliases. See MemoryService for `agent_id` and `request_id`, and docs/links.md.
   * </pre>
   */
  public static final class LinkServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<LinkServiceFutureStub> {
    private LinkServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected LinkServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new LinkServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * Stores up to 100 links in one transaction; existing ones stay as they are.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.AddLinksResponse> addLinks(
        dev.camillo.v1.AddLinksRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getAddLinksMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Removes links; unknown ones are ignored.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.RemoveLinksResponse> removeLinks(
        dev.camillo.v1.RemoveLinksRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getRemoveLinksMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists the records one step away from a record, or those that mention an entity, in pages. Merged names are one
     * entity.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.ListRelatedResponse> listRelated(
        dev.camillo.v1.ListRelatedRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListRelatedMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists the entities that the newest 5,000 rows of a space mention, and those that have merged names: the most
     * mentioned first.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.ListEntitiesResponse> listEntities(
        dev.camillo.v1.ListEntitiesRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListEntitiesMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * States that names mean the same entity. Names that mean it already stay as they are.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.MergeEntitiesResponse> mergeEntities(
        dev.camillo.v1.MergeEntitiesRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getMergeEntitiesMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Takes names out of the entity that they were merged into, so that each stands for itself. Others are ignored.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.SplitEntityResponse> splitEntity(
        dev.camillo.v1.SplitEntityRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getSplitEntityMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Reverts a change: afterwards all others apply as if it had never been made.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.RevertEntityChangeResponse> revertEntityChange(
        dev.camillo.v1.RevertEntityChangeRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getRevertEntityChangeMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists the changes of a space, newest first, with those that were reverted.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.ListEntityChangesResponse> listEntityChanges(
        dev.camillo.v1.ListEntityChangesRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListEntityChangesMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_ADD_LINKS = 0;
  private static final int METHODID_REMOVE_LINKS = 1;
  private static final int METHODID_LIST_RELATED = 2;
  private static final int METHODID_LIST_ENTITIES = 3;
  private static final int METHODID_MERGE_ENTITIES = 4;
  private static final int METHODID_SPLIT_ENTITY = 5;
  private static final int METHODID_REVERT_ENTITY_CHANGE = 6;
  private static final int METHODID_LIST_ENTITY_CHANGES = 7;

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
        case METHODID_ADD_LINKS:
          serviceImpl.addLinks((dev.camillo.v1.AddLinksRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.AddLinksResponse>) responseObserver);
          break;
        case METHODID_REMOVE_LINKS:
          serviceImpl.removeLinks((dev.camillo.v1.RemoveLinksRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.RemoveLinksResponse>) responseObserver);
          break;
        case METHODID_LIST_RELATED:
          serviceImpl.listRelated((dev.camillo.v1.ListRelatedRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ListRelatedResponse>) responseObserver);
          break;
        case METHODID_LIST_ENTITIES:
          serviceImpl.listEntities((dev.camillo.v1.ListEntitiesRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ListEntitiesResponse>) responseObserver);
          break;
        case METHODID_MERGE_ENTITIES:
          serviceImpl.mergeEntities((dev.camillo.v1.MergeEntitiesRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.MergeEntitiesResponse>) responseObserver);
          break;
        case METHODID_SPLIT_ENTITY:
          serviceImpl.splitEntity((dev.camillo.v1.SplitEntityRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.SplitEntityResponse>) responseObserver);
          break;
        case METHODID_REVERT_ENTITY_CHANGE:
          serviceImpl.revertEntityChange((dev.camillo.v1.RevertEntityChangeRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.RevertEntityChangeResponse>) responseObserver);
          break;
        case METHODID_LIST_ENTITY_CHANGES:
          serviceImpl.listEntityChanges((dev.camillo.v1.ListEntityChangesRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ListEntityChangesResponse>) responseObserver);
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
          getAddLinksMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.AddLinksRequest,
              dev.camillo.v1.AddLinksResponse>(
                service, METHODID_ADD_LINKS)))
        .addMethod(
          getRemoveLinksMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.RemoveLinksRequest,
              dev.camillo.v1.RemoveLinksResponse>(
                service, METHODID_REMOVE_LINKS)))
        .addMethod(
          getListRelatedMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.ListRelatedRequest,
              dev.camillo.v1.ListRelatedResponse>(
                service, METHODID_LIST_RELATED)))
        .addMethod(
          getListEntitiesMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.ListEntitiesRequest,
              dev.camillo.v1.ListEntitiesResponse>(
                service, METHODID_LIST_ENTITIES)))
        .addMethod(
          getMergeEntitiesMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.MergeEntitiesRequest,
              dev.camillo.v1.MergeEntitiesResponse>(
                service, METHODID_MERGE_ENTITIES)))
        .addMethod(
          getSplitEntityMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.SplitEntityRequest,
              dev.camillo.v1.SplitEntityResponse>(
                service, METHODID_SPLIT_ENTITY)))
        .addMethod(
          getRevertEntityChangeMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.RevertEntityChangeRequest,
              dev.camillo.v1.RevertEntityChangeResponse>(
                service, METHODID_REVERT_ENTITY_CHANGE)))
        .addMethod(
          getListEntityChangesMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.ListEntityChangesRequest,
              dev.camillo.v1.ListEntityChangesResponse>(
                service, METHODID_LIST_ENTITY_CHANGES)))
        .build();
  }

  private static abstract class LinkServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    LinkServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return dev.camillo.v1.LinkServiceOuterClass.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("LinkService");
    }
  }

  private static final class LinkServiceFileDescriptorSupplier
      extends LinkServiceBaseDescriptorSupplier {
    LinkServiceFileDescriptorSupplier() {}
  }

  private static final class LinkServiceMethodDescriptorSupplier
      extends LinkServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    LinkServiceMethodDescriptorSupplier(java.lang.String methodName) {
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
      synchronized (LinkServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new LinkServiceFileDescriptorSupplier())
              .addMethod(getAddLinksMethod())
              .addMethod(getRemoveLinksMethod())
              .addMethod(getListRelatedMethod())
              .addMethod(getListEntitiesMethod())
              .addMethod(getMergeEntitiesMethod())
              .addMethod(getSplitEntityMethod())
              .addMethod(getRevertEntityChangeMethod())
              .addMethod(getListEntityChangesMethod())
              .build();
        }
      }
    }
    return result;
  }
}
