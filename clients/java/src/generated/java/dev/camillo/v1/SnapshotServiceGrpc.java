package dev.camillo.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * Context for the next model call: bundles built by recipes, and the views and handoff packets in them.
 * `agent_id`, `request_id` and secrets: see MemoryService. Records that the channel may not load are excluded before
 * anything is counted or scored.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class SnapshotServiceGrpc {

  private SnapshotServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "camillo.v1.SnapshotService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.BuildSnapshotRequest,
      dev.camillo.v1.BuildSnapshotResponse> getBuildSnapshotMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "BuildSnapshot",
      requestType = dev.camillo.v1.BuildSnapshotRequest.class,
      responseType = dev.camillo.v1.BuildSnapshotResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.BuildSnapshotRequest,
      dev.camillo.v1.BuildSnapshotResponse> getBuildSnapshotMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.BuildSnapshotRequest, dev.camillo.v1.BuildSnapshotResponse> getBuildSnapshotMethod;
    if ((getBuildSnapshotMethod = SnapshotServiceGrpc.getBuildSnapshotMethod) == null) {
      synchronized (SnapshotServiceGrpc.class) {
        if ((getBuildSnapshotMethod = SnapshotServiceGrpc.getBuildSnapshotMethod) == null) {
          SnapshotServiceGrpc.getBuildSnapshotMethod = getBuildSnapshotMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.BuildSnapshotRequest, dev.camillo.v1.BuildSnapshotResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "BuildSnapshot"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.BuildSnapshotRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.BuildSnapshotResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SnapshotServiceMethodDescriptorSupplier("BuildSnapshot"))
              .build();
        }
      }
    }
    return getBuildSnapshotMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.BuildBundleRequest,
      dev.camillo.v1.BuildBundleResponse> getBuildBundleMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "BuildBundle",
      requestType = dev.camillo.v1.BuildBundleRequest.class,
      responseType = dev.camillo.v1.BuildBundleResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.BuildBundleRequest,
      dev.camillo.v1.BuildBundleResponse> getBuildBundleMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.BuildBundleRequest, dev.camillo.v1.BuildBundleResponse> getBuildBundleMethod;
    if ((getBuildBundleMethod = SnapshotServiceGrpc.getBuildBundleMethod) == null) {
      synchronized (SnapshotServiceGrpc.class) {
        if ((getBuildBundleMethod = SnapshotServiceGrpc.getBuildBundleMethod) == null) {
          SnapshotServiceGrpc.getBuildBundleMethod = getBuildBundleMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.BuildBundleRequest, dev.camillo.v1.BuildBundleResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "BuildBundle"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.BuildBundleRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.BuildBundleResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SnapshotServiceMethodDescriptorSupplier("BuildBundle"))
              .build();
        }
      }
    }
    return getBuildBundleMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.BuildWorkingMemoryRequest,
      dev.camillo.v1.BuildWorkingMemoryResponse> getBuildWorkingMemoryMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "BuildWorkingMemory",
      requestType = dev.camillo.v1.BuildWorkingMemoryRequest.class,
      responseType = dev.camillo.v1.BuildWorkingMemoryResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.BuildWorkingMemoryRequest,
      dev.camillo.v1.BuildWorkingMemoryResponse> getBuildWorkingMemoryMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.BuildWorkingMemoryRequest, dev.camillo.v1.BuildWorkingMemoryResponse> getBuildWorkingMemoryMethod;
    if ((getBuildWorkingMemoryMethod = SnapshotServiceGrpc.getBuildWorkingMemoryMethod) == null) {
      synchronized (SnapshotServiceGrpc.class) {
        if ((getBuildWorkingMemoryMethod = SnapshotServiceGrpc.getBuildWorkingMemoryMethod) == null) {
          SnapshotServiceGrpc.getBuildWorkingMemoryMethod = getBuildWorkingMemoryMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.BuildWorkingMemoryRequest, dev.camillo.v1.BuildWorkingMemoryResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "BuildWorkingMemory"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.BuildWorkingMemoryRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.BuildWorkingMemoryResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SnapshotServiceMethodDescriptorSupplier("BuildWorkingMemory"))
              .build();
        }
      }
    }
    return getBuildWorkingMemoryMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.BuildDigestRequest,
      dev.camillo.v1.BuildDigestResponse> getBuildDigestMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "BuildDigest",
      requestType = dev.camillo.v1.BuildDigestRequest.class,
      responseType = dev.camillo.v1.BuildDigestResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.BuildDigestRequest,
      dev.camillo.v1.BuildDigestResponse> getBuildDigestMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.BuildDigestRequest, dev.camillo.v1.BuildDigestResponse> getBuildDigestMethod;
    if ((getBuildDigestMethod = SnapshotServiceGrpc.getBuildDigestMethod) == null) {
      synchronized (SnapshotServiceGrpc.class) {
        if ((getBuildDigestMethod = SnapshotServiceGrpc.getBuildDigestMethod) == null) {
          SnapshotServiceGrpc.getBuildDigestMethod = getBuildDigestMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.BuildDigestRequest, dev.camillo.v1.BuildDigestResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "BuildDigest"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.BuildDigestRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.BuildDigestResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SnapshotServiceMethodDescriptorSupplier("BuildDigest"))
              .build();
        }
      }
    }
    return getBuildDigestMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ListRecipesRequest,
      dev.camillo.v1.ListRecipesResponse> getListRecipesMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListRecipes",
      requestType = dev.camillo.v1.ListRecipesRequest.class,
      responseType = dev.camillo.v1.ListRecipesResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ListRecipesRequest,
      dev.camillo.v1.ListRecipesResponse> getListRecipesMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ListRecipesRequest, dev.camillo.v1.ListRecipesResponse> getListRecipesMethod;
    if ((getListRecipesMethod = SnapshotServiceGrpc.getListRecipesMethod) == null) {
      synchronized (SnapshotServiceGrpc.class) {
        if ((getListRecipesMethod = SnapshotServiceGrpc.getListRecipesMethod) == null) {
          SnapshotServiceGrpc.getListRecipesMethod = getListRecipesMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ListRecipesRequest, dev.camillo.v1.ListRecipesResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListRecipes"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListRecipesRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListRecipesResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SnapshotServiceMethodDescriptorSupplier("ListRecipes"))
              .build();
        }
      }
    }
    return getListRecipesMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.PutRecipeRequest,
      dev.camillo.v1.PutRecipeResponse> getPutRecipeMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "PutRecipe",
      requestType = dev.camillo.v1.PutRecipeRequest.class,
      responseType = dev.camillo.v1.PutRecipeResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.PutRecipeRequest,
      dev.camillo.v1.PutRecipeResponse> getPutRecipeMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.PutRecipeRequest, dev.camillo.v1.PutRecipeResponse> getPutRecipeMethod;
    if ((getPutRecipeMethod = SnapshotServiceGrpc.getPutRecipeMethod) == null) {
      synchronized (SnapshotServiceGrpc.class) {
        if ((getPutRecipeMethod = SnapshotServiceGrpc.getPutRecipeMethod) == null) {
          SnapshotServiceGrpc.getPutRecipeMethod = getPutRecipeMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.PutRecipeRequest, dev.camillo.v1.PutRecipeResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "PutRecipe"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.PutRecipeRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.PutRecipeResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SnapshotServiceMethodDescriptorSupplier("PutRecipe"))
              .build();
        }
      }
    }
    return getPutRecipeMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.DeleteRecipeRequest,
      dev.camillo.v1.DeleteRecipeResponse> getDeleteRecipeMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "DeleteRecipe",
      requestType = dev.camillo.v1.DeleteRecipeRequest.class,
      responseType = dev.camillo.v1.DeleteRecipeResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.DeleteRecipeRequest,
      dev.camillo.v1.DeleteRecipeResponse> getDeleteRecipeMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.DeleteRecipeRequest, dev.camillo.v1.DeleteRecipeResponse> getDeleteRecipeMethod;
    if ((getDeleteRecipeMethod = SnapshotServiceGrpc.getDeleteRecipeMethod) == null) {
      synchronized (SnapshotServiceGrpc.class) {
        if ((getDeleteRecipeMethod = SnapshotServiceGrpc.getDeleteRecipeMethod) == null) {
          SnapshotServiceGrpc.getDeleteRecipeMethod = getDeleteRecipeMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.DeleteRecipeRequest, dev.camillo.v1.DeleteRecipeResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "DeleteRecipe"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.DeleteRecipeRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.DeleteRecipeResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SnapshotServiceMethodDescriptorSupplier("DeleteRecipe"))
              .build();
        }
      }
    }
    return getDeleteRecipeMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.PutViewRequest,
      dev.camillo.v1.PutViewResponse> getPutViewMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "PutView",
      requestType = dev.camillo.v1.PutViewRequest.class,
      responseType = dev.camillo.v1.PutViewResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.PutViewRequest,
      dev.camillo.v1.PutViewResponse> getPutViewMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.PutViewRequest, dev.camillo.v1.PutViewResponse> getPutViewMethod;
    if ((getPutViewMethod = SnapshotServiceGrpc.getPutViewMethod) == null) {
      synchronized (SnapshotServiceGrpc.class) {
        if ((getPutViewMethod = SnapshotServiceGrpc.getPutViewMethod) == null) {
          SnapshotServiceGrpc.getPutViewMethod = getPutViewMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.PutViewRequest, dev.camillo.v1.PutViewResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "PutView"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.PutViewRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.PutViewResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SnapshotServiceMethodDescriptorSupplier("PutView"))
              .build();
        }
      }
    }
    return getPutViewMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.GetViewRequest,
      dev.camillo.v1.GetViewResponse> getGetViewMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetView",
      requestType = dev.camillo.v1.GetViewRequest.class,
      responseType = dev.camillo.v1.GetViewResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.GetViewRequest,
      dev.camillo.v1.GetViewResponse> getGetViewMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.GetViewRequest, dev.camillo.v1.GetViewResponse> getGetViewMethod;
    if ((getGetViewMethod = SnapshotServiceGrpc.getGetViewMethod) == null) {
      synchronized (SnapshotServiceGrpc.class) {
        if ((getGetViewMethod = SnapshotServiceGrpc.getGetViewMethod) == null) {
          SnapshotServiceGrpc.getGetViewMethod = getGetViewMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.GetViewRequest, dev.camillo.v1.GetViewResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetView"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.GetViewRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.GetViewResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SnapshotServiceMethodDescriptorSupplier("GetView"))
              .build();
        }
      }
    }
    return getGetViewMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ListViewsRequest,
      dev.camillo.v1.ListViewsResponse> getListViewsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListViews",
      requestType = dev.camillo.v1.ListViewsRequest.class,
      responseType = dev.camillo.v1.ListViewsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ListViewsRequest,
      dev.camillo.v1.ListViewsResponse> getListViewsMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ListViewsRequest, dev.camillo.v1.ListViewsResponse> getListViewsMethod;
    if ((getListViewsMethod = SnapshotServiceGrpc.getListViewsMethod) == null) {
      synchronized (SnapshotServiceGrpc.class) {
        if ((getListViewsMethod = SnapshotServiceGrpc.getListViewsMethod) == null) {
          SnapshotServiceGrpc.getListViewsMethod = getListViewsMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ListViewsRequest, dev.camillo.v1.ListViewsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListViews"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListViewsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListViewsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SnapshotServiceMethodDescriptorSupplier("ListViews"))
              .build();
        }
      }
    }
    return getListViewsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.DeleteViewRequest,
      dev.camillo.v1.DeleteViewResponse> getDeleteViewMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "DeleteView",
      requestType = dev.camillo.v1.DeleteViewRequest.class,
      responseType = dev.camillo.v1.DeleteViewResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.DeleteViewRequest,
      dev.camillo.v1.DeleteViewResponse> getDeleteViewMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.DeleteViewRequest, dev.camillo.v1.DeleteViewResponse> getDeleteViewMethod;
    if ((getDeleteViewMethod = SnapshotServiceGrpc.getDeleteViewMethod) == null) {
      synchronized (SnapshotServiceGrpc.class) {
        if ((getDeleteViewMethod = SnapshotServiceGrpc.getDeleteViewMethod) == null) {
          SnapshotServiceGrpc.getDeleteViewMethod = getDeleteViewMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.DeleteViewRequest, dev.camillo.v1.DeleteViewResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "DeleteView"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.DeleteViewRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.DeleteViewResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SnapshotServiceMethodDescriptorSupplier("DeleteView"))
              .build();
        }
      }
    }
    return getDeleteViewMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.HandOffRequest,
      dev.camillo.v1.HandOffResponse> getHandOffMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "HandOff",
      requestType = dev.camillo.v1.HandOffRequest.class,
      responseType = dev.camillo.v1.HandOffResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.HandOffRequest,
      dev.camillo.v1.HandOffResponse> getHandOffMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.HandOffRequest, dev.camillo.v1.HandOffResponse> getHandOffMethod;
    if ((getHandOffMethod = SnapshotServiceGrpc.getHandOffMethod) == null) {
      synchronized (SnapshotServiceGrpc.class) {
        if ((getHandOffMethod = SnapshotServiceGrpc.getHandOffMethod) == null) {
          SnapshotServiceGrpc.getHandOffMethod = getHandOffMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.HandOffRequest, dev.camillo.v1.HandOffResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "HandOff"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.HandOffRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.HandOffResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SnapshotServiceMethodDescriptorSupplier("HandOff"))
              .build();
        }
      }
    }
    return getHandOffMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ListHandoffsRequest,
      dev.camillo.v1.ListHandoffsResponse> getListHandoffsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListHandoffs",
      requestType = dev.camillo.v1.ListHandoffsRequest.class,
      responseType = dev.camillo.v1.ListHandoffsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ListHandoffsRequest,
      dev.camillo.v1.ListHandoffsResponse> getListHandoffsMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ListHandoffsRequest, dev.camillo.v1.ListHandoffsResponse> getListHandoffsMethod;
    if ((getListHandoffsMethod = SnapshotServiceGrpc.getListHandoffsMethod) == null) {
      synchronized (SnapshotServiceGrpc.class) {
        if ((getListHandoffsMethod = SnapshotServiceGrpc.getListHandoffsMethod) == null) {
          SnapshotServiceGrpc.getListHandoffsMethod = getListHandoffsMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ListHandoffsRequest, dev.camillo.v1.ListHandoffsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListHandoffs"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListHandoffsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListHandoffsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SnapshotServiceMethodDescriptorSupplier("ListHandoffs"))
              .build();
        }
      }
    }
    return getListHandoffsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.AcceptHandoffsRequest,
      dev.camillo.v1.AcceptHandoffsResponse> getAcceptHandoffsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "AcceptHandoffs",
      requestType = dev.camillo.v1.AcceptHandoffsRequest.class,
      responseType = dev.camillo.v1.AcceptHandoffsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.AcceptHandoffsRequest,
      dev.camillo.v1.AcceptHandoffsResponse> getAcceptHandoffsMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.AcceptHandoffsRequest, dev.camillo.v1.AcceptHandoffsResponse> getAcceptHandoffsMethod;
    if ((getAcceptHandoffsMethod = SnapshotServiceGrpc.getAcceptHandoffsMethod) == null) {
      synchronized (SnapshotServiceGrpc.class) {
        if ((getAcceptHandoffsMethod = SnapshotServiceGrpc.getAcceptHandoffsMethod) == null) {
          SnapshotServiceGrpc.getAcceptHandoffsMethod = getAcceptHandoffsMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.AcceptHandoffsRequest, dev.camillo.v1.AcceptHandoffsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "AcceptHandoffs"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.AcceptHandoffsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.AcceptHandoffsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new SnapshotServiceMethodDescriptorSupplier("AcceptHandoffs"))
              .build();
        }
      }
    }
    return getAcceptHandoffsMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static SnapshotServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<SnapshotServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<SnapshotServiceStub>() {
        @java.lang.Override
        public SnapshotServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new SnapshotServiceStub(channel, callOptions);
        }
      };
    return SnapshotServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static SnapshotServiceBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<SnapshotServiceBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<SnapshotServiceBlockingV2Stub>() {
        @java.lang.Override
        public SnapshotServiceBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new SnapshotServiceBlockingV2Stub(channel, callOptions);
        }
      };
    return SnapshotServiceBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static SnapshotServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<SnapshotServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<SnapshotServiceBlockingStub>() {
        @java.lang.Override
        public SnapshotServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new SnapshotServiceBlockingStub(channel, callOptions);
        }
      };
    return SnapshotServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static SnapshotServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<SnapshotServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<SnapshotServiceFutureStub>() {
        @java.lang.Override
        public SnapshotServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new SnapshotServiceFutureStub(channel, callOptions);
        }
      };
    return SnapshotServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * Context for the next model call: bundles built by recipes, and the views and handoff packets in them.
   * `agent_id`, `request_id` and secrets: see MemoryService. Records that the channel may not load are excluded before
   * anything is counted or scored.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * Builds the context for the start of a run: best matches of the trigger, recent and pinned memories. Recipe
     * `run_snapshot`.
     * </pre>
     */
    default void buildSnapshot(dev.camillo.v1.BuildSnapshotRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.BuildSnapshotResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getBuildSnapshotMethod(), responseObserver);
    }

    /**
     * <pre>
     * Builds the context for the next model call, by any recipe; `active_context` unless another one is named.
     * </pre>
     */
    default void buildBundle(dev.camillo.v1.BuildBundleRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.BuildBundleResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getBuildBundleMethod(), responseObserver);
    }

    /**
     * <pre>
     * Builds the context for one tick of an engine that keeps the conversation itself. Recipe `working_memory`.
     * </pre>
     */
    default void buildWorkingMemory(dev.camillo.v1.BuildWorkingMemoryRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.BuildWorkingMemoryResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getBuildWorkingMemoryMethod(), responseObserver);
    }

    /**
     * <pre>
     * Builds a digest of the slots, a line each, which is shown without a query. Recipe `digest`.
     * </pre>
     */
    default void buildDigest(dev.camillo.v1.BuildDigestRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.BuildDigestResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getBuildDigestMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists every recipe that the tenant can use.
     * </pre>
     */
    default void listRecipes(dev.camillo.v1.ListRecipesRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListRecipesResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListRecipesMethod(), responseObserver);
    }

    /**
     * <pre>
     * Stores a recipe of the tenant's own, if it is valid.
     * </pre>
     */
    default void putRecipe(dev.camillo.v1.PutRecipeRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.PutRecipeResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getPutRecipeMethod(), responseObserver);
    }

    /**
     * <pre>
     * Removes a recipe of the tenant's own. Built-in recipes stay.
     * </pre>
     */
    default void deleteRecipe(dev.camillo.v1.DeleteRecipeRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.DeleteRecipeResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getDeleteRecipeMethod(), responseObserver);
    }

    /**
     * <pre>
     * Stores a view: a text that is always shown to the agent, or, from an operator, to the whole tenant. Up to 16 of
     * each, else QUOTA_EXCEEDED.
     * </pre>
     */
    default void putView(dev.camillo.v1.PutViewRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.PutViewResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getPutViewMethod(), responseObserver);
    }

    /**
     * <pre>
     * Returns the agent's own view of a name, or else the tenant's.
     * </pre>
     */
    default void getView(dev.camillo.v1.GetViewRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.GetViewResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetViewMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists the agent's views and the tenant's.
     * </pre>
     */
    default void listViews(dev.camillo.v1.ListViewsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListViewsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListViewsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Removes the agent's view of a name.
     * </pre>
     */
    default void deleteView(dev.camillo.v1.DeleteViewRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.DeleteViewResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getDeleteViewMethod(), responseObserver);
    }

    /**
     * <pre>
     * Hands over an explicit packet, and nothing else, to another agent of the tenant. That agent's next bundles show it.
     * </pre>
     */
    default void handOff(dev.camillo.v1.HandOffRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.HandOffResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getHandOffMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists packets that were handed to the agent and are still shown, latest first.
     * </pre>
     */
    default void listHandoffs(dev.camillo.v1.ListHandoffsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListHandoffsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListHandoffsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Sets the agents from which the agent accepts handoffs, and whose audited actions it is shown beside its own.
     * Default: any agent of the tenant.
     * </pre>
     */
    default void acceptHandoffs(dev.camillo.v1.AcceptHandoffsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.AcceptHandoffsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getAcceptHandoffsMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service SnapshotService.
   * <pre>
   * Context for the next model call: bundles built by recipes, and the views and handoff packets in them.
   * `agent_id`, `request_id` and secrets: see MemoryService. Records that the channel may not load are excluded before
   * anything is counted or scored.
   * </pre>
   */
  public static abstract class SnapshotServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return SnapshotServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service SnapshotService.
   * <pre>
   * Context for the next model call: bundles built by recipes, and the views and handoff packets in them.
   * `agent_id`, `request_id` and secrets: see MemoryService. Records that the channel may not load are excluded before
   * anything is counted or scored.
   * </pre>
   */
  public static final class SnapshotServiceStub
      extends io.grpc.stub.AbstractAsyncStub<SnapshotServiceStub> {
    private SnapshotServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected SnapshotServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new SnapshotServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * Builds the context for the start of a run: best matches of the trigger, recent and pinned memories. Recipe
     * `run_snapshot`.
     * </pre>
     */
    public void buildSnapshot(dev.camillo.v1.BuildSnapshotRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.BuildSnapshotResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getBuildSnapshotMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Builds the context for the next model call, by any recipe; `active_context` unless another one is named.
     * </pre>
     */
    public void buildBundle(dev.camillo.v1.BuildBundleRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.BuildBundleResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getBuildBundleMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Builds the context for one tick of an engine that keeps the conversation itself. Recipe `working_memory`.
     * </pre>
     */
    public void buildWorkingMemory(dev.camillo.v1.BuildWorkingMemoryRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.BuildWorkingMemoryResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getBuildWorkingMemoryMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Builds a digest of the slots, a line each, which is shown without a query. Recipe `digest`.
     * </pre>
     */
    public void buildDigest(dev.camillo.v1.BuildDigestRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.BuildDigestResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getBuildDigestMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists every recipe that the tenant can use.
     * </pre>
     */
    public void listRecipes(dev.camillo.v1.ListRecipesRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListRecipesResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListRecipesMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Stores a recipe of the tenant's own, if it is valid.
     * </pre>
     */
    public void putRecipe(dev.camillo.v1.PutRecipeRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.PutRecipeResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getPutRecipeMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Removes a recipe of the tenant's own. Built-in recipes stay.
     * </pre>
     */
    public void deleteRecipe(dev.camillo.v1.DeleteRecipeRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.DeleteRecipeResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getDeleteRecipeMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Stores a view: a text that is always shown to the agent, or, from an operator, to the whole tenant. Up to 16 of
     * each, else QUOTA_EXCEEDED.
     * </pre>
     */
    public void putView(dev.camillo.v1.PutViewRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.PutViewResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getPutViewMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Returns the agent's own view of a name, or else the tenant's.
     * </pre>
     */
    public void getView(dev.camillo.v1.GetViewRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.GetViewResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetViewMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists the agent's views and the tenant's.
     * </pre>
     */
    public void listViews(dev.camillo.v1.ListViewsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListViewsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListViewsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Removes the agent's view of a name.
     * </pre>
     */
    public void deleteView(dev.camillo.v1.DeleteViewRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.DeleteViewResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getDeleteViewMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Hands over an explicit packet, and nothing else, to another agent of the tenant. That agent's next bundles show it.
     * </pre>
     */
    public void handOff(dev.camillo.v1.HandOffRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.HandOffResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getHandOffMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists packets that were handed to the agent and are still shown, latest first.
     * </pre>
     */
    public void listHandoffs(dev.camillo.v1.ListHandoffsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListHandoffsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListHandoffsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Sets the agents from which the agent accepts handoffs, and whose audited actions it is shown beside its own.
     * Default: any agent of the tenant.
     * </pre>
     */
    public void acceptHandoffs(dev.camillo.v1.AcceptHandoffsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.AcceptHandoffsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getAcceptHandoffsMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service SnapshotService.
   * <pre>
   * Context for the next model call: bundles built by recipes, and the views and handoff packets in them.
   * `agent_id`, `request_id` and secrets: see MemoryService. Records that the channel may not load are excluded before
   * anything is counted or scored.
   * </pre>
   */
  public static final class SnapshotServiceBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<SnapshotServiceBlockingV2Stub> {
    private SnapshotServiceBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected SnapshotServiceBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new SnapshotServiceBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * Builds the context for the start of a run: best matches of the trigger, recent and pinned memories. Recipe
     * `run_snapshot`.
     * </pre>
     */
    public dev.camillo.v1.BuildSnapshotResponse buildSnapshot(dev.camillo.v1.BuildSnapshotRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getBuildSnapshotMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Builds the context for the next model call, by any recipe; `active_context` unless another one is named.
     * </pre>
     */
    public dev.camillo.v1.BuildBundleResponse buildBundle(dev.camillo.v1.BuildBundleRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getBuildBundleMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Builds the context for one tick of an engine that keeps the conversation itself. Recipe `working_memory`.
     * </pre>
     */
    public dev.camillo.v1.BuildWorkingMemoryResponse buildWorkingMemory(dev.camillo.v1.BuildWorkingMemoryRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getBuildWorkingMemoryMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Builds a digest of the slots, a line each, which is shown without a query. Recipe `digest`.
     * </pre>
     */
    public dev.camillo.v1.BuildDigestResponse buildDigest(dev.camillo.v1.BuildDigestRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getBuildDigestMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists every recipe that the tenant can use.
     * </pre>
     */
    public dev.camillo.v1.ListRecipesResponse listRecipes(dev.camillo.v1.ListRecipesRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListRecipesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Stores a recipe of the tenant's own, if it is valid.
     * </pre>
     */
    public dev.camillo.v1.PutRecipeResponse putRecipe(dev.camillo.v1.PutRecipeRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getPutRecipeMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Removes a recipe of the tenant's own. Built-in recipes stay.
     * </pre>
     */
    public dev.camillo.v1.DeleteRecipeResponse deleteRecipe(dev.camillo.v1.DeleteRecipeRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getDeleteRecipeMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Stores a view: a text that is always shown to the agent, or, from an operator, to the whole tenant. Up to 16 of
     * each, else QUOTA_EXCEEDED.
     * </pre>
     */
    public dev.camillo.v1.PutViewResponse putView(dev.camillo.v1.PutViewRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getPutViewMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Returns the agent's own view of a name, or else the tenant's.
     * </pre>
     */
    public dev.camillo.v1.GetViewResponse getView(dev.camillo.v1.GetViewRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getGetViewMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the agent's views and the tenant's.
     * </pre>
     */
    public dev.camillo.v1.ListViewsResponse listViews(dev.camillo.v1.ListViewsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListViewsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Removes the agent's view of a name.
     * </pre>
     */
    public dev.camillo.v1.DeleteViewResponse deleteView(dev.camillo.v1.DeleteViewRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getDeleteViewMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Hands over an explicit packet, and nothing else, to another agent of the tenant. That agent's next bundles show it.
     * </pre>
     */
    public dev.camillo.v1.HandOffResponse handOff(dev.camillo.v1.HandOffRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getHandOffMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists packets that were handed to the agent and are still shown, latest first.
     * </pre>
     */
    public dev.camillo.v1.ListHandoffsResponse listHandoffs(dev.camillo.v1.ListHandoffsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListHandoffsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Sets the agents from which the agent accepts handoffs, and whose audited actions it is shown beside its own.
     * Default: any agent of the tenant.
     * </pre>
     */
    public dev.camillo.v1.AcceptHandoffsResponse acceptHandoffs(dev.camillo.v1.AcceptHandoffsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getAcceptHandoffsMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service SnapshotService.
   * <pre>
   * Context for the next model call: bundles built by recipes, and the views and handoff packets in them.
   * `agent_id`, `request_id` and secrets: see MemoryService. Records that the channel may not load are excluded before
   * anything is counted or scored.
   * </pre>
   */
  public static final class SnapshotServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<SnapshotServiceBlockingStub> {
    private SnapshotServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected SnapshotServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new SnapshotServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * Builds the context for the start of a run: best matches of the trigger, recent and pinned memories. Recipe
     * `run_snapshot`.
     * </pre>
     */
    public dev.camillo.v1.BuildSnapshotResponse buildSnapshot(dev.camillo.v1.BuildSnapshotRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getBuildSnapshotMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Builds the context for the next model call, by any recipe; `active_context` unless another one is named.
     * </pre>
     */
    public dev.camillo.v1.BuildBundleResponse buildBundle(dev.camillo.v1.BuildBundleRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getBuildBundleMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Builds the context for one tick of an engine that keeps the conversation itself. Recipe `working_memory`.
     * </pre>
     */
    public dev.camillo.v1.BuildWorkingMemoryResponse buildWorkingMemory(dev.camillo.v1.BuildWorkingMemoryRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getBuildWorkingMemoryMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Builds a digest of the slots, a line each, which is shown without a query. Recipe `digest`.
     * </pre>
     */
    public dev.camillo.v1.BuildDigestResponse buildDigest(dev.camillo.v1.BuildDigestRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getBuildDigestMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists every recipe that the tenant can use.
     * </pre>
     */
    public dev.camillo.v1.ListRecipesResponse listRecipes(dev.camillo.v1.ListRecipesRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListRecipesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Stores a recipe of the tenant's own, if it is valid.
     * </pre>
     */
    public dev.camillo.v1.PutRecipeResponse putRecipe(dev.camillo.v1.PutRecipeRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getPutRecipeMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Removes a recipe of the tenant's own. Built-in recipes stay.
     * </pre>
     */
    public dev.camillo.v1.DeleteRecipeResponse deleteRecipe(dev.camillo.v1.DeleteRecipeRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getDeleteRecipeMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Stores a view: a text that is always shown to the agent, or, from an operator, to the whole tenant. Up to 16 of
     * each, else QUOTA_EXCEEDED.
     * </pre>
     */
    public dev.camillo.v1.PutViewResponse putView(dev.camillo.v1.PutViewRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getPutViewMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Returns the agent's own view of a name, or else the tenant's.
     * </pre>
     */
    public dev.camillo.v1.GetViewResponse getView(dev.camillo.v1.GetViewRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetViewMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the agent's views and the tenant's.
     * </pre>
     */
    public dev.camillo.v1.ListViewsResponse listViews(dev.camillo.v1.ListViewsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListViewsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Removes the agent's view of a name.
     * </pre>
     */
    public dev.camillo.v1.DeleteViewResponse deleteView(dev.camillo.v1.DeleteViewRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getDeleteViewMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Hands over an explicit packet, and nothing else, to another agent of the tenant. That agent's next bundles show it.
     * </pre>
     */
    public dev.camillo.v1.HandOffResponse handOff(dev.camillo.v1.HandOffRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getHandOffMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists packets that were handed to the agent and are still shown, latest first.
     * </pre>
     */
    public dev.camillo.v1.ListHandoffsResponse listHandoffs(dev.camillo.v1.ListHandoffsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListHandoffsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Sets the agents from which the agent accepts handoffs, and whose audited actions it is shown beside its own.
     * Default: any agent of the tenant.
     * </pre>
     */
    public dev.camillo.v1.AcceptHandoffsResponse acceptHandoffs(dev.camillo.v1.AcceptHandoffsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getAcceptHandoffsMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service SnapshotService.
   * <pre>
   * Context for the next model call: bundles built by recipes, and the views and handoff packets in them.
   * `agent_id`, `request_id` and secrets: see MemoryService. Records that the channel may not load are excluded before
   * anything is counted or scored.
   * </pre>
   */
  public static final class SnapshotServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<SnapshotServiceFutureStub> {
    private SnapshotServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected SnapshotServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new SnapshotServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * Builds the context for the start of a run: best matches of the trigger, recent and pinned memories. Recipe
     * `run_snapshot`.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.BuildSnapshotResponse> buildSnapshot(
        dev.camillo.v1.BuildSnapshotRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getBuildSnapshotMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Builds the context for the next model call, by any recipe; `active_context` unless another one is named.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.BuildBundleResponse> buildBundle(
        dev.camillo.v1.BuildBundleRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getBuildBundleMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Builds the context for one tick of an engine that keeps the conversation itself. Recipe `working_memory`.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.BuildWorkingMemoryResponse> buildWorkingMemory(
        dev.camillo.v1.BuildWorkingMemoryRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getBuildWorkingMemoryMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Builds a digest of the slots, a line each, which is shown without a query. Recipe `digest`.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.BuildDigestResponse> buildDigest(
        dev.camillo.v1.BuildDigestRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getBuildDigestMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists every recipe that the tenant can use.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.ListRecipesResponse> listRecipes(
        dev.camillo.v1.ListRecipesRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListRecipesMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Stores a recipe of the tenant's own, if it is valid.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.PutRecipeResponse> putRecipe(
        dev.camillo.v1.PutRecipeRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getPutRecipeMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Removes a recipe of the tenant's own. Built-in recipes stay.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.DeleteRecipeResponse> deleteRecipe(
        dev.camillo.v1.DeleteRecipeRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getDeleteRecipeMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Stores a view: a text that is always shown to the agent, or, from an operator, to the whole tenant. Up to 16 of
     * each, else QUOTA_EXCEEDED.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.PutViewResponse> putView(
        dev.camillo.v1.PutViewRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getPutViewMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Returns the agent's own view of a name, or else the tenant's.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.GetViewResponse> getView(
        dev.camillo.v1.GetViewRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetViewMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists the agent's views and the tenant's.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.ListViewsResponse> listViews(
        dev.camillo.v1.ListViewsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListViewsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Removes the agent's view of a name.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.DeleteViewResponse> deleteView(
        dev.camillo.v1.DeleteViewRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getDeleteViewMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Hands over an explicit packet, and nothing else, to another agent of the tenant. That agent's next bundles show it.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.HandOffResponse> handOff(
        dev.camillo.v1.HandOffRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getHandOffMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists packets that were handed to the agent and are still shown, latest first.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.ListHandoffsResponse> listHandoffs(
        dev.camillo.v1.ListHandoffsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListHandoffsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Sets the agents from which the agent accepts handoffs, and whose audited actions it is shown beside its own.
     * Default: any agent of the tenant.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.AcceptHandoffsResponse> acceptHandoffs(
        dev.camillo.v1.AcceptHandoffsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getAcceptHandoffsMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_BUILD_SNAPSHOT = 0;
  private static final int METHODID_BUILD_BUNDLE = 1;
  private static final int METHODID_BUILD_WORKING_MEMORY = 2;
  private static final int METHODID_BUILD_DIGEST = 3;
  private static final int METHODID_LIST_RECIPES = 4;
  private static final int METHODID_PUT_RECIPE = 5;
  private static final int METHODID_DELETE_RECIPE = 6;
  private static final int METHODID_PUT_VIEW = 7;
  private static final int METHODID_GET_VIEW = 8;
  private static final int METHODID_LIST_VIEWS = 9;
  private static final int METHODID_DELETE_VIEW = 10;
  private static final int METHODID_HAND_OFF = 11;
  private static final int METHODID_LIST_HANDOFFS = 12;
  private static final int METHODID_ACCEPT_HANDOFFS = 13;

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
        case METHODID_BUILD_SNAPSHOT:
          serviceImpl.buildSnapshot((dev.camillo.v1.BuildSnapshotRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.BuildSnapshotResponse>) responseObserver);
          break;
        case METHODID_BUILD_BUNDLE:
          serviceImpl.buildBundle((dev.camillo.v1.BuildBundleRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.BuildBundleResponse>) responseObserver);
          break;
        case METHODID_BUILD_WORKING_MEMORY:
          serviceImpl.buildWorkingMemory((dev.camillo.v1.BuildWorkingMemoryRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.BuildWorkingMemoryResponse>) responseObserver);
          break;
        case METHODID_BUILD_DIGEST:
          serviceImpl.buildDigest((dev.camillo.v1.BuildDigestRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.BuildDigestResponse>) responseObserver);
          break;
        case METHODID_LIST_RECIPES:
          serviceImpl.listRecipes((dev.camillo.v1.ListRecipesRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ListRecipesResponse>) responseObserver);
          break;
        case METHODID_PUT_RECIPE:
          serviceImpl.putRecipe((dev.camillo.v1.PutRecipeRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.PutRecipeResponse>) responseObserver);
          break;
        case METHODID_DELETE_RECIPE:
          serviceImpl.deleteRecipe((dev.camillo.v1.DeleteRecipeRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.DeleteRecipeResponse>) responseObserver);
          break;
        case METHODID_PUT_VIEW:
          serviceImpl.putView((dev.camillo.v1.PutViewRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.PutViewResponse>) responseObserver);
          break;
        case METHODID_GET_VIEW:
          serviceImpl.getView((dev.camillo.v1.GetViewRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.GetViewResponse>) responseObserver);
          break;
        case METHODID_LIST_VIEWS:
          serviceImpl.listViews((dev.camillo.v1.ListViewsRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ListViewsResponse>) responseObserver);
          break;
        case METHODID_DELETE_VIEW:
          serviceImpl.deleteView((dev.camillo.v1.DeleteViewRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.DeleteViewResponse>) responseObserver);
          break;
        case METHODID_HAND_OFF:
          serviceImpl.handOff((dev.camillo.v1.HandOffRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.HandOffResponse>) responseObserver);
          break;
        case METHODID_LIST_HANDOFFS:
          serviceImpl.listHandoffs((dev.camillo.v1.ListHandoffsRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ListHandoffsResponse>) responseObserver);
          break;
        case METHODID_ACCEPT_HANDOFFS:
          serviceImpl.acceptHandoffs((dev.camillo.v1.AcceptHandoffsRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.AcceptHandoffsResponse>) responseObserver);
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
          getBuildSnapshotMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.BuildSnapshotRequest,
              dev.camillo.v1.BuildSnapshotResponse>(
                service, METHODID_BUILD_SNAPSHOT)))
        .addMethod(
          getBuildBundleMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.BuildBundleRequest,
              dev.camillo.v1.BuildBundleResponse>(
                service, METHODID_BUILD_BUNDLE)))
        .addMethod(
          getBuildWorkingMemoryMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.BuildWorkingMemoryRequest,
              dev.camillo.v1.BuildWorkingMemoryResponse>(
                service, METHODID_BUILD_WORKING_MEMORY)))
        .addMethod(
          getBuildDigestMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.BuildDigestRequest,
              dev.camillo.v1.BuildDigestResponse>(
                service, METHODID_BUILD_DIGEST)))
        .addMethod(
          getListRecipesMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.ListRecipesRequest,
              dev.camillo.v1.ListRecipesResponse>(
                service, METHODID_LIST_RECIPES)))
        .addMethod(
          getPutRecipeMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.PutRecipeRequest,
              dev.camillo.v1.PutRecipeResponse>(
                service, METHODID_PUT_RECIPE)))
        .addMethod(
          getDeleteRecipeMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.DeleteRecipeRequest,
              dev.camillo.v1.DeleteRecipeResponse>(
                service, METHODID_DELETE_RECIPE)))
        .addMethod(
          getPutViewMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.PutViewRequest,
              dev.camillo.v1.PutViewResponse>(
                service, METHODID_PUT_VIEW)))
        .addMethod(
          getGetViewMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.GetViewRequest,
              dev.camillo.v1.GetViewResponse>(
                service, METHODID_GET_VIEW)))
        .addMethod(
          getListViewsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.ListViewsRequest,
              dev.camillo.v1.ListViewsResponse>(
                service, METHODID_LIST_VIEWS)))
        .addMethod(
          getDeleteViewMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.DeleteViewRequest,
              dev.camillo.v1.DeleteViewResponse>(
                service, METHODID_DELETE_VIEW)))
        .addMethod(
          getHandOffMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.HandOffRequest,
              dev.camillo.v1.HandOffResponse>(
                service, METHODID_HAND_OFF)))
        .addMethod(
          getListHandoffsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.ListHandoffsRequest,
              dev.camillo.v1.ListHandoffsResponse>(
                service, METHODID_LIST_HANDOFFS)))
        .addMethod(
          getAcceptHandoffsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.AcceptHandoffsRequest,
              dev.camillo.v1.AcceptHandoffsResponse>(
                service, METHODID_ACCEPT_HANDOFFS)))
        .build();
  }

  private static abstract class SnapshotServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    SnapshotServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return dev.camillo.v1.SnapshotServiceOuterClass.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("SnapshotService");
    }
  }

  private static final class SnapshotServiceFileDescriptorSupplier
      extends SnapshotServiceBaseDescriptorSupplier {
    SnapshotServiceFileDescriptorSupplier() {}
  }

  private static final class SnapshotServiceMethodDescriptorSupplier
      extends SnapshotServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    SnapshotServiceMethodDescriptorSupplier(java.lang.String methodName) {
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
      synchronized (SnapshotServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new SnapshotServiceFileDescriptorSupplier())
              .addMethod(getBuildSnapshotMethod())
              .addMethod(getBuildBundleMethod())
              .addMethod(getBuildWorkingMemoryMethod())
              .addMethod(getBuildDigestMethod())
              .addMethod(getListRecipesMethod())
              .addMethod(getPutRecipeMethod())
              .addMethod(getDeleteRecipeMethod())
              .addMethod(getPutViewMethod())
              .addMethod(getGetViewMethod())
              .addMethod(getListViewsMethod())
              .addMethod(getDeleteViewMethod())
              .addMethod(getHandOffMethod())
              .addMethod(getListHandoffsMethod())
              .addMethod(getAcceptHandoffsMethod())
              .build();
        }
      }
    }
    return result;
  }
}
