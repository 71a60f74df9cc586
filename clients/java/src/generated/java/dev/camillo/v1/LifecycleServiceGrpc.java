package dev.camillo.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * Upkeep of memories over time: archiving, removal, merging, counting.
 * The server does by itself, once an hour for every space, what RunMaintenance does when called; any other scheduler
 * may call it instead. Pinned memories are exempt from all of it. RestoreMemories brings archived memories back.
 * `agent_id` and `request_id`: see MemoryService.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class LifecycleServiceGrpc {

  private LifecycleServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "camillo.v1.LifecycleService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.RunMaintenanceRequest,
      dev.camillo.v1.RunMaintenanceResponse> getRunMaintenanceMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "RunMaintenance",
      requestType = dev.camillo.v1.RunMaintenanceRequest.class,
      responseType = dev.camillo.v1.RunMaintenanceResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.RunMaintenanceRequest,
      dev.camillo.v1.RunMaintenanceResponse> getRunMaintenanceMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.RunMaintenanceRequest, dev.camillo.v1.RunMaintenanceResponse> getRunMaintenanceMethod;
    if ((getRunMaintenanceMethod = LifecycleServiceGrpc.getRunMaintenanceMethod) == null) {
      synchronized (LifecycleServiceGrpc.class) {
        if ((getRunMaintenanceMethod = LifecycleServiceGrpc.getRunMaintenanceMethod) == null) {
          LifecycleServiceGrpc.getRunMaintenanceMethod = getRunMaintenanceMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.RunMaintenanceRequest, dev.camillo.v1.RunMaintenanceResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "RunMaintenance"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.RunMaintenanceRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.RunMaintenanceResponse.getDefaultInstance()))
              .setSchemaDescriptor(new LifecycleServiceMethodDescriptorSupplier("RunMaintenance"))
              .build();
        }
      }
    }
    return getRunMaintenanceMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.PruneRequest,
      dev.camillo.v1.PruneResponse> getPruneMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "Prune",
      requestType = dev.camillo.v1.PruneRequest.class,
      responseType = dev.camillo.v1.PruneResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.PruneRequest,
      dev.camillo.v1.PruneResponse> getPruneMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.PruneRequest, dev.camillo.v1.PruneResponse> getPruneMethod;
    if ((getPruneMethod = LifecycleServiceGrpc.getPruneMethod) == null) {
      synchronized (LifecycleServiceGrpc.class) {
        if ((getPruneMethod = LifecycleServiceGrpc.getPruneMethod) == null) {
          LifecycleServiceGrpc.getPruneMethod = getPruneMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.PruneRequest, dev.camillo.v1.PruneResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "Prune"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.PruneRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.PruneResponse.getDefaultInstance()))
              .setSchemaDescriptor(new LifecycleServiceMethodDescriptorSupplier("Prune"))
              .build();
        }
      }
    }
    return getPruneMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ArchiveRequest,
      dev.camillo.v1.ArchiveResponse> getArchiveMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "Archive",
      requestType = dev.camillo.v1.ArchiveRequest.class,
      responseType = dev.camillo.v1.ArchiveResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ArchiveRequest,
      dev.camillo.v1.ArchiveResponse> getArchiveMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ArchiveRequest, dev.camillo.v1.ArchiveResponse> getArchiveMethod;
    if ((getArchiveMethod = LifecycleServiceGrpc.getArchiveMethod) == null) {
      synchronized (LifecycleServiceGrpc.class) {
        if ((getArchiveMethod = LifecycleServiceGrpc.getArchiveMethod) == null) {
          LifecycleServiceGrpc.getArchiveMethod = getArchiveMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ArchiveRequest, dev.camillo.v1.ArchiveResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "Archive"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ArchiveRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ArchiveResponse.getDefaultInstance()))
              .setSchemaDescriptor(new LifecycleServiceMethodDescriptorSupplier("Archive"))
              .build();
        }
      }
    }
    return getArchiveMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ResetRequest,
      dev.camillo.v1.ResetResponse> getResetMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "Reset",
      requestType = dev.camillo.v1.ResetRequest.class,
      responseType = dev.camillo.v1.ResetResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ResetRequest,
      dev.camillo.v1.ResetResponse> getResetMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ResetRequest, dev.camillo.v1.ResetResponse> getResetMethod;
    if ((getResetMethod = LifecycleServiceGrpc.getResetMethod) == null) {
      synchronized (LifecycleServiceGrpc.class) {
        if ((getResetMethod = LifecycleServiceGrpc.getResetMethod) == null) {
          LifecycleServiceGrpc.getResetMethod = getResetMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ResetRequest, dev.camillo.v1.ResetResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "Reset"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ResetRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ResetResponse.getDefaultInstance()))
              .setSchemaDescriptor(new LifecycleServiceMethodDescriptorSupplier("Reset"))
              .build();
        }
      }
    }
    return getResetMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ForgetRequest,
      dev.camillo.v1.ForgetResponse> getForgetMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "Forget",
      requestType = dev.camillo.v1.ForgetRequest.class,
      responseType = dev.camillo.v1.ForgetResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ForgetRequest,
      dev.camillo.v1.ForgetResponse> getForgetMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ForgetRequest, dev.camillo.v1.ForgetResponse> getForgetMethod;
    if ((getForgetMethod = LifecycleServiceGrpc.getForgetMethod) == null) {
      synchronized (LifecycleServiceGrpc.class) {
        if ((getForgetMethod = LifecycleServiceGrpc.getForgetMethod) == null) {
          LifecycleServiceGrpc.getForgetMethod = getForgetMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ForgetRequest, dev.camillo.v1.ForgetResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "Forget"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ForgetRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ForgetResponse.getDefaultInstance()))
              .setSchemaDescriptor(new LifecycleServiceMethodDescriptorSupplier("Forget"))
              .build();
        }
      }
    }
    return getForgetMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.CompactRequest,
      dev.camillo.v1.CompactResponse> getCompactMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "Compact",
      requestType = dev.camillo.v1.CompactRequest.class,
      responseType = dev.camillo.v1.CompactResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.CompactRequest,
      dev.camillo.v1.CompactResponse> getCompactMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.CompactRequest, dev.camillo.v1.CompactResponse> getCompactMethod;
    if ((getCompactMethod = LifecycleServiceGrpc.getCompactMethod) == null) {
      synchronized (LifecycleServiceGrpc.class) {
        if ((getCompactMethod = LifecycleServiceGrpc.getCompactMethod) == null) {
          LifecycleServiceGrpc.getCompactMethod = getCompactMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.CompactRequest, dev.camillo.v1.CompactResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "Compact"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.CompactRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.CompactResponse.getDefaultInstance()))
              .setSchemaDescriptor(new LifecycleServiceMethodDescriptorSupplier("Compact"))
              .build();
        }
      }
    }
    return getCompactMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.RevertCompactionRequest,
      dev.camillo.v1.RevertCompactionResponse> getRevertCompactionMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "RevertCompaction",
      requestType = dev.camillo.v1.RevertCompactionRequest.class,
      responseType = dev.camillo.v1.RevertCompactionResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.RevertCompactionRequest,
      dev.camillo.v1.RevertCompactionResponse> getRevertCompactionMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.RevertCompactionRequest, dev.camillo.v1.RevertCompactionResponse> getRevertCompactionMethod;
    if ((getRevertCompactionMethod = LifecycleServiceGrpc.getRevertCompactionMethod) == null) {
      synchronized (LifecycleServiceGrpc.class) {
        if ((getRevertCompactionMethod = LifecycleServiceGrpc.getRevertCompactionMethod) == null) {
          LifecycleServiceGrpc.getRevertCompactionMethod = getRevertCompactionMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.RevertCompactionRequest, dev.camillo.v1.RevertCompactionResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "RevertCompaction"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.RevertCompactionRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.RevertCompactionResponse.getDefaultInstance()))
              .setSchemaDescriptor(new LifecycleServiceMethodDescriptorSupplier("RevertCompaction"))
              .build();
        }
      }
    }
    return getRevertCompactionMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ListCompactionsRequest,
      dev.camillo.v1.ListCompactionsResponse> getListCompactionsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListCompactions",
      requestType = dev.camillo.v1.ListCompactionsRequest.class,
      responseType = dev.camillo.v1.ListCompactionsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ListCompactionsRequest,
      dev.camillo.v1.ListCompactionsResponse> getListCompactionsMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ListCompactionsRequest, dev.camillo.v1.ListCompactionsResponse> getListCompactionsMethod;
    if ((getListCompactionsMethod = LifecycleServiceGrpc.getListCompactionsMethod) == null) {
      synchronized (LifecycleServiceGrpc.class) {
        if ((getListCompactionsMethod = LifecycleServiceGrpc.getListCompactionsMethod) == null) {
          LifecycleServiceGrpc.getListCompactionsMethod = getListCompactionsMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ListCompactionsRequest, dev.camillo.v1.ListCompactionsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListCompactions"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListCompactionsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListCompactionsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new LifecycleServiceMethodDescriptorSupplier("ListCompactions"))
              .build();
        }
      }
    }
    return getListCompactionsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.GetUsageRequest,
      dev.camillo.v1.GetUsageResponse> getGetUsageMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetUsage",
      requestType = dev.camillo.v1.GetUsageRequest.class,
      responseType = dev.camillo.v1.GetUsageResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.GetUsageRequest,
      dev.camillo.v1.GetUsageResponse> getGetUsageMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.GetUsageRequest, dev.camillo.v1.GetUsageResponse> getGetUsageMethod;
    if ((getGetUsageMethod = LifecycleServiceGrpc.getGetUsageMethod) == null) {
      synchronized (LifecycleServiceGrpc.class) {
        if ((getGetUsageMethod = LifecycleServiceGrpc.getGetUsageMethod) == null) {
          LifecycleServiceGrpc.getGetUsageMethod = getGetUsageMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.GetUsageRequest, dev.camillo.v1.GetUsageResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetUsage"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.GetUsageRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.GetUsageResponse.getDefaultInstance()))
              .setSchemaDescriptor(new LifecycleServiceMethodDescriptorSupplier("GetUsage"))
              .build();
        }
      }
    }
    return getGetUsageMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ListJobsRequest,
      dev.camillo.v1.ListJobsResponse> getListJobsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListJobs",
      requestType = dev.camillo.v1.ListJobsRequest.class,
      responseType = dev.camillo.v1.ListJobsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ListJobsRequest,
      dev.camillo.v1.ListJobsResponse> getListJobsMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ListJobsRequest, dev.camillo.v1.ListJobsResponse> getListJobsMethod;
    if ((getListJobsMethod = LifecycleServiceGrpc.getListJobsMethod) == null) {
      synchronized (LifecycleServiceGrpc.class) {
        if ((getListJobsMethod = LifecycleServiceGrpc.getListJobsMethod) == null) {
          LifecycleServiceGrpc.getListJobsMethod = getListJobsMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ListJobsRequest, dev.camillo.v1.ListJobsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListJobs"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListJobsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListJobsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new LifecycleServiceMethodDescriptorSupplier("ListJobs"))
              .build();
        }
      }
    }
    return getListJobsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.RetryJobRequest,
      dev.camillo.v1.RetryJobResponse> getRetryJobMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "RetryJob",
      requestType = dev.camillo.v1.RetryJobRequest.class,
      responseType = dev.camillo.v1.RetryJobResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.RetryJobRequest,
      dev.camillo.v1.RetryJobResponse> getRetryJobMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.RetryJobRequest, dev.camillo.v1.RetryJobResponse> getRetryJobMethod;
    if ((getRetryJobMethod = LifecycleServiceGrpc.getRetryJobMethod) == null) {
      synchronized (LifecycleServiceGrpc.class) {
        if ((getRetryJobMethod = LifecycleServiceGrpc.getRetryJobMethod) == null) {
          LifecycleServiceGrpc.getRetryJobMethod = getRetryJobMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.RetryJobRequest, dev.camillo.v1.RetryJobResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "RetryJob"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.RetryJobRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.RetryJobResponse.getDefaultInstance()))
              .setSchemaDescriptor(new LifecycleServiceMethodDescriptorSupplier("RetryJob"))
              .build();
        }
      }
    }
    return getRetryJobMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.StartReembeddingRequest,
      dev.camillo.v1.StartReembeddingResponse> getStartReembeddingMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "StartReembedding",
      requestType = dev.camillo.v1.StartReembeddingRequest.class,
      responseType = dev.camillo.v1.StartReembeddingResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.StartReembeddingRequest,
      dev.camillo.v1.StartReembeddingResponse> getStartReembeddingMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.StartReembeddingRequest, dev.camillo.v1.StartReembeddingResponse> getStartReembeddingMethod;
    if ((getStartReembeddingMethod = LifecycleServiceGrpc.getStartReembeddingMethod) == null) {
      synchronized (LifecycleServiceGrpc.class) {
        if ((getStartReembeddingMethod = LifecycleServiceGrpc.getStartReembeddingMethod) == null) {
          LifecycleServiceGrpc.getStartReembeddingMethod = getStartReembeddingMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.StartReembeddingRequest, dev.camillo.v1.StartReembeddingResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "StartReembedding"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.StartReembeddingRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.StartReembeddingResponse.getDefaultInstance()))
              .setSchemaDescriptor(new LifecycleServiceMethodDescriptorSupplier("StartReembedding"))
              .build();
        }
      }
    }
    return getStartReembeddingMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.GetReembeddingRequest,
      dev.camillo.v1.GetReembeddingResponse> getGetReembeddingMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetReembedding",
      requestType = dev.camillo.v1.GetReembeddingRequest.class,
      responseType = dev.camillo.v1.GetReembeddingResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.GetReembeddingRequest,
      dev.camillo.v1.GetReembeddingResponse> getGetReembeddingMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.GetReembeddingRequest, dev.camillo.v1.GetReembeddingResponse> getGetReembeddingMethod;
    if ((getGetReembeddingMethod = LifecycleServiceGrpc.getGetReembeddingMethod) == null) {
      synchronized (LifecycleServiceGrpc.class) {
        if ((getGetReembeddingMethod = LifecycleServiceGrpc.getGetReembeddingMethod) == null) {
          LifecycleServiceGrpc.getGetReembeddingMethod = getGetReembeddingMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.GetReembeddingRequest, dev.camillo.v1.GetReembeddingResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetReembedding"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.GetReembeddingRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.GetReembeddingResponse.getDefaultInstance()))
              .setSchemaDescriptor(new LifecycleServiceMethodDescriptorSupplier("GetReembedding"))
              .build();
        }
      }
    }
    return getGetReembeddingMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ReindexRequest,
      dev.camillo.v1.ReindexResponse> getReindexMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "Reindex",
      requestType = dev.camillo.v1.ReindexRequest.class,
      responseType = dev.camillo.v1.ReindexResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ReindexRequest,
      dev.camillo.v1.ReindexResponse> getReindexMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ReindexRequest, dev.camillo.v1.ReindexResponse> getReindexMethod;
    if ((getReindexMethod = LifecycleServiceGrpc.getReindexMethod) == null) {
      synchronized (LifecycleServiceGrpc.class) {
        if ((getReindexMethod = LifecycleServiceGrpc.getReindexMethod) == null) {
          LifecycleServiceGrpc.getReindexMethod = getReindexMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ReindexRequest, dev.camillo.v1.ReindexResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "Reindex"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ReindexRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ReindexResponse.getDefaultInstance()))
              .setSchemaDescriptor(new LifecycleServiceMethodDescriptorSupplier("Reindex"))
              .build();
        }
      }
    }
    return getReindexMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ListReceiptsRequest,
      dev.camillo.v1.ListReceiptsResponse> getListReceiptsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListReceipts",
      requestType = dev.camillo.v1.ListReceiptsRequest.class,
      responseType = dev.camillo.v1.ListReceiptsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ListReceiptsRequest,
      dev.camillo.v1.ListReceiptsResponse> getListReceiptsMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ListReceiptsRequest, dev.camillo.v1.ListReceiptsResponse> getListReceiptsMethod;
    if ((getListReceiptsMethod = LifecycleServiceGrpc.getListReceiptsMethod) == null) {
      synchronized (LifecycleServiceGrpc.class) {
        if ((getListReceiptsMethod = LifecycleServiceGrpc.getListReceiptsMethod) == null) {
          LifecycleServiceGrpc.getListReceiptsMethod = getListReceiptsMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ListReceiptsRequest, dev.camillo.v1.ListReceiptsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListReceipts"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListReceiptsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListReceiptsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new LifecycleServiceMethodDescriptorSupplier("ListReceipts"))
              .build();
        }
      }
    }
    return getListReceiptsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ListValueRefusalsRequest,
      dev.camillo.v1.ListValueRefusalsResponse> getListValueRefusalsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListValueRefusals",
      requestType = dev.camillo.v1.ListValueRefusalsRequest.class,
      responseType = dev.camillo.v1.ListValueRefusalsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ListValueRefusalsRequest,
      dev.camillo.v1.ListValueRefusalsResponse> getListValueRefusalsMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ListValueRefusalsRequest, dev.camillo.v1.ListValueRefusalsResponse> getListValueRefusalsMethod;
    if ((getListValueRefusalsMethod = LifecycleServiceGrpc.getListValueRefusalsMethod) == null) {
      synchronized (LifecycleServiceGrpc.class) {
        if ((getListValueRefusalsMethod = LifecycleServiceGrpc.getListValueRefusalsMethod) == null) {
          LifecycleServiceGrpc.getListValueRefusalsMethod = getListValueRefusalsMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ListValueRefusalsRequest, dev.camillo.v1.ListValueRefusalsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListValueRefusals"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListValueRefusalsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListValueRefusalsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new LifecycleServiceMethodDescriptorSupplier("ListValueRefusals"))
              .build();
        }
      }
    }
    return getListValueRefusalsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.LiftValueBlocksRequest,
      dev.camillo.v1.LiftValueBlocksResponse> getLiftValueBlocksMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "LiftValueBlocks",
      requestType = dev.camillo.v1.LiftValueBlocksRequest.class,
      responseType = dev.camillo.v1.LiftValueBlocksResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.LiftValueBlocksRequest,
      dev.camillo.v1.LiftValueBlocksResponse> getLiftValueBlocksMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.LiftValueBlocksRequest, dev.camillo.v1.LiftValueBlocksResponse> getLiftValueBlocksMethod;
    if ((getLiftValueBlocksMethod = LifecycleServiceGrpc.getLiftValueBlocksMethod) == null) {
      synchronized (LifecycleServiceGrpc.class) {
        if ((getLiftValueBlocksMethod = LifecycleServiceGrpc.getLiftValueBlocksMethod) == null) {
          LifecycleServiceGrpc.getLiftValueBlocksMethod = getLiftValueBlocksMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.LiftValueBlocksRequest, dev.camillo.v1.LiftValueBlocksResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "LiftValueBlocks"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.LiftValueBlocksRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.LiftValueBlocksResponse.getDefaultInstance()))
              .setSchemaDescriptor(new LifecycleServiceMethodDescriptorSupplier("LiftValueBlocks"))
              .build();
        }
      }
    }
    return getLiftValueBlocksMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static LifecycleServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<LifecycleServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<LifecycleServiceStub>() {
        @java.lang.Override
        public LifecycleServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new LifecycleServiceStub(channel, callOptions);
        }
      };
    return LifecycleServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static LifecycleServiceBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<LifecycleServiceBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<LifecycleServiceBlockingV2Stub>() {
        @java.lang.Override
        public LifecycleServiceBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new LifecycleServiceBlockingV2Stub(channel, callOptions);
        }
      };
    return LifecycleServiceBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static LifecycleServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<LifecycleServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<LifecycleServiceBlockingStub>() {
        @java.lang.Override
        public LifecycleServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new LifecycleServiceBlockingStub(channel, callOptions);
        }
      };
    return LifecycleServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static LifecycleServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<LifecycleServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<LifecycleServiceFutureStub>() {
        @java.lang.Override
        public LifecycleServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new LifecycleServiceFutureStub(channel, callOptions);
        }
      };
    return LifecycleServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * Upkeep of memories over time: archiving, removal, merging, counting.
   * The server does by itself, once an hour for every space, what RunMaintenance does when called; any other scheduler
   * may call it instead. Pinned memories are exempt from all of it. RestoreMemories brings archived memories back.
   * `agent_id` and `request_id`: see MemoryService.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * Archives memories that have decayed, are unimportant or over the quota, and removes those hidden for longer than
     * the retention, in one transaction.
     * </pre>
     */
    default void runMaintenance(dev.camillo.v1.RunMaintenanceRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.RunMaintenanceResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getRunMaintenanceMethod(), responseObserver);
    }

    /**
     * <pre>
     * Removes memories for good, by age, tags, kind or number of retrievals. They may be stated again.
     * </pre>
     */
    default void prune(dev.camillo.v1.PruneRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.PruneResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getPruneMethod(), responseObserver);
    }

    /**
     * <pre>
     * Archives memories: they are kept, but not recalled.
     * </pre>
     */
    default void archive(dev.camillo.v1.ArchiveRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ArchiveResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getArchiveMethod(), responseObserver);
    }

    /**
     * <pre>
     * Empties a space: everything but its name, its receipts and its blocked values is removed for good.
     * </pre>
     */
    default void reset(dev.camillo.v1.ResetRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ResetResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getResetMethod(), responseObserver);
    }

    /**
     * <pre>
     * Removes records of any kind for good, or all that state a value, with everything that cites or repeats them, and
     * blocks their content from being stated again.
     * </pre>
     */
    default void forget(dev.camillo.v1.ForgetRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ForgetResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getForgetMethod(), responseObserver);
    }

    /**
     * <pre>
     * Merges memories that share a tag or say nearly the same; the sources are archived, never removed.
     * </pre>
     */
    default void compact(dev.camillo.v1.CompactRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.CompactResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getCompactMethod(), responseObserver);
    }

    /**
     * <pre>
     * Reverts a compaction exactly: the sources are recalled again, the merged memory is removed.
     * </pre>
     */
    default void revertCompaction(dev.camillo.v1.RevertCompactionRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.RevertCompactionResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getRevertCompactionMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists compactions, newest first.
     * </pre>
     */
    default void listCompactions(dev.camillo.v1.ListCompactionsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListCompactionsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListCompactionsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Returns the rows and bytes of spaces.
     * </pre>
     */
    default void getUsage(dev.camillo.v1.GetUsageRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.GetUsageResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetUsageMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists the background jobs of the tenant, oldest first.
     * </pre>
     */
    default void listJobs(dev.camillo.v1.ListJobsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListJobsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListJobsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Retries a job that has failed for good, or waits to be retried.
     * </pre>
     */
    default void retryJob(dev.camillo.v1.RetryJobRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.RetryJobResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getRetryJobMethod(), responseObserver);
    }

    /**
     * <pre>
     * Starts computing vectors of the next model, while the current ones keep serving.
     * </pre>
     */
    default void startReembedding(dev.camillo.v1.StartReembeddingRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.StartReembeddingResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getStartReembeddingMethod(), responseObserver);
    }

    /**
     * <pre>
     * Returns the progress of re-embedding.
     * </pre>
     */
    default void getReembedding(dev.camillo.v1.GetReembeddingRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.GetReembeddingResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetReembeddingMethod(), responseObserver);
    }

    /**
     * <pre>
     * Recomputes the index terms of a space's memories and chunks that were stored by a release with other rules. No
     * version, time or vector changes; a watch shows the changed rows. Each batch is committed separately: after an
     * interruption, the next call completes the work; a repeated call changes nothing.
     * </pre>
     */
    default void reindex(dev.camillo.v1.ReindexRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ReindexResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getReindexMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists the receipts of removals, newest first.
     * </pre>
     */
    default void listReceipts(dev.camillo.v1.ListReceiptsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListReceiptsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListReceiptsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists writes that were refused because of a forgotten value, newest first. The value itself is not kept.
     * </pre>
     */
    default void listValueRefusals(dev.camillo.v1.ListValueRefusalsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListValueRefusalsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListValueRefusalsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Permits forgotten values to be stated again.
     * </pre>
     */
    default void liftValueBlocks(dev.camillo.v1.LiftValueBlocksRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.LiftValueBlocksResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getLiftValueBlocksMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service LifecycleService.
   * <pre>
   * Upkeep of memories over time: archiving, removal, merging, counting.
   * The server does by itself, once an hour for every space, what RunMaintenance does when called; any other scheduler
   * may call it instead. Pinned memories are exempt from all of it. RestoreMemories brings archived memories back.
   * `agent_id` and `request_id`: see MemoryService.
   * </pre>
   */
  public static abstract class LifecycleServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return LifecycleServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service LifecycleService.
   * <pre>
   * Upkeep of memories over time: archiving, removal, merging, counting.
   * The server does by itself, once an hour for every space, what RunMaintenance does when called; any other scheduler
   * may call it instead. Pinned memories are exempt from all of it. RestoreMemories brings archived memories back.
   * `agent_id` and `request_id`: see MemoryService.
   * </pre>
   */
  public static final class LifecycleServiceStub
      extends io.grpc.stub.AbstractAsyncStub<LifecycleServiceStub> {
    private LifecycleServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected LifecycleServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new LifecycleServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * Archives memories that have decayed, are unimportant or over the quota, and removes those hidden for longer than
     * the retention, in one transaction.
     * </pre>
     */
    public void runMaintenance(dev.camillo.v1.RunMaintenanceRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.RunMaintenanceResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getRunMaintenanceMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Removes memories for good, by age, tags, kind or number of retrievals. They may be stated again.
     * </pre>
     */
    public void prune(dev.camillo.v1.PruneRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.PruneResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getPruneMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Archives memories: they are kept, but not recalled.
     * </pre>
     */
    public void archive(dev.camillo.v1.ArchiveRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ArchiveResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getArchiveMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Empties a space: everything but its name, its receipts and its blocked values is removed for good.
     * </pre>
     */
    public void reset(dev.camillo.v1.ResetRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ResetResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getResetMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Removes records of any kind for good, or all that state a value, with everything that cites or repeats them, and
     * blocks their content from being stated again.
     * </pre>
     */
    public void forget(dev.camillo.v1.ForgetRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ForgetResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getForgetMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Merges memories that share a tag or say nearly the same; the sources are archived, never removed.
     * </pre>
     */
    public void compact(dev.camillo.v1.CompactRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.CompactResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getCompactMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Reverts a compaction exactly: the sources are recalled again, the merged memory is removed.
     * </pre>
     */
    public void revertCompaction(dev.camillo.v1.RevertCompactionRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.RevertCompactionResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getRevertCompactionMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists compactions, newest first.
     * </pre>
     */
    public void listCompactions(dev.camillo.v1.ListCompactionsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListCompactionsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListCompactionsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Returns the rows and bytes of spaces.
     * </pre>
     */
    public void getUsage(dev.camillo.v1.GetUsageRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.GetUsageResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetUsageMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists the background jobs of the tenant, oldest first.
     * </pre>
     */
    public void listJobs(dev.camillo.v1.ListJobsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListJobsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListJobsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Retries a job that has failed for good, or waits to be retried.
     * </pre>
     */
    public void retryJob(dev.camillo.v1.RetryJobRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.RetryJobResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getRetryJobMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Starts computing vectors of the next model, while the current ones keep serving.
     * </pre>
     */
    public void startReembedding(dev.camillo.v1.StartReembeddingRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.StartReembeddingResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getStartReembeddingMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Returns the progress of re-embedding.
     * </pre>
     */
    public void getReembedding(dev.camillo.v1.GetReembeddingRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.GetReembeddingResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetReembeddingMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Recomputes the index terms of a space's memories and chunks that were stored by a release with other rules. No
     * version, time or vector changes; a watch shows the changed rows. Each batch is committed separately: after an
     * interruption, the next call completes the work; a repeated call changes nothing.
     * </pre>
     */
    public void reindex(dev.camillo.v1.ReindexRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ReindexResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getReindexMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists the receipts of removals, newest first.
     * </pre>
     */
    public void listReceipts(dev.camillo.v1.ListReceiptsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListReceiptsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListReceiptsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists writes that were refused because of a forgotten value, newest first. The value itself is not kept.
     * </pre>
     */
    public void listValueRefusals(dev.camillo.v1.ListValueRefusalsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListValueRefusalsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListValueRefusalsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Permits forgotten values to be stated again.
     * </pre>
     */
    public void liftValueBlocks(dev.camillo.v1.LiftValueBlocksRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.LiftValueBlocksResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getLiftValueBlocksMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service LifecycleService.
   * <pre>
   * Upkeep of memories over time: archiving, removal, merging, counting.
   * The server does by itself, once an hour for every space, what RunMaintenance does when called; any other scheduler
   * may call it instead. Pinned memories are exempt from all of it. RestoreMemories brings archived memories back.
   * `agent_id` and `request_id`: see MemoryService.
   * </pre>
   */
  public static final class LifecycleServiceBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<LifecycleServiceBlockingV2Stub> {
    private LifecycleServiceBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected LifecycleServiceBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new LifecycleServiceBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * Archives memories that have decayed, are unimportant or over the quota, and removes those hidden for longer than
     * the retention, in one transaction.
     * </pre>
     */
    public dev.camillo.v1.RunMaintenanceResponse runMaintenance(dev.camillo.v1.RunMaintenanceRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getRunMaintenanceMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Removes memories for good, by age, tags, kind or number of retrievals. They may be stated again.
     * </pre>
     */
    public dev.camillo.v1.PruneResponse prune(dev.camillo.v1.PruneRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getPruneMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Archives memories: they are kept, but not recalled.
     * </pre>
     */
    public dev.camillo.v1.ArchiveResponse archive(dev.camillo.v1.ArchiveRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getArchiveMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Empties a space: everything but its name, its receipts and its blocked values is removed for good.
     * </pre>
     */
    public dev.camillo.v1.ResetResponse reset(dev.camillo.v1.ResetRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getResetMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Removes records of any kind for good, or all that state a value, with everything that cites or repeats them, and
     * blocks their content from being stated again.
     * </pre>
     */
    public dev.camillo.v1.ForgetResponse forget(dev.camillo.v1.ForgetRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getForgetMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Merges memories that share a tag or say nearly the same; the sources are archived, never removed.
     * </pre>
     */
    public dev.camillo.v1.CompactResponse compact(dev.camillo.v1.CompactRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getCompactMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Reverts a compaction exactly: the sources are recalled again, the merged memory is removed.
     * </pre>
     */
    public dev.camillo.v1.RevertCompactionResponse revertCompaction(dev.camillo.v1.RevertCompactionRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getRevertCompactionMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists compactions, newest first.
     * </pre>
     */
    public dev.camillo.v1.ListCompactionsResponse listCompactions(dev.camillo.v1.ListCompactionsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListCompactionsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Returns the rows and bytes of spaces.
     * </pre>
     */
    public dev.camillo.v1.GetUsageResponse getUsage(dev.camillo.v1.GetUsageRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getGetUsageMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the background jobs of the tenant, oldest first.
     * </pre>
     */
    public dev.camillo.v1.ListJobsResponse listJobs(dev.camillo.v1.ListJobsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListJobsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Retries a job that has failed for good, or waits to be retried.
     * </pre>
     */
    public dev.camillo.v1.RetryJobResponse retryJob(dev.camillo.v1.RetryJobRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getRetryJobMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Starts computing vectors of the next model, while the current ones keep serving.
     * </pre>
     */
    public dev.camillo.v1.StartReembeddingResponse startReembedding(dev.camillo.v1.StartReembeddingRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getStartReembeddingMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Returns the progress of re-embedding.
     * </pre>
     */
    public dev.camillo.v1.GetReembeddingResponse getReembedding(dev.camillo.v1.GetReembeddingRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getGetReembeddingMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Recomputes the index terms of a space's memories and chunks that were stored by a release with other rules. No
     * version, time or vector changes; a watch shows the changed rows. Each batch is committed separately: after an
     * interruption, the next call completes the work; a repeated call changes nothing.
     * </pre>
     */
    public dev.camillo.v1.ReindexResponse reindex(dev.camillo.v1.ReindexRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getReindexMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the receipts of removals, newest first.
     * </pre>
     */
    public dev.camillo.v1.ListReceiptsResponse listReceipts(dev.camillo.v1.ListReceiptsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListReceiptsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists writes that were refused because of a forgotten value, newest first. The value itself is not kept.
     * </pre>
     */
    public dev.camillo.v1.ListValueRefusalsResponse listValueRefusals(dev.camillo.v1.ListValueRefusalsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListValueRefusalsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Permits forgotten values to be stated again.
     * </pre>
     */
    public dev.camillo.v1.LiftValueBlocksResponse liftValueBlocks(dev.camillo.v1.LiftValueBlocksRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getLiftValueBlocksMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service LifecycleService.
   * <pre>
   * Upkeep of memories over time: archiving, removal, merging, counting.
   * The server does by itself, once an hour for every space, what RunMaintenance does when called; any other scheduler
   * may call it instead. Pinned memories are exempt from all of it. RestoreMemories brings archived memories back.
   * `agent_id` and `request_id`: see MemoryService.
   * </pre>
   */
  public static final class LifecycleServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<LifecycleServiceBlockingStub> {
    private LifecycleServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected LifecycleServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new LifecycleServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * Archives memories that have decayed, are unimportant or over the quota, and removes those hidden for longer than
     * the retention, in one transaction.
     * </pre>
     */
    public dev.camillo.v1.RunMaintenanceResponse runMaintenance(dev.camillo.v1.RunMaintenanceRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getRunMaintenanceMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Removes memories for good, by age, tags, kind or number of retrievals. They may be stated again.
     * </pre>
     */
    public dev.camillo.v1.PruneResponse prune(dev.camillo.v1.PruneRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getPruneMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Archives memories: they are kept, but not recalled.
     * </pre>
     */
    public dev.camillo.v1.ArchiveResponse archive(dev.camillo.v1.ArchiveRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getArchiveMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Empties a space: everything but its name, its receipts and its blocked values is removed for good.
     * </pre>
     */
    public dev.camillo.v1.ResetResponse reset(dev.camillo.v1.ResetRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getResetMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Removes records of any kind for good, or all that state a value, with everything that cites or repeats them, and
     * blocks their content from being stated again.
     * </pre>
     */
    public dev.camillo.v1.ForgetResponse forget(dev.camillo.v1.ForgetRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getForgetMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Merges memories that share a tag or say nearly the same; the sources are archived, never removed.
     * </pre>
     */
    public dev.camillo.v1.CompactResponse compact(dev.camillo.v1.CompactRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getCompactMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Reverts a compaction exactly: the sources are recalled again, the merged memory is removed.
     * </pre>
     */
    public dev.camillo.v1.RevertCompactionResponse revertCompaction(dev.camillo.v1.RevertCompactionRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getRevertCompactionMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists compactions, newest first.
     * </pre>
     */
    public dev.camillo.v1.ListCompactionsResponse listCompactions(dev.camillo.v1.ListCompactionsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListCompactionsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Returns the rows and bytes of spaces.
     * </pre>
     */
    public dev.camillo.v1.GetUsageResponse getUsage(dev.camillo.v1.GetUsageRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetUsageMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the background jobs of the tenant, oldest first.
     * </pre>
     */
    public dev.camillo.v1.ListJobsResponse listJobs(dev.camillo.v1.ListJobsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListJobsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Retries a job that has failed for good, or waits to be retried.
     * </pre>
     */
    public dev.camillo.v1.RetryJobResponse retryJob(dev.camillo.v1.RetryJobRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getRetryJobMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Starts computing vectors of the next model, while the current ones keep serving.
     * </pre>
     */
    public dev.camillo.v1.StartReembeddingResponse startReembedding(dev.camillo.v1.StartReembeddingRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getStartReembeddingMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Returns the progress of re-embedding.
     * </pre>
     */
    public dev.camillo.v1.GetReembeddingResponse getReembedding(dev.camillo.v1.GetReembeddingRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetReembeddingMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Recomputes the index terms of a space's memories and chunks that were stored by a release with other rules. No
     * version, time or vector changes; a watch shows the changed rows. Each batch is committed separately: after an
     * interruption, the next call completes the work; a repeated call changes nothing.
     * </pre>
     */
    public dev.camillo.v1.ReindexResponse reindex(dev.camillo.v1.ReindexRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getReindexMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the receipts of removals, newest first.
     * </pre>
     */
    public dev.camillo.v1.ListReceiptsResponse listReceipts(dev.camillo.v1.ListReceiptsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListReceiptsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists writes that were refused because of a forgotten value, newest first. The value itself is not kept.
     * </pre>
     */
    public dev.camillo.v1.ListValueRefusalsResponse listValueRefusals(dev.camillo.v1.ListValueRefusalsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListValueRefusalsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Permits forgotten values to be stated again.
     * </pre>
     */
    public dev.camillo.v1.LiftValueBlocksResponse liftValueBlocks(dev.camillo.v1.LiftValueBlocksRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getLiftValueBlocksMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service LifecycleService.
   * <pre>
   * Upkeep of memories over time: archiving, removal, merging, counting.
   * The server does by itself, once an hour for every space, what RunMaintenance does when called; any other scheduler
   * may call it instead. Pinned memories are exempt from all of it. RestoreMemories brings archived memories back.
   * `agent_id` and `request_id`: see MemoryService.
   * </pre>
   */
  public static final class LifecycleServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<LifecycleServiceFutureStub> {
    private LifecycleServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected LifecycleServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new LifecycleServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * Archives memories that have decayed, are unimportant or over the quota, and removes those hidden for longer than
     * the retention, in one transaction.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.RunMaintenanceResponse> runMaintenance(
        dev.camillo.v1.RunMaintenanceRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getRunMaintenanceMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Removes memories for good, by age, tags, kind or number of retrievals. They may be stated again.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.PruneResponse> prune(
        dev.camillo.v1.PruneRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getPruneMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Archives memories: they are kept, but not recalled.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.ArchiveResponse> archive(
        dev.camillo.v1.ArchiveRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getArchiveMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Empties a space: everything but its name, its receipts and its blocked values is removed for good.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.ResetResponse> reset(
        dev.camillo.v1.ResetRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getResetMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Removes records of any kind for good, or all that state a value, with everything that cites or repeats them, and
     * blocks their content from being stated again.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.ForgetResponse> forget(
        dev.camillo.v1.ForgetRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getForgetMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Merges memories that share a tag or say nearly the same; the sources are archived, never removed.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.CompactResponse> compact(
        dev.camillo.v1.CompactRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getCompactMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Reverts a compaction exactly: the sources are recalled again, the merged memory is removed.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.RevertCompactionResponse> revertCompaction(
        dev.camillo.v1.RevertCompactionRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getRevertCompactionMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists compactions, newest first.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.ListCompactionsResponse> listCompactions(
        dev.camillo.v1.ListCompactionsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListCompactionsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Returns the rows and bytes of spaces.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.GetUsageResponse> getUsage(
        dev.camillo.v1.GetUsageRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetUsageMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists the background jobs of the tenant, oldest first.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.ListJobsResponse> listJobs(
        dev.camillo.v1.ListJobsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListJobsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Retries a job that has failed for good, or waits to be retried.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.RetryJobResponse> retryJob(
        dev.camillo.v1.RetryJobRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getRetryJobMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Starts computing vectors of the next model, while the current ones keep serving.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.StartReembeddingResponse> startReembedding(
        dev.camillo.v1.StartReembeddingRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getStartReembeddingMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Returns the progress of re-embedding.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.GetReembeddingResponse> getReembedding(
        dev.camillo.v1.GetReembeddingRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetReembeddingMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Recomputes the index terms of a space's memories and chunks that were stored by a release with other rules. No
     * version, time or vector changes; a watch shows the changed rows. Each batch is committed separately: after an
     * interruption, the next call completes the work; a repeated call changes nothing.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.ReindexResponse> reindex(
        dev.camillo.v1.ReindexRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getReindexMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists the receipts of removals, newest first.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.ListReceiptsResponse> listReceipts(
        dev.camillo.v1.ListReceiptsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListReceiptsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists writes that were refused because of a forgotten value, newest first. The value itself is not kept.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.ListValueRefusalsResponse> listValueRefusals(
        dev.camillo.v1.ListValueRefusalsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListValueRefusalsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Permits forgotten values to be stated again.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.LiftValueBlocksResponse> liftValueBlocks(
        dev.camillo.v1.LiftValueBlocksRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getLiftValueBlocksMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_RUN_MAINTENANCE = 0;
  private static final int METHODID_PRUNE = 1;
  private static final int METHODID_ARCHIVE = 2;
  private static final int METHODID_RESET = 3;
  private static final int METHODID_FORGET = 4;
  private static final int METHODID_COMPACT = 5;
  private static final int METHODID_REVERT_COMPACTION = 6;
  private static final int METHODID_LIST_COMPACTIONS = 7;
  private static final int METHODID_GET_USAGE = 8;
  private static final int METHODID_LIST_JOBS = 9;
  private static final int METHODID_RETRY_JOB = 10;
  private static final int METHODID_START_REEMBEDDING = 11;
  private static final int METHODID_GET_REEMBEDDING = 12;
  private static final int METHODID_REINDEX = 13;
  private static final int METHODID_LIST_RECEIPTS = 14;
  private static final int METHODID_LIST_VALUE_REFUSALS = 15;
  private static final int METHODID_LIFT_VALUE_BLOCKS = 16;

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
        case METHODID_RUN_MAINTENANCE:
          serviceImpl.runMaintenance((dev.camillo.v1.RunMaintenanceRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.RunMaintenanceResponse>) responseObserver);
          break;
        case METHODID_PRUNE:
          serviceImpl.prune((dev.camillo.v1.PruneRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.PruneResponse>) responseObserver);
          break;
        case METHODID_ARCHIVE:
          serviceImpl.archive((dev.camillo.v1.ArchiveRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ArchiveResponse>) responseObserver);
          break;
        case METHODID_RESET:
          serviceImpl.reset((dev.camillo.v1.ResetRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ResetResponse>) responseObserver);
          break;
        case METHODID_FORGET:
          serviceImpl.forget((dev.camillo.v1.ForgetRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ForgetResponse>) responseObserver);
          break;
        case METHODID_COMPACT:
          serviceImpl.compact((dev.camillo.v1.CompactRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.CompactResponse>) responseObserver);
          break;
        case METHODID_REVERT_COMPACTION:
          serviceImpl.revertCompaction((dev.camillo.v1.RevertCompactionRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.RevertCompactionResponse>) responseObserver);
          break;
        case METHODID_LIST_COMPACTIONS:
          serviceImpl.listCompactions((dev.camillo.v1.ListCompactionsRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ListCompactionsResponse>) responseObserver);
          break;
        case METHODID_GET_USAGE:
          serviceImpl.getUsage((dev.camillo.v1.GetUsageRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.GetUsageResponse>) responseObserver);
          break;
        case METHODID_LIST_JOBS:
          serviceImpl.listJobs((dev.camillo.v1.ListJobsRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ListJobsResponse>) responseObserver);
          break;
        case METHODID_RETRY_JOB:
          serviceImpl.retryJob((dev.camillo.v1.RetryJobRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.RetryJobResponse>) responseObserver);
          break;
        case METHODID_START_REEMBEDDING:
          serviceImpl.startReembedding((dev.camillo.v1.StartReembeddingRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.StartReembeddingResponse>) responseObserver);
          break;
        case METHODID_GET_REEMBEDDING:
          serviceImpl.getReembedding((dev.camillo.v1.GetReembeddingRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.GetReembeddingResponse>) responseObserver);
          break;
        case METHODID_REINDEX:
          serviceImpl.reindex((dev.camillo.v1.ReindexRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ReindexResponse>) responseObserver);
          break;
        case METHODID_LIST_RECEIPTS:
          serviceImpl.listReceipts((dev.camillo.v1.ListReceiptsRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ListReceiptsResponse>) responseObserver);
          break;
        case METHODID_LIST_VALUE_REFUSALS:
          serviceImpl.listValueRefusals((dev.camillo.v1.ListValueRefusalsRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ListValueRefusalsResponse>) responseObserver);
          break;
        case METHODID_LIFT_VALUE_BLOCKS:
          serviceImpl.liftValueBlocks((dev.camillo.v1.LiftValueBlocksRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.LiftValueBlocksResponse>) responseObserver);
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
          getRunMaintenanceMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.RunMaintenanceRequest,
              dev.camillo.v1.RunMaintenanceResponse>(
                service, METHODID_RUN_MAINTENANCE)))
        .addMethod(
          getPruneMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.PruneRequest,
              dev.camillo.v1.PruneResponse>(
                service, METHODID_PRUNE)))
        .addMethod(
          getArchiveMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.ArchiveRequest,
              dev.camillo.v1.ArchiveResponse>(
                service, METHODID_ARCHIVE)))
        .addMethod(
          getResetMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.ResetRequest,
              dev.camillo.v1.ResetResponse>(
                service, METHODID_RESET)))
        .addMethod(
          getForgetMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.ForgetRequest,
              dev.camillo.v1.ForgetResponse>(
                service, METHODID_FORGET)))
        .addMethod(
          getCompactMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.CompactRequest,
              dev.camillo.v1.CompactResponse>(
                service, METHODID_COMPACT)))
        .addMethod(
          getRevertCompactionMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.RevertCompactionRequest,
              dev.camillo.v1.RevertCompactionResponse>(
                service, METHODID_REVERT_COMPACTION)))
        .addMethod(
          getListCompactionsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.ListCompactionsRequest,
              dev.camillo.v1.ListCompactionsResponse>(
                service, METHODID_LIST_COMPACTIONS)))
        .addMethod(
          getGetUsageMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.GetUsageRequest,
              dev.camillo.v1.GetUsageResponse>(
                service, METHODID_GET_USAGE)))
        .addMethod(
          getListJobsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.ListJobsRequest,
              dev.camillo.v1.ListJobsResponse>(
                service, METHODID_LIST_JOBS)))
        .addMethod(
          getRetryJobMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.RetryJobRequest,
              dev.camillo.v1.RetryJobResponse>(
                service, METHODID_RETRY_JOB)))
        .addMethod(
          getStartReembeddingMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.StartReembeddingRequest,
              dev.camillo.v1.StartReembeddingResponse>(
                service, METHODID_START_REEMBEDDING)))
        .addMethod(
          getGetReembeddingMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.GetReembeddingRequest,
              dev.camillo.v1.GetReembeddingResponse>(
                service, METHODID_GET_REEMBEDDING)))
        .addMethod(
          getReindexMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.ReindexRequest,
              dev.camillo.v1.ReindexResponse>(
                service, METHODID_REINDEX)))
        .addMethod(
          getListReceiptsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.ListReceiptsRequest,
              dev.camillo.v1.ListReceiptsResponse>(
                service, METHODID_LIST_RECEIPTS)))
        .addMethod(
          getListValueRefusalsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.ListValueRefusalsRequest,
              dev.camillo.v1.ListValueRefusalsResponse>(
                service, METHODID_LIST_VALUE_REFUSALS)))
        .addMethod(
          getLiftValueBlocksMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.LiftValueBlocksRequest,
              dev.camillo.v1.LiftValueBlocksResponse>(
                service, METHODID_LIFT_VALUE_BLOCKS)))
        .build();
  }

  private static abstract class LifecycleServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    LifecycleServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return dev.camillo.v1.LifecycleServiceOuterClass.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("LifecycleService");
    }
  }

  private static final class LifecycleServiceFileDescriptorSupplier
      extends LifecycleServiceBaseDescriptorSupplier {
    LifecycleServiceFileDescriptorSupplier() {}
  }

  private static final class LifecycleServiceMethodDescriptorSupplier
      extends LifecycleServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    LifecycleServiceMethodDescriptorSupplier(java.lang.String methodName) {
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
      synchronized (LifecycleServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new LifecycleServiceFileDescriptorSupplier())
              .addMethod(getRunMaintenanceMethod())
              .addMethod(getPruneMethod())
              .addMethod(getArchiveMethod())
              .addMethod(getResetMethod())
              .addMethod(getForgetMethod())
              .addMethod(getCompactMethod())
              .addMethod(getRevertCompactionMethod())
              .addMethod(getListCompactionsMethod())
              .addMethod(getGetUsageMethod())
              .addMethod(getListJobsMethod())
              .addMethod(getRetryJobMethod())
              .addMethod(getStartReembeddingMethod())
              .addMethod(getGetReembeddingMethod())
              .addMethod(getReindexMethod())
              .addMethod(getListReceiptsMethod())
              .addMethod(getListValueRefusalsMethod())
              .addMethod(getLiftValueBlocksMethod())
              .build();
        }
      }
    }
    return result;
  }
}
