package dev.camillo.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * Memories: what an agent has distilled and keeps.
 * The tenant, and for most credentials the agent, come from the credential. `agent_id` is for operators, who reach any
 * agent. It also takes the path of a space: `users/42`, `projects/shop`, `teams/eu/ops` (docs/spaces.md); `&#64;shared` is
 * the one that the tenant shares. Empty: the agent of the credential, else the one that `camillo-default-agent` names in
 * the metadata, else `&#64;shared`. Another agent and a space without a grant are SCOPE_FORBIDDEN, and so is `&#64;shared`.
 * Secrets (keys, tokens, passwords of known forms) are redacted in every text before it is stored, and listed in the
 * answer; ids and vectors stay as they are. `request_id`: up to 128 characters. The same id with the same content within
 * 24 hours returns the first answer and writes nothing; with other content it is ALREADY_EXISTS with REQUEST_ID_REUSED.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class MemoryServiceGrpc {

  private MemoryServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "camillo.v1.MemoryService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.RememberRequest,
      dev.camillo.v1.RememberResponse> getRememberMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "Remember",
      requestType = dev.camillo.v1.RememberRequest.class,
      responseType = dev.camillo.v1.RememberResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.RememberRequest,
      dev.camillo.v1.RememberResponse> getRememberMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.RememberRequest, dev.camillo.v1.RememberResponse> getRememberMethod;
    if ((getRememberMethod = MemoryServiceGrpc.getRememberMethod) == null) {
      synchronized (MemoryServiceGrpc.class) {
        if ((getRememberMethod = MemoryServiceGrpc.getRememberMethod) == null) {
          MemoryServiceGrpc.getRememberMethod = getRememberMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.RememberRequest, dev.camillo.v1.RememberResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "Remember"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.RememberRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.RememberResponse.getDefaultInstance()))
              .setSchemaDescriptor(new MemoryServiceMethodDescriptorSupplier("Remember"))
              .build();
        }
      }
    }
    return getRememberMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.BatchRememberRequest,
      dev.camillo.v1.BatchRememberResponse> getBatchRememberMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "BatchRemember",
      requestType = dev.camillo.v1.BatchRememberRequest.class,
      responseType = dev.camillo.v1.BatchRememberResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.BatchRememberRequest,
      dev.camillo.v1.BatchRememberResponse> getBatchRememberMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.BatchRememberRequest, dev.camillo.v1.BatchRememberResponse> getBatchRememberMethod;
    if ((getBatchRememberMethod = MemoryServiceGrpc.getBatchRememberMethod) == null) {
      synchronized (MemoryServiceGrpc.class) {
        if ((getBatchRememberMethod = MemoryServiceGrpc.getBatchRememberMethod) == null) {
          MemoryServiceGrpc.getBatchRememberMethod = getBatchRememberMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.BatchRememberRequest, dev.camillo.v1.BatchRememberResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "BatchRemember"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.BatchRememberRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.BatchRememberResponse.getDefaultInstance()))
              .setSchemaDescriptor(new MemoryServiceMethodDescriptorSupplier("BatchRemember"))
              .build();
        }
      }
    }
    return getBatchRememberMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ImportMemoriesRequest,
      dev.camillo.v1.ImportMemoriesResponse> getImportMemoriesMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ImportMemories",
      requestType = dev.camillo.v1.ImportMemoriesRequest.class,
      responseType = dev.camillo.v1.ImportMemoriesResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.CLIENT_STREAMING)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ImportMemoriesRequest,
      dev.camillo.v1.ImportMemoriesResponse> getImportMemoriesMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ImportMemoriesRequest, dev.camillo.v1.ImportMemoriesResponse> getImportMemoriesMethod;
    if ((getImportMemoriesMethod = MemoryServiceGrpc.getImportMemoriesMethod) == null) {
      synchronized (MemoryServiceGrpc.class) {
        if ((getImportMemoriesMethod = MemoryServiceGrpc.getImportMemoriesMethod) == null) {
          MemoryServiceGrpc.getImportMemoriesMethod = getImportMemoriesMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ImportMemoriesRequest, dev.camillo.v1.ImportMemoriesResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.CLIENT_STREAMING)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ImportMemories"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ImportMemoriesRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ImportMemoriesResponse.getDefaultInstance()))
              .setSchemaDescriptor(new MemoryServiceMethodDescriptorSupplier("ImportMemories"))
              .build();
        }
      }
    }
    return getImportMemoriesMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.RecallRequest,
      dev.camillo.v1.RecallResponse> getRecallMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "Recall",
      requestType = dev.camillo.v1.RecallRequest.class,
      responseType = dev.camillo.v1.RecallResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.RecallRequest,
      dev.camillo.v1.RecallResponse> getRecallMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.RecallRequest, dev.camillo.v1.RecallResponse> getRecallMethod;
    if ((getRecallMethod = MemoryServiceGrpc.getRecallMethod) == null) {
      synchronized (MemoryServiceGrpc.class) {
        if ((getRecallMethod = MemoryServiceGrpc.getRecallMethod) == null) {
          MemoryServiceGrpc.getRecallMethod = getRecallMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.RecallRequest, dev.camillo.v1.RecallResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "Recall"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.RecallRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.RecallResponse.getDefaultInstance()))
              .setSchemaDescriptor(new MemoryServiceMethodDescriptorSupplier("Recall"))
              .build();
        }
      }
    }
    return getRecallMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.BatchRecallRequest,
      dev.camillo.v1.BatchRecallResponse> getBatchRecallMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "BatchRecall",
      requestType = dev.camillo.v1.BatchRecallRequest.class,
      responseType = dev.camillo.v1.BatchRecallResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.BatchRecallRequest,
      dev.camillo.v1.BatchRecallResponse> getBatchRecallMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.BatchRecallRequest, dev.camillo.v1.BatchRecallResponse> getBatchRecallMethod;
    if ((getBatchRecallMethod = MemoryServiceGrpc.getBatchRecallMethod) == null) {
      synchronized (MemoryServiceGrpc.class) {
        if ((getBatchRecallMethod = MemoryServiceGrpc.getBatchRecallMethod) == null) {
          MemoryServiceGrpc.getBatchRecallMethod = getBatchRecallMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.BatchRecallRequest, dev.camillo.v1.BatchRecallResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "BatchRecall"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.BatchRecallRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.BatchRecallResponse.getDefaultInstance()))
              .setSchemaDescriptor(new MemoryServiceMethodDescriptorSupplier("BatchRecall"))
              .build();
        }
      }
    }
    return getBatchRecallMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.GetMemoryRequest,
      dev.camillo.v1.GetMemoryResponse> getGetMemoryMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetMemory",
      requestType = dev.camillo.v1.GetMemoryRequest.class,
      responseType = dev.camillo.v1.GetMemoryResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.GetMemoryRequest,
      dev.camillo.v1.GetMemoryResponse> getGetMemoryMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.GetMemoryRequest, dev.camillo.v1.GetMemoryResponse> getGetMemoryMethod;
    if ((getGetMemoryMethod = MemoryServiceGrpc.getGetMemoryMethod) == null) {
      synchronized (MemoryServiceGrpc.class) {
        if ((getGetMemoryMethod = MemoryServiceGrpc.getGetMemoryMethod) == null) {
          MemoryServiceGrpc.getGetMemoryMethod = getGetMemoryMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.GetMemoryRequest, dev.camillo.v1.GetMemoryResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetMemory"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.GetMemoryRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.GetMemoryResponse.getDefaultInstance()))
              .setSchemaDescriptor(new MemoryServiceMethodDescriptorSupplier("GetMemory"))
              .build();
        }
      }
    }
    return getGetMemoryMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ListMemoriesRequest,
      dev.camillo.v1.ListMemoriesResponse> getListMemoriesMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListMemories",
      requestType = dev.camillo.v1.ListMemoriesRequest.class,
      responseType = dev.camillo.v1.ListMemoriesResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ListMemoriesRequest,
      dev.camillo.v1.ListMemoriesResponse> getListMemoriesMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ListMemoriesRequest, dev.camillo.v1.ListMemoriesResponse> getListMemoriesMethod;
    if ((getListMemoriesMethod = MemoryServiceGrpc.getListMemoriesMethod) == null) {
      synchronized (MemoryServiceGrpc.class) {
        if ((getListMemoriesMethod = MemoryServiceGrpc.getListMemoriesMethod) == null) {
          MemoryServiceGrpc.getListMemoriesMethod = getListMemoriesMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ListMemoriesRequest, dev.camillo.v1.ListMemoriesResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListMemories"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListMemoriesRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListMemoriesResponse.getDefaultInstance()))
              .setSchemaDescriptor(new MemoryServiceMethodDescriptorSupplier("ListMemories"))
              .build();
        }
      }
    }
    return getListMemoriesMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.UpdateMemoryRequest,
      dev.camillo.v1.UpdateMemoryResponse> getUpdateMemoryMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "UpdateMemory",
      requestType = dev.camillo.v1.UpdateMemoryRequest.class,
      responseType = dev.camillo.v1.UpdateMemoryResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.UpdateMemoryRequest,
      dev.camillo.v1.UpdateMemoryResponse> getUpdateMemoryMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.UpdateMemoryRequest, dev.camillo.v1.UpdateMemoryResponse> getUpdateMemoryMethod;
    if ((getUpdateMemoryMethod = MemoryServiceGrpc.getUpdateMemoryMethod) == null) {
      synchronized (MemoryServiceGrpc.class) {
        if ((getUpdateMemoryMethod = MemoryServiceGrpc.getUpdateMemoryMethod) == null) {
          MemoryServiceGrpc.getUpdateMemoryMethod = getUpdateMemoryMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.UpdateMemoryRequest, dev.camillo.v1.UpdateMemoryResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "UpdateMemory"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.UpdateMemoryRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.UpdateMemoryResponse.getDefaultInstance()))
              .setSchemaDescriptor(new MemoryServiceMethodDescriptorSupplier("UpdateMemory"))
              .build();
        }
      }
    }
    return getUpdateMemoryMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ForgetMemoriesRequest,
      dev.camillo.v1.ForgetMemoriesResponse> getForgetMemoriesMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ForgetMemories",
      requestType = dev.camillo.v1.ForgetMemoriesRequest.class,
      responseType = dev.camillo.v1.ForgetMemoriesResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ForgetMemoriesRequest,
      dev.camillo.v1.ForgetMemoriesResponse> getForgetMemoriesMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ForgetMemoriesRequest, dev.camillo.v1.ForgetMemoriesResponse> getForgetMemoriesMethod;
    if ((getForgetMemoriesMethod = MemoryServiceGrpc.getForgetMemoriesMethod) == null) {
      synchronized (MemoryServiceGrpc.class) {
        if ((getForgetMemoriesMethod = MemoryServiceGrpc.getForgetMemoriesMethod) == null) {
          MemoryServiceGrpc.getForgetMemoriesMethod = getForgetMemoriesMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ForgetMemoriesRequest, dev.camillo.v1.ForgetMemoriesResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ForgetMemories"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ForgetMemoriesRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ForgetMemoriesResponse.getDefaultInstance()))
              .setSchemaDescriptor(new MemoryServiceMethodDescriptorSupplier("ForgetMemories"))
              .build();
        }
      }
    }
    return getForgetMemoriesMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.RestoreMemoriesRequest,
      dev.camillo.v1.RestoreMemoriesResponse> getRestoreMemoriesMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "RestoreMemories",
      requestType = dev.camillo.v1.RestoreMemoriesRequest.class,
      responseType = dev.camillo.v1.RestoreMemoriesResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.RestoreMemoriesRequest,
      dev.camillo.v1.RestoreMemoriesResponse> getRestoreMemoriesMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.RestoreMemoriesRequest, dev.camillo.v1.RestoreMemoriesResponse> getRestoreMemoriesMethod;
    if ((getRestoreMemoriesMethod = MemoryServiceGrpc.getRestoreMemoriesMethod) == null) {
      synchronized (MemoryServiceGrpc.class) {
        if ((getRestoreMemoriesMethod = MemoryServiceGrpc.getRestoreMemoriesMethod) == null) {
          MemoryServiceGrpc.getRestoreMemoriesMethod = getRestoreMemoriesMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.RestoreMemoriesRequest, dev.camillo.v1.RestoreMemoriesResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "RestoreMemories"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.RestoreMemoriesRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.RestoreMemoriesResponse.getDefaultInstance()))
              .setSchemaDescriptor(new MemoryServiceMethodDescriptorSupplier("RestoreMemories"))
              .build();
        }
      }
    }
    return getRestoreMemoriesMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ListMemoryRevisionsRequest,
      dev.camillo.v1.ListMemoryRevisionsResponse> getListMemoryRevisionsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListMemoryRevisions",
      requestType = dev.camillo.v1.ListMemoryRevisionsRequest.class,
      responseType = dev.camillo.v1.ListMemoryRevisionsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ListMemoryRevisionsRequest,
      dev.camillo.v1.ListMemoryRevisionsResponse> getListMemoryRevisionsMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ListMemoryRevisionsRequest, dev.camillo.v1.ListMemoryRevisionsResponse> getListMemoryRevisionsMethod;
    if ((getListMemoryRevisionsMethod = MemoryServiceGrpc.getListMemoryRevisionsMethod) == null) {
      synchronized (MemoryServiceGrpc.class) {
        if ((getListMemoryRevisionsMethod = MemoryServiceGrpc.getListMemoryRevisionsMethod) == null) {
          MemoryServiceGrpc.getListMemoryRevisionsMethod = getListMemoryRevisionsMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ListMemoryRevisionsRequest, dev.camillo.v1.ListMemoryRevisionsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListMemoryRevisions"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListMemoryRevisionsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListMemoryRevisionsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new MemoryServiceMethodDescriptorSupplier("ListMemoryRevisions"))
              .build();
        }
      }
    }
    return getListMemoryRevisionsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.SupersedeMemoryRequest,
      dev.camillo.v1.SupersedeMemoryResponse> getSupersedeMemoryMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "SupersedeMemory",
      requestType = dev.camillo.v1.SupersedeMemoryRequest.class,
      responseType = dev.camillo.v1.SupersedeMemoryResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.SupersedeMemoryRequest,
      dev.camillo.v1.SupersedeMemoryResponse> getSupersedeMemoryMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.SupersedeMemoryRequest, dev.camillo.v1.SupersedeMemoryResponse> getSupersedeMemoryMethod;
    if ((getSupersedeMemoryMethod = MemoryServiceGrpc.getSupersedeMemoryMethod) == null) {
      synchronized (MemoryServiceGrpc.class) {
        if ((getSupersedeMemoryMethod = MemoryServiceGrpc.getSupersedeMemoryMethod) == null) {
          MemoryServiceGrpc.getSupersedeMemoryMethod = getSupersedeMemoryMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.SupersedeMemoryRequest, dev.camillo.v1.SupersedeMemoryResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "SupersedeMemory"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.SupersedeMemoryRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.SupersedeMemoryResponse.getDefaultInstance()))
              .setSchemaDescriptor(new MemoryServiceMethodDescriptorSupplier("SupersedeMemory"))
              .build();
        }
      }
    }
    return getSupersedeMemoryMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ListContradictionsRequest,
      dev.camillo.v1.ListContradictionsResponse> getListContradictionsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListContradictions",
      requestType = dev.camillo.v1.ListContradictionsRequest.class,
      responseType = dev.camillo.v1.ListContradictionsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ListContradictionsRequest,
      dev.camillo.v1.ListContradictionsResponse> getListContradictionsMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ListContradictionsRequest, dev.camillo.v1.ListContradictionsResponse> getListContradictionsMethod;
    if ((getListContradictionsMethod = MemoryServiceGrpc.getListContradictionsMethod) == null) {
      synchronized (MemoryServiceGrpc.class) {
        if ((getListContradictionsMethod = MemoryServiceGrpc.getListContradictionsMethod) == null) {
          MemoryServiceGrpc.getListContradictionsMethod = getListContradictionsMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ListContradictionsRequest, dev.camillo.v1.ListContradictionsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListContradictions"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListContradictionsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListContradictionsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new MemoryServiceMethodDescriptorSupplier("ListContradictions"))
              .build();
        }
      }
    }
    return getListContradictionsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.WatchMemoriesRequest,
      dev.camillo.v1.WatchMemoriesResponse> getWatchMemoriesMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "WatchMemories",
      requestType = dev.camillo.v1.WatchMemoriesRequest.class,
      responseType = dev.camillo.v1.WatchMemoriesResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.WatchMemoriesRequest,
      dev.camillo.v1.WatchMemoriesResponse> getWatchMemoriesMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.WatchMemoriesRequest, dev.camillo.v1.WatchMemoriesResponse> getWatchMemoriesMethod;
    if ((getWatchMemoriesMethod = MemoryServiceGrpc.getWatchMemoriesMethod) == null) {
      synchronized (MemoryServiceGrpc.class) {
        if ((getWatchMemoriesMethod = MemoryServiceGrpc.getWatchMemoriesMethod) == null) {
          MemoryServiceGrpc.getWatchMemoriesMethod = getWatchMemoriesMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.WatchMemoriesRequest, dev.camillo.v1.WatchMemoriesResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "WatchMemories"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.WatchMemoriesRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.WatchMemoriesResponse.getDefaultInstance()))
              .setSchemaDescriptor(new MemoryServiceMethodDescriptorSupplier("WatchMemories"))
              .build();
        }
      }
    }
    return getWatchMemoriesMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ExportMemoriesRequest,
      dev.camillo.v1.ExportMemoriesResponse> getExportMemoriesMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ExportMemories",
      requestType = dev.camillo.v1.ExportMemoriesRequest.class,
      responseType = dev.camillo.v1.ExportMemoriesResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ExportMemoriesRequest,
      dev.camillo.v1.ExportMemoriesResponse> getExportMemoriesMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ExportMemoriesRequest, dev.camillo.v1.ExportMemoriesResponse> getExportMemoriesMethod;
    if ((getExportMemoriesMethod = MemoryServiceGrpc.getExportMemoriesMethod) == null) {
      synchronized (MemoryServiceGrpc.class) {
        if ((getExportMemoriesMethod = MemoryServiceGrpc.getExportMemoriesMethod) == null) {
          MemoryServiceGrpc.getExportMemoriesMethod = getExportMemoriesMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ExportMemoriesRequest, dev.camillo.v1.ExportMemoriesResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.SERVER_STREAMING)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ExportMemories"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ExportMemoriesRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ExportMemoriesResponse.getDefaultInstance()))
              .setSchemaDescriptor(new MemoryServiceMethodDescriptorSupplier("ExportMemories"))
              .build();
        }
      }
    }
    return getExportMemoriesMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static MemoryServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<MemoryServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<MemoryServiceStub>() {
        @java.lang.Override
        public MemoryServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new MemoryServiceStub(channel, callOptions);
        }
      };
    return MemoryServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static MemoryServiceBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<MemoryServiceBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<MemoryServiceBlockingV2Stub>() {
        @java.lang.Override
        public MemoryServiceBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new MemoryServiceBlockingV2Stub(channel, callOptions);
        }
      };
    return MemoryServiceBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static MemoryServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<MemoryServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<MemoryServiceBlockingStub>() {
        @java.lang.Override
        public MemoryServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new MemoryServiceBlockingStub(channel, callOptions);
        }
      };
    return MemoryServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static MemoryServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<MemoryServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<MemoryServiceFutureStub>() {
        @java.lang.Override
        public MemoryServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new MemoryServiceFutureStub(channel, callOptions);
        }
      };
    return MemoryServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * Memories: what an agent has distilled and keeps.
   * The tenant, and for most credentials the agent, come from the credential. `agent_id` is for operators, who reach any
   * agent. It also takes the path of a space: `users/42`, `projects/shop`, `teams/eu/ops` (docs/spaces.md); `&#64;shared` is
   * the one that the tenant shares. Empty: the agent of the credential, else the one that `camillo-default-agent` names in
   * the metadata, else `&#64;shared`. Another agent and a space without a grant are SCOPE_FORBIDDEN, and so is `&#64;shared`.
   * Secrets (keys, tokens, passwords of known forms) are redacted in every text before it is stored, and listed in the
   * answer; ids and vectors stay as they are. `request_id`: up to 128 characters. The same id with the same content within
   * 24 hours returns the first answer and writes nothing; with other content it is ALREADY_EXISTS with REQUEST_ID_REUSED.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * Stores one memory, or adds to the one that says exactly the same (docs/lifecycle.md): committed and found when it returns.
     * </pre>
     */
    default void remember(dev.camillo.v1.RememberRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.RememberResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getRememberMethod(), responseObserver);
    }

    /**
     * <pre>
     * Stores up to 1,000 memories in one transaction, in the order given. An item that breaks a limit fails alone.
     * </pre>
     */
    default void batchRemember(dev.camillo.v1.BatchRememberRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.BatchRememberResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getBatchRememberMethod(), responseObserver);
    }

    /**
     * <pre>
     * Stores memories as they were exported, in batches: after a broken stream send it again with CONFLICT_POLICY_SKIP.
     * </pre>
     */
    default io.grpc.stub.StreamObserver<dev.camillo.v1.ImportMemoriesRequest> importMemories(
        io.grpc.stub.StreamObserver<dev.camillo.v1.ImportMemoriesResponse> responseObserver) {
      return io.grpc.stub.ServerCalls.asyncUnimplementedStreamingCall(getImportMemoriesMethod(), responseObserver);
    }

    /**
     * <pre>
     * Finds the memories that answer a query best.
     * </pre>
     */
    default void recall(dev.camillo.v1.RecallRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.RecallResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getRecallMethod(), responseObserver);
    }

    /**
     * <pre>
     * Runs up to 32 recalls, each with its own result or error, in the order given.
     * </pre>
     */
    default void batchRecall(dev.camillo.v1.BatchRecallRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.BatchRecallResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getBatchRecallMethod(), responseObserver);
    }

    /**
     * <pre>
     * Returns one memory, archived or not.
     * </pre>
     */
    default void getMemory(dev.camillo.v1.GetMemoryRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.GetMemoryResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetMemoryMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists memories that pass a filter, newest first, in pages.
     * </pre>
     */
    default void listMemories(dev.camillo.v1.ListMemoriesRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListMemoriesResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListMemoriesMethod(), responseObserver);
    }

    /**
     * <pre>
     * Changes fields of one memory. The replaced values stay readable as a revision.
     * </pre>
     */
    default void updateMemory(dev.camillo.v1.UpdateMemoryRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.UpdateMemoryResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getUpdateMemoryMethod(), responseObserver);
    }

    /**
     * <pre>
     * Removes memories for good, with everything derived from them, and blocks their content from being stated again.
     * </pre>
     */
    default void forgetMemories(dev.camillo.v1.ForgetMemoriesRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ForgetMemoriesResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getForgetMemoriesMethod(), responseObserver);
    }

    /**
     * <pre>
     * Restores archived memories, so that they are recalled again.
     * </pre>
     */
    default void restoreMemories(dev.camillo.v1.RestoreMemoriesRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.RestoreMemoriesResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getRestoreMemoriesMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists the versions of a memory, newest first, in pages.
     * </pre>
     */
    default void listMemoryRevisions(dev.camillo.v1.ListMemoryRevisionsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListMemoryRevisionsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListMemoryRevisionsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Supersedes a memory by another one. Both are linked, the old one stays readable, and its sources are passed on.
     * </pre>
     */
    default void supersedeMemory(dev.camillo.v1.SupersedeMemoryRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.SupersedeMemoryResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getSupersedeMemoryMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists pairs of memories that probably contradict each other, newest first, in pages. Changes nothing.
     * </pre>
     */
    default void listContradictions(dev.camillo.v1.ListContradictionsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListContradictionsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListContradictionsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Streams the changes of a space in revision order, without end; of several changes of one memory, the latest.
     * </pre>
     */
    default void watchMemories(dev.camillo.v1.WatchMemoriesRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.WatchMemoriesResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getWatchMemoriesMethod(), responseObserver);
    }

    /**
     * <pre>
     * Streams all memories that pass a filter, oldest first: each that existed at `revision`, once, as it is when its page
     * is read; WatchMemories after that has the changes. Who reads nothing gets STREAM_IDLE; `next_page_token` resumes.
     * </pre>
     */
    default void exportMemories(dev.camillo.v1.ExportMemoriesRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ExportMemoriesResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getExportMemoriesMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service MemoryService.
   * <pre>
   * Memories: what an agent has distilled and keeps.
   * The tenant, and for most credentials the agent, come from the credential. `agent_id` is for operators, who reach any
   * agent. It also takes the path of a space: `users/42`, `projects/shop`, `teams/eu/ops` (docs/spaces.md); `&#64;shared` is
   * the one that the tenant shares. Empty: the agent of the credential, else the one that `camillo-default-agent` names in
   * the metadata, else `&#64;shared`. Another agent and a space without a grant are SCOPE_FORBIDDEN, and so is `&#64;shared`.
   * Secrets (keys, tokens, passwords of known forms) are redacted in every text before it is stored, and listed in the
   * answer; ids and vectors stay as they are. `request_id`: up to 128 characters. The same id with the same content within
   * 24 hours returns the first answer and writes nothing; with other content it is ALREADY_EXISTS with REQUEST_ID_REUSED.
   * </pre>
   */
  public static abstract class MemoryServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return MemoryServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service MemoryService.
   * <pre>
   * Memories: what an agent has distilled and keeps.
   * The tenant, and for most credentials the agent, come from the credential. `agent_id` is for operators, who reach any
   * agent. It also takes the path of a space: `users/42`, `projects/shop`, `teams/eu/ops` (docs/spaces.md); `&#64;shared` is
   * the one that the tenant shares. Empty: the agent of the credential, else the one that `camillo-default-agent` names in
   * the metadata, else `&#64;shared`. Another agent and a space without a grant are SCOPE_FORBIDDEN, and so is `&#64;shared`.
   * Secrets (keys, tokens, passwords of known forms) are redacted in every text before it is stored, and listed in the
   * answer; ids and vectors stay as they are. `request_id`: up to 128 characters. The same id with the same content within
   * 24 hours returns the first answer and writes nothing; with other content it is ALREADY_EXISTS with REQUEST_ID_REUSED.
   * </pre>
   */
  public static final class MemoryServiceStub
      extends io.grpc.stub.AbstractAsyncStub<MemoryServiceStub> {
    private MemoryServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected MemoryServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new MemoryServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * Stores one memory, or adds to the one that says exactly the same (docs/lifecycle.md): committed and found when it returns.
     * </pre>
     */
    public void remember(dev.camillo.v1.RememberRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.RememberResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getRememberMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Stores up to 1,000 memories in one transaction, in the order given. An item that breaks a limit fails alone.
     * </pre>
     */
    public void batchRemember(dev.camillo.v1.BatchRememberRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.BatchRememberResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getBatchRememberMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Stores memories as they were exported, in batches: after a broken stream send it again with CONFLICT_POLICY_SKIP.
     * </pre>
     */
    public io.grpc.stub.StreamObserver<dev.camillo.v1.ImportMemoriesRequest> importMemories(
        io.grpc.stub.StreamObserver<dev.camillo.v1.ImportMemoriesResponse> responseObserver) {
      return io.grpc.stub.ClientCalls.asyncClientStreamingCall(
          getChannel().newCall(getImportMemoriesMethod(), getCallOptions()), responseObserver);
    }

    /**
     * <pre>
     * Finds the memories that answer a query best.
     * </pre>
     */
    public void recall(dev.camillo.v1.RecallRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.RecallResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getRecallMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Runs up to 32 recalls, each with its own result or error, in the order given.
     * </pre>
     */
    public void batchRecall(dev.camillo.v1.BatchRecallRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.BatchRecallResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getBatchRecallMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Returns one memory, archived or not.
     * </pre>
     */
    public void getMemory(dev.camillo.v1.GetMemoryRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.GetMemoryResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetMemoryMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists memories that pass a filter, newest first, in pages.
     * </pre>
     */
    public void listMemories(dev.camillo.v1.ListMemoriesRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListMemoriesResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListMemoriesMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Changes fields of one memory. The replaced values stay readable as a revision.
     * </pre>
     */
    public void updateMemory(dev.camillo.v1.UpdateMemoryRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.UpdateMemoryResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getUpdateMemoryMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Removes memories for good, with everything derived from them, and blocks their content from being stated again.
     * </pre>
     */
    public void forgetMemories(dev.camillo.v1.ForgetMemoriesRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ForgetMemoriesResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getForgetMemoriesMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Restores archived memories, so that they are recalled again.
     * </pre>
     */
    public void restoreMemories(dev.camillo.v1.RestoreMemoriesRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.RestoreMemoriesResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getRestoreMemoriesMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists the versions of a memory, newest first, in pages.
     * </pre>
     */
    public void listMemoryRevisions(dev.camillo.v1.ListMemoryRevisionsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListMemoryRevisionsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListMemoryRevisionsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Supersedes a memory by another one. Both are linked, the old one stays readable, and its sources are passed on.
     * </pre>
     */
    public void supersedeMemory(dev.camillo.v1.SupersedeMemoryRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.SupersedeMemoryResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getSupersedeMemoryMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists pairs of memories that probably contradict each other, newest first, in pages. Changes nothing.
     * </pre>
     */
    public void listContradictions(dev.camillo.v1.ListContradictionsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListContradictionsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListContradictionsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Streams the changes of a space in revision order, without end; of several changes of one memory, the latest.
     * </pre>
     */
    public void watchMemories(dev.camillo.v1.WatchMemoriesRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.WatchMemoriesResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncServerStreamingCall(
          getChannel().newCall(getWatchMemoriesMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Streams all memories that pass a filter, oldest first: each that existed at `revision`, once, as it is when its page
     * is read; WatchMemories after that has the changes. Who reads nothing gets STREAM_IDLE; `next_page_token` resumes.
     * </pre>
     */
    public void exportMemories(dev.camillo.v1.ExportMemoriesRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ExportMemoriesResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncServerStreamingCall(
          getChannel().newCall(getExportMemoriesMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service MemoryService.
   * <pre>
   * Memories: what an agent has distilled and keeps.
   * The tenant, and for most credentials the agent, come from the credential. `agent_id` is for operators, who reach any
   * agent. It also takes the path of a space: `users/42`, `projects/shop`, `teams/eu/ops` (docs/spaces.md); `&#64;shared` is
   * the one that the tenant shares. Empty: the agent of the credential, else the one that `camillo-default-agent` names in
   * the metadata, else `&#64;shared`. Another agent and a space without a grant are SCOPE_FORBIDDEN, and so is `&#64;shared`.
   * Secrets (keys, tokens, passwords of known forms) are redacted in every text before it is stored, and listed in the
   * answer; ids and vectors stay as they are. `request_id`: up to 128 characters. The same id with the same content within
   * 24 hours returns the first answer and writes nothing; with other content it is ALREADY_EXISTS with REQUEST_ID_REUSED.
   * </pre>
   */
  public static final class MemoryServiceBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<MemoryServiceBlockingV2Stub> {
    private MemoryServiceBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected MemoryServiceBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new MemoryServiceBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * Stores one memory, or adds to the one that says exactly the same (docs/lifecycle.md): committed and found when it returns.
     * </pre>
     */
    public dev.camillo.v1.RememberResponse remember(dev.camillo.v1.RememberRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getRememberMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Stores up to 1,000 memories in one transaction, in the order given. An item that breaks a limit fails alone.
     * </pre>
     */
    public dev.camillo.v1.BatchRememberResponse batchRemember(dev.camillo.v1.BatchRememberRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getBatchRememberMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Stores memories as they were exported, in batches: after a broken stream send it again with CONFLICT_POLICY_SKIP.
     * </pre>
     */
    @io.grpc.ExperimentalApi("https://github.com/grpc/grpc-java/issues/10918")
    public io.grpc.stub.BlockingClientCall<dev.camillo.v1.ImportMemoriesRequest, dev.camillo.v1.ImportMemoriesResponse>
        importMemories() {
      return io.grpc.stub.ClientCalls.blockingClientStreamingCall(
          getChannel(), getImportMemoriesMethod(), getCallOptions());
    }

    /**
     * <pre>
     * Finds the memories that answer a query best.
     * </pre>
     */
    public dev.camillo.v1.RecallResponse recall(dev.camillo.v1.RecallRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getRecallMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Runs up to 32 recalls, each with its own result or error, in the order given.
     * </pre>
     */
    public dev.camillo.v1.BatchRecallResponse batchRecall(dev.camillo.v1.BatchRecallRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getBatchRecallMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Returns one memory, archived or not.
     * </pre>
     */
    public dev.camillo.v1.GetMemoryResponse getMemory(dev.camillo.v1.GetMemoryRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getGetMemoryMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists memories that pass a filter, newest first, in pages.
     * </pre>
     */
    public dev.camillo.v1.ListMemoriesResponse listMemories(dev.camillo.v1.ListMemoriesRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListMemoriesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Changes fields of one memory. The replaced values stay readable as a revision.
     * </pre>
     */
    public dev.camillo.v1.UpdateMemoryResponse updateMemory(dev.camillo.v1.UpdateMemoryRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getUpdateMemoryMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Removes memories for good, with everything derived from them, and blocks their content from being stated again.
     * </pre>
     */
    public dev.camillo.v1.ForgetMemoriesResponse forgetMemories(dev.camillo.v1.ForgetMemoriesRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getForgetMemoriesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Restores archived memories, so that they are recalled again.
     * </pre>
     */
    public dev.camillo.v1.RestoreMemoriesResponse restoreMemories(dev.camillo.v1.RestoreMemoriesRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getRestoreMemoriesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the versions of a memory, newest first, in pages.
     * </pre>
     */
    public dev.camillo.v1.ListMemoryRevisionsResponse listMemoryRevisions(dev.camillo.v1.ListMemoryRevisionsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListMemoryRevisionsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Supersedes a memory by another one. Both are linked, the old one stays readable, and its sources are passed on.
     * </pre>
     */
    public dev.camillo.v1.SupersedeMemoryResponse supersedeMemory(dev.camillo.v1.SupersedeMemoryRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getSupersedeMemoryMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists pairs of memories that probably contradict each other, newest first, in pages. Changes nothing.
     * </pre>
     */
    public dev.camillo.v1.ListContradictionsResponse listContradictions(dev.camillo.v1.ListContradictionsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListContradictionsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Streams the changes of a space in revision order, without end; of several changes of one memory, the latest.
     * </pre>
     */
    @io.grpc.ExperimentalApi("https://github.com/grpc/grpc-java/issues/10918")
    public io.grpc.stub.BlockingClientCall<?, dev.camillo.v1.WatchMemoriesResponse>
        watchMemories(dev.camillo.v1.WatchMemoriesRequest request) {
      return io.grpc.stub.ClientCalls.blockingV2ServerStreamingCall(
          getChannel(), getWatchMemoriesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Streams all memories that pass a filter, oldest first: each that existed at `revision`, once, as it is when its page
     * is read; WatchMemories after that has the changes. Who reads nothing gets STREAM_IDLE; `next_page_token` resumes.
     * </pre>
     */
    @io.grpc.ExperimentalApi("https://github.com/grpc/grpc-java/issues/10918")
    public io.grpc.stub.BlockingClientCall<?, dev.camillo.v1.ExportMemoriesResponse>
        exportMemories(dev.camillo.v1.ExportMemoriesRequest request) {
      return io.grpc.stub.ClientCalls.blockingV2ServerStreamingCall(
          getChannel(), getExportMemoriesMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service MemoryService.
   * <pre>
   * Memories: what an agent has distilled and keeps.
   * The tenant, and for most credentials the agent, come from the credential. `agent_id` is for operators, who reach any
   * agent. It also takes the path of a space: `users/42`, `projects/shop`, `teams/eu/ops` (docs/spaces.md); `&#64;shared` is
   * the one that the tenant shares. Empty: the agent of the credential, else the one that `camillo-default-agent` names in
   * the metadata, else `&#64;shared`. Another agent and a space without a grant are SCOPE_FORBIDDEN, and so is `&#64;shared`.
   * Secrets (keys, tokens, passwords of known forms) are redacted in every text before it is stored, and listed in the
   * answer; ids and vectors stay as they are. `request_id`: up to 128 characters. The same id with the same content within
   * 24 hours returns the first answer and writes nothing; with other content it is ALREADY_EXISTS with REQUEST_ID_REUSED.
   * </pre>
   */
  public static final class MemoryServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<MemoryServiceBlockingStub> {
    private MemoryServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected MemoryServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new MemoryServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * Stores one memory, or adds to the one that says exactly the same (docs/lifecycle.md): committed and found when it returns.
     * </pre>
     */
    public dev.camillo.v1.RememberResponse remember(dev.camillo.v1.RememberRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getRememberMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Stores up to 1,000 memories in one transaction, in the order given. An item that breaks a limit fails alone.
     * </pre>
     */
    public dev.camillo.v1.BatchRememberResponse batchRemember(dev.camillo.v1.BatchRememberRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getBatchRememberMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Finds the memories that answer a query best.
     * </pre>
     */
    public dev.camillo.v1.RecallResponse recall(dev.camillo.v1.RecallRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getRecallMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Runs up to 32 recalls, each with its own result or error, in the order given.
     * </pre>
     */
    public dev.camillo.v1.BatchRecallResponse batchRecall(dev.camillo.v1.BatchRecallRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getBatchRecallMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Returns one memory, archived or not.
     * </pre>
     */
    public dev.camillo.v1.GetMemoryResponse getMemory(dev.camillo.v1.GetMemoryRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetMemoryMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists memories that pass a filter, newest first, in pages.
     * </pre>
     */
    public dev.camillo.v1.ListMemoriesResponse listMemories(dev.camillo.v1.ListMemoriesRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListMemoriesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Changes fields of one memory. The replaced values stay readable as a revision.
     * </pre>
     */
    public dev.camillo.v1.UpdateMemoryResponse updateMemory(dev.camillo.v1.UpdateMemoryRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getUpdateMemoryMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Removes memories for good, with everything derived from them, and blocks their content from being stated again.
     * </pre>
     */
    public dev.camillo.v1.ForgetMemoriesResponse forgetMemories(dev.camillo.v1.ForgetMemoriesRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getForgetMemoriesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Restores archived memories, so that they are recalled again.
     * </pre>
     */
    public dev.camillo.v1.RestoreMemoriesResponse restoreMemories(dev.camillo.v1.RestoreMemoriesRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getRestoreMemoriesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the versions of a memory, newest first, in pages.
     * </pre>
     */
    public dev.camillo.v1.ListMemoryRevisionsResponse listMemoryRevisions(dev.camillo.v1.ListMemoryRevisionsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListMemoryRevisionsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Supersedes a memory by another one. Both are linked, the old one stays readable, and its sources are passed on.
     * </pre>
     */
    public dev.camillo.v1.SupersedeMemoryResponse supersedeMemory(dev.camillo.v1.SupersedeMemoryRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getSupersedeMemoryMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists pairs of memories that probably contradict each other, newest first, in pages. Changes nothing.
     * </pre>
     */
    public dev.camillo.v1.ListContradictionsResponse listContradictions(dev.camillo.v1.ListContradictionsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListContradictionsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Streams the changes of a space in revision order, without end; of several changes of one memory, the latest.
     * </pre>
     */
    public java.util.Iterator<dev.camillo.v1.WatchMemoriesResponse> watchMemories(
        dev.camillo.v1.WatchMemoriesRequest request) {
      return io.grpc.stub.ClientCalls.blockingServerStreamingCall(
          getChannel(), getWatchMemoriesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Streams all memories that pass a filter, oldest first: each that existed at `revision`, once, as it is when its page
     * is read; WatchMemories after that has the changes. Who reads nothing gets STREAM_IDLE; `next_page_token` resumes.
     * </pre>
     */
    public java.util.Iterator<dev.camillo.v1.ExportMemoriesResponse> exportMemories(
        dev.camillo.v1.ExportMemoriesRequest request) {
      return io.grpc.stub.ClientCalls.blockingServerStreamingCall(
          getChannel(), getExportMemoriesMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service MemoryService.
   * <pre>
   * Memories: what an agent has distilled and keeps.
   * The tenant, and for most credentials the agent, come from the credential. `agent_id` is for operators, who reach any
   * agent. It also takes the path of a space: `users/42`, `projects/shop`, `teams/eu/ops` (docs/spaces.md); `&#64;shared` is
   * the one that the tenant shares. Empty: the agent of the credential, else the one that `camillo-default-agent` names in
   * the metadata, else `&#64;shared`. Another agent and a space without a grant are SCOPE_FORBIDDEN, and so is `&#64;shared`.
   * Secrets (keys, tokens, passwords of known forms) are redacted in every text before it is stored, and listed in the
   * answer; ids and vectors stay as they are. `request_id`: up to 128 characters. The same id with the same content within
   * 24 hours returns the first answer and writes nothing; with other content it is ALREADY_EXISTS with REQUEST_ID_REUSED.
   * </pre>
   */
  public static final class MemoryServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<MemoryServiceFutureStub> {
    private MemoryServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected MemoryServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new MemoryServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * Stores one memory, or adds to the one that says exactly the same (docs/lifecycle.md): committed and found when it returns.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.RememberResponse> remember(
        dev.camillo.v1.RememberRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getRememberMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Stores up to 1,000 memories in one transaction, in the order given. An item that breaks a limit fails alone.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.BatchRememberResponse> batchRemember(
        dev.camillo.v1.BatchRememberRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getBatchRememberMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Finds the memories that answer a query best.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.RecallResponse> recall(
        dev.camillo.v1.RecallRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getRecallMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Runs up to 32 recalls, each with its own result or error, in the order given.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.BatchRecallResponse> batchRecall(
        dev.camillo.v1.BatchRecallRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getBatchRecallMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Returns one memory, archived or not.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.GetMemoryResponse> getMemory(
        dev.camillo.v1.GetMemoryRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetMemoryMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists memories that pass a filter, newest first, in pages.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.ListMemoriesResponse> listMemories(
        dev.camillo.v1.ListMemoriesRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListMemoriesMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Changes fields of one memory. The replaced values stay readable as a revision.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.UpdateMemoryResponse> updateMemory(
        dev.camillo.v1.UpdateMemoryRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getUpdateMemoryMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Removes memories for good, with everything derived from them, and blocks their content from being stated again.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.ForgetMemoriesResponse> forgetMemories(
        dev.camillo.v1.ForgetMemoriesRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getForgetMemoriesMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Restores archived memories, so that they are recalled again.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.RestoreMemoriesResponse> restoreMemories(
        dev.camillo.v1.RestoreMemoriesRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getRestoreMemoriesMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists the versions of a memory, newest first, in pages.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.ListMemoryRevisionsResponse> listMemoryRevisions(
        dev.camillo.v1.ListMemoryRevisionsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListMemoryRevisionsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Supersedes a memory by another one. Both are linked, the old one stays readable, and its sources are passed on.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.SupersedeMemoryResponse> supersedeMemory(
        dev.camillo.v1.SupersedeMemoryRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getSupersedeMemoryMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists pairs of memories that probably contradict each other, newest first, in pages. Changes nothing.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.ListContradictionsResponse> listContradictions(
        dev.camillo.v1.ListContradictionsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListContradictionsMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_REMEMBER = 0;
  private static final int METHODID_BATCH_REMEMBER = 1;
  private static final int METHODID_RECALL = 2;
  private static final int METHODID_BATCH_RECALL = 3;
  private static final int METHODID_GET_MEMORY = 4;
  private static final int METHODID_LIST_MEMORIES = 5;
  private static final int METHODID_UPDATE_MEMORY = 6;
  private static final int METHODID_FORGET_MEMORIES = 7;
  private static final int METHODID_RESTORE_MEMORIES = 8;
  private static final int METHODID_LIST_MEMORY_REVISIONS = 9;
  private static final int METHODID_SUPERSEDE_MEMORY = 10;
  private static final int METHODID_LIST_CONTRADICTIONS = 11;
  private static final int METHODID_WATCH_MEMORIES = 12;
  private static final int METHODID_EXPORT_MEMORIES = 13;
  private static final int METHODID_IMPORT_MEMORIES = 14;

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
        case METHODID_REMEMBER:
          serviceImpl.remember((dev.camillo.v1.RememberRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.RememberResponse>) responseObserver);
          break;
        case METHODID_BATCH_REMEMBER:
          serviceImpl.batchRemember((dev.camillo.v1.BatchRememberRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.BatchRememberResponse>) responseObserver);
          break;
        case METHODID_RECALL:
          serviceImpl.recall((dev.camillo.v1.RecallRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.RecallResponse>) responseObserver);
          break;
        case METHODID_BATCH_RECALL:
          serviceImpl.batchRecall((dev.camillo.v1.BatchRecallRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.BatchRecallResponse>) responseObserver);
          break;
        case METHODID_GET_MEMORY:
          serviceImpl.getMemory((dev.camillo.v1.GetMemoryRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.GetMemoryResponse>) responseObserver);
          break;
        case METHODID_LIST_MEMORIES:
          serviceImpl.listMemories((dev.camillo.v1.ListMemoriesRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ListMemoriesResponse>) responseObserver);
          break;
        case METHODID_UPDATE_MEMORY:
          serviceImpl.updateMemory((dev.camillo.v1.UpdateMemoryRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.UpdateMemoryResponse>) responseObserver);
          break;
        case METHODID_FORGET_MEMORIES:
          serviceImpl.forgetMemories((dev.camillo.v1.ForgetMemoriesRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ForgetMemoriesResponse>) responseObserver);
          break;
        case METHODID_RESTORE_MEMORIES:
          serviceImpl.restoreMemories((dev.camillo.v1.RestoreMemoriesRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.RestoreMemoriesResponse>) responseObserver);
          break;
        case METHODID_LIST_MEMORY_REVISIONS:
          serviceImpl.listMemoryRevisions((dev.camillo.v1.ListMemoryRevisionsRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ListMemoryRevisionsResponse>) responseObserver);
          break;
        case METHODID_SUPERSEDE_MEMORY:
          serviceImpl.supersedeMemory((dev.camillo.v1.SupersedeMemoryRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.SupersedeMemoryResponse>) responseObserver);
          break;
        case METHODID_LIST_CONTRADICTIONS:
          serviceImpl.listContradictions((dev.camillo.v1.ListContradictionsRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ListContradictionsResponse>) responseObserver);
          break;
        case METHODID_WATCH_MEMORIES:
          serviceImpl.watchMemories((dev.camillo.v1.WatchMemoriesRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.WatchMemoriesResponse>) responseObserver);
          break;
        case METHODID_EXPORT_MEMORIES:
          serviceImpl.exportMemories((dev.camillo.v1.ExportMemoriesRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ExportMemoriesResponse>) responseObserver);
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
        case METHODID_IMPORT_MEMORIES:
          return (io.grpc.stub.StreamObserver<Req>) serviceImpl.importMemories(
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ImportMemoriesResponse>) responseObserver);
        default:
          throw new AssertionError();
      }
    }
  }

  public static final io.grpc.ServerServiceDefinition bindService(AsyncService service) {
    return io.grpc.ServerServiceDefinition.builder(getServiceDescriptor())
        .addMethod(
          getRememberMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.RememberRequest,
              dev.camillo.v1.RememberResponse>(
                service, METHODID_REMEMBER)))
        .addMethod(
          getBatchRememberMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.BatchRememberRequest,
              dev.camillo.v1.BatchRememberResponse>(
                service, METHODID_BATCH_REMEMBER)))
        .addMethod(
          getImportMemoriesMethod(),
          io.grpc.stub.ServerCalls.asyncClientStreamingCall(
            new MethodHandlers<
              dev.camillo.v1.ImportMemoriesRequest,
              dev.camillo.v1.ImportMemoriesResponse>(
                service, METHODID_IMPORT_MEMORIES)))
        .addMethod(
          getRecallMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.RecallRequest,
              dev.camillo.v1.RecallResponse>(
                service, METHODID_RECALL)))
        .addMethod(
          getBatchRecallMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.BatchRecallRequest,
              dev.camillo.v1.BatchRecallResponse>(
                service, METHODID_BATCH_RECALL)))
        .addMethod(
          getGetMemoryMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.GetMemoryRequest,
              dev.camillo.v1.GetMemoryResponse>(
                service, METHODID_GET_MEMORY)))
        .addMethod(
          getListMemoriesMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.ListMemoriesRequest,
              dev.camillo.v1.ListMemoriesResponse>(
                service, METHODID_LIST_MEMORIES)))
        .addMethod(
          getUpdateMemoryMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.UpdateMemoryRequest,
              dev.camillo.v1.UpdateMemoryResponse>(
                service, METHODID_UPDATE_MEMORY)))
        .addMethod(
          getForgetMemoriesMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.ForgetMemoriesRequest,
              dev.camillo.v1.ForgetMemoriesResponse>(
                service, METHODID_FORGET_MEMORIES)))
        .addMethod(
          getRestoreMemoriesMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.RestoreMemoriesRequest,
              dev.camillo.v1.RestoreMemoriesResponse>(
                service, METHODID_RESTORE_MEMORIES)))
        .addMethod(
          getListMemoryRevisionsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.ListMemoryRevisionsRequest,
              dev.camillo.v1.ListMemoryRevisionsResponse>(
                service, METHODID_LIST_MEMORY_REVISIONS)))
        .addMethod(
          getSupersedeMemoryMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.SupersedeMemoryRequest,
              dev.camillo.v1.SupersedeMemoryResponse>(
                service, METHODID_SUPERSEDE_MEMORY)))
        .addMethod(
          getListContradictionsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.ListContradictionsRequest,
              dev.camillo.v1.ListContradictionsResponse>(
                service, METHODID_LIST_CONTRADICTIONS)))
        .addMethod(
          getWatchMemoriesMethod(),
          io.grpc.stub.ServerCalls.asyncServerStreamingCall(
            new MethodHandlers<
              dev.camillo.v1.WatchMemoriesRequest,
              dev.camillo.v1.WatchMemoriesResponse>(
                service, METHODID_WATCH_MEMORIES)))
        .addMethod(
          getExportMemoriesMethod(),
          io.grpc.stub.ServerCalls.asyncServerStreamingCall(
            new MethodHandlers<
              dev.camillo.v1.ExportMemoriesRequest,
              dev.camillo.v1.ExportMemoriesResponse>(
                service, METHODID_EXPORT_MEMORIES)))
        .build();
  }

  private static abstract class MemoryServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    MemoryServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return dev.camillo.v1.MemoryServiceOuterClass.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("MemoryService");
    }
  }

  private static final class MemoryServiceFileDescriptorSupplier
      extends MemoryServiceBaseDescriptorSupplier {
    MemoryServiceFileDescriptorSupplier() {}
  }

  private static final class MemoryServiceMethodDescriptorSupplier
      extends MemoryServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    MemoryServiceMethodDescriptorSupplier(java.lang.String methodName) {
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
      synchronized (MemoryServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new MemoryServiceFileDescriptorSupplier())
              .addMethod(getRememberMethod())
              .addMethod(getBatchRememberMethod())
              .addMethod(getImportMemoriesMethod())
              .addMethod(getRecallMethod())
              .addMethod(getBatchRecallMethod())
              .addMethod(getGetMemoryMethod())
              .addMethod(getListMemoriesMethod())
              .addMethod(getUpdateMemoryMethod())
              .addMethod(getForgetMemoriesMethod())
              .addMethod(getRestoreMemoriesMethod())
              .addMethod(getListMemoryRevisionsMethod())
              .addMethod(getSupersedeMemoryMethod())
              .addMethod(getListContradictionsMethod())
              .addMethod(getWatchMemoriesMethod())
              .addMethod(getExportMemoriesMethod())
              .build();
        }
      }
    }
    return result;
  }
}
