package dev.camillo.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * Knowledge of a tenant: documents, which are found in passages, and skills, which are loaded whole.
 * Documents are the tenant's. Callers who publish, change or remove them need a credential that reaches every agent
 * (else SCOPE_FORBIDDEN); every agent reads those of the categories that its key grants. Recall finds passages with
 * SOURCE_DOCUMENT.
 * `agent_id`, `request_id` and secrets: see MemoryService.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class KnowledgeServiceGrpc {

  private KnowledgeServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "camillo.v1.KnowledgeService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.PublishDocumentRequest,
      dev.camillo.v1.PublishDocumentResponse> getPublishDocumentMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "PublishDocument",
      requestType = dev.camillo.v1.PublishDocumentRequest.class,
      responseType = dev.camillo.v1.PublishDocumentResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.CLIENT_STREAMING)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.PublishDocumentRequest,
      dev.camillo.v1.PublishDocumentResponse> getPublishDocumentMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.PublishDocumentRequest, dev.camillo.v1.PublishDocumentResponse> getPublishDocumentMethod;
    if ((getPublishDocumentMethod = KnowledgeServiceGrpc.getPublishDocumentMethod) == null) {
      synchronized (KnowledgeServiceGrpc.class) {
        if ((getPublishDocumentMethod = KnowledgeServiceGrpc.getPublishDocumentMethod) == null) {
          KnowledgeServiceGrpc.getPublishDocumentMethod = getPublishDocumentMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.PublishDocumentRequest, dev.camillo.v1.PublishDocumentResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.CLIENT_STREAMING)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "PublishDocument"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.PublishDocumentRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.PublishDocumentResponse.getDefaultInstance()))
              .setSchemaDescriptor(new KnowledgeServiceMethodDescriptorSupplier("PublishDocument"))
              .build();
        }
      }
    }
    return getPublishDocumentMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.GetDocumentRequest,
      dev.camillo.v1.GetDocumentResponse> getGetDocumentMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetDocument",
      requestType = dev.camillo.v1.GetDocumentRequest.class,
      responseType = dev.camillo.v1.GetDocumentResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.GetDocumentRequest,
      dev.camillo.v1.GetDocumentResponse> getGetDocumentMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.GetDocumentRequest, dev.camillo.v1.GetDocumentResponse> getGetDocumentMethod;
    if ((getGetDocumentMethod = KnowledgeServiceGrpc.getGetDocumentMethod) == null) {
      synchronized (KnowledgeServiceGrpc.class) {
        if ((getGetDocumentMethod = KnowledgeServiceGrpc.getGetDocumentMethod) == null) {
          KnowledgeServiceGrpc.getGetDocumentMethod = getGetDocumentMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.GetDocumentRequest, dev.camillo.v1.GetDocumentResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetDocument"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.GetDocumentRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.GetDocumentResponse.getDefaultInstance()))
              .setSchemaDescriptor(new KnowledgeServiceMethodDescriptorSupplier("GetDocument"))
              .build();
        }
      }
    }
    return getGetDocumentMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ListDocumentsRequest,
      dev.camillo.v1.ListDocumentsResponse> getListDocumentsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListDocuments",
      requestType = dev.camillo.v1.ListDocumentsRequest.class,
      responseType = dev.camillo.v1.ListDocumentsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ListDocumentsRequest,
      dev.camillo.v1.ListDocumentsResponse> getListDocumentsMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ListDocumentsRequest, dev.camillo.v1.ListDocumentsResponse> getListDocumentsMethod;
    if ((getListDocumentsMethod = KnowledgeServiceGrpc.getListDocumentsMethod) == null) {
      synchronized (KnowledgeServiceGrpc.class) {
        if ((getListDocumentsMethod = KnowledgeServiceGrpc.getListDocumentsMethod) == null) {
          KnowledgeServiceGrpc.getListDocumentsMethod = getListDocumentsMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ListDocumentsRequest, dev.camillo.v1.ListDocumentsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListDocuments"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListDocumentsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListDocumentsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new KnowledgeServiceMethodDescriptorSupplier("ListDocuments"))
              .build();
        }
      }
    }
    return getListDocumentsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.UpdateDocumentRequest,
      dev.camillo.v1.UpdateDocumentResponse> getUpdateDocumentMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "UpdateDocument",
      requestType = dev.camillo.v1.UpdateDocumentRequest.class,
      responseType = dev.camillo.v1.UpdateDocumentResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.UpdateDocumentRequest,
      dev.camillo.v1.UpdateDocumentResponse> getUpdateDocumentMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.UpdateDocumentRequest, dev.camillo.v1.UpdateDocumentResponse> getUpdateDocumentMethod;
    if ((getUpdateDocumentMethod = KnowledgeServiceGrpc.getUpdateDocumentMethod) == null) {
      synchronized (KnowledgeServiceGrpc.class) {
        if ((getUpdateDocumentMethod = KnowledgeServiceGrpc.getUpdateDocumentMethod) == null) {
          KnowledgeServiceGrpc.getUpdateDocumentMethod = getUpdateDocumentMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.UpdateDocumentRequest, dev.camillo.v1.UpdateDocumentResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "UpdateDocument"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.UpdateDocumentRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.UpdateDocumentResponse.getDefaultInstance()))
              .setSchemaDescriptor(new KnowledgeServiceMethodDescriptorSupplier("UpdateDocument"))
              .build();
        }
      }
    }
    return getUpdateDocumentMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ArchiveDocumentRequest,
      dev.camillo.v1.ArchiveDocumentResponse> getArchiveDocumentMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ArchiveDocument",
      requestType = dev.camillo.v1.ArchiveDocumentRequest.class,
      responseType = dev.camillo.v1.ArchiveDocumentResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ArchiveDocumentRequest,
      dev.camillo.v1.ArchiveDocumentResponse> getArchiveDocumentMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ArchiveDocumentRequest, dev.camillo.v1.ArchiveDocumentResponse> getArchiveDocumentMethod;
    if ((getArchiveDocumentMethod = KnowledgeServiceGrpc.getArchiveDocumentMethod) == null) {
      synchronized (KnowledgeServiceGrpc.class) {
        if ((getArchiveDocumentMethod = KnowledgeServiceGrpc.getArchiveDocumentMethod) == null) {
          KnowledgeServiceGrpc.getArchiveDocumentMethod = getArchiveDocumentMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ArchiveDocumentRequest, dev.camillo.v1.ArchiveDocumentResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ArchiveDocument"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ArchiveDocumentRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ArchiveDocumentResponse.getDefaultInstance()))
              .setSchemaDescriptor(new KnowledgeServiceMethodDescriptorSupplier("ArchiveDocument"))
              .build();
        }
      }
    }
    return getArchiveDocumentMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.DeleteDocumentRequest,
      dev.camillo.v1.DeleteDocumentResponse> getDeleteDocumentMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "DeleteDocument",
      requestType = dev.camillo.v1.DeleteDocumentRequest.class,
      responseType = dev.camillo.v1.DeleteDocumentResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.DeleteDocumentRequest,
      dev.camillo.v1.DeleteDocumentResponse> getDeleteDocumentMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.DeleteDocumentRequest, dev.camillo.v1.DeleteDocumentResponse> getDeleteDocumentMethod;
    if ((getDeleteDocumentMethod = KnowledgeServiceGrpc.getDeleteDocumentMethod) == null) {
      synchronized (KnowledgeServiceGrpc.class) {
        if ((getDeleteDocumentMethod = KnowledgeServiceGrpc.getDeleteDocumentMethod) == null) {
          KnowledgeServiceGrpc.getDeleteDocumentMethod = getDeleteDocumentMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.DeleteDocumentRequest, dev.camillo.v1.DeleteDocumentResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "DeleteDocument"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.DeleteDocumentRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.DeleteDocumentResponse.getDefaultInstance()))
              .setSchemaDescriptor(new KnowledgeServiceMethodDescriptorSupplier("DeleteDocument"))
              .build();
        }
      }
    }
    return getDeleteDocumentMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ListDocumentVersionsRequest,
      dev.camillo.v1.ListDocumentVersionsResponse> getListDocumentVersionsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListDocumentVersions",
      requestType = dev.camillo.v1.ListDocumentVersionsRequest.class,
      responseType = dev.camillo.v1.ListDocumentVersionsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ListDocumentVersionsRequest,
      dev.camillo.v1.ListDocumentVersionsResponse> getListDocumentVersionsMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ListDocumentVersionsRequest, dev.camillo.v1.ListDocumentVersionsResponse> getListDocumentVersionsMethod;
    if ((getListDocumentVersionsMethod = KnowledgeServiceGrpc.getListDocumentVersionsMethod) == null) {
      synchronized (KnowledgeServiceGrpc.class) {
        if ((getListDocumentVersionsMethod = KnowledgeServiceGrpc.getListDocumentVersionsMethod) == null) {
          KnowledgeServiceGrpc.getListDocumentVersionsMethod = getListDocumentVersionsMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ListDocumentVersionsRequest, dev.camillo.v1.ListDocumentVersionsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListDocumentVersions"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListDocumentVersionsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListDocumentVersionsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new KnowledgeServiceMethodDescriptorSupplier("ListDocumentVersions"))
              .build();
        }
      }
    }
    return getListDocumentVersionsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.PutSkillRequest,
      dev.camillo.v1.PutSkillResponse> getPutSkillMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "PutSkill",
      requestType = dev.camillo.v1.PutSkillRequest.class,
      responseType = dev.camillo.v1.PutSkillResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.PutSkillRequest,
      dev.camillo.v1.PutSkillResponse> getPutSkillMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.PutSkillRequest, dev.camillo.v1.PutSkillResponse> getPutSkillMethod;
    if ((getPutSkillMethod = KnowledgeServiceGrpc.getPutSkillMethod) == null) {
      synchronized (KnowledgeServiceGrpc.class) {
        if ((getPutSkillMethod = KnowledgeServiceGrpc.getPutSkillMethod) == null) {
          KnowledgeServiceGrpc.getPutSkillMethod = getPutSkillMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.PutSkillRequest, dev.camillo.v1.PutSkillResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "PutSkill"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.PutSkillRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.PutSkillResponse.getDefaultInstance()))
              .setSchemaDescriptor(new KnowledgeServiceMethodDescriptorSupplier("PutSkill"))
              .build();
        }
      }
    }
    return getPutSkillMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.GetSkillRequest,
      dev.camillo.v1.GetSkillResponse> getGetSkillMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetSkill",
      requestType = dev.camillo.v1.GetSkillRequest.class,
      responseType = dev.camillo.v1.GetSkillResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.GetSkillRequest,
      dev.camillo.v1.GetSkillResponse> getGetSkillMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.GetSkillRequest, dev.camillo.v1.GetSkillResponse> getGetSkillMethod;
    if ((getGetSkillMethod = KnowledgeServiceGrpc.getGetSkillMethod) == null) {
      synchronized (KnowledgeServiceGrpc.class) {
        if ((getGetSkillMethod = KnowledgeServiceGrpc.getGetSkillMethod) == null) {
          KnowledgeServiceGrpc.getGetSkillMethod = getGetSkillMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.GetSkillRequest, dev.camillo.v1.GetSkillResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetSkill"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.GetSkillRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.GetSkillResponse.getDefaultInstance()))
              .setSchemaDescriptor(new KnowledgeServiceMethodDescriptorSupplier("GetSkill"))
              .build();
        }
      }
    }
    return getGetSkillMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ListSkillsRequest,
      dev.camillo.v1.ListSkillsResponse> getListSkillsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListSkills",
      requestType = dev.camillo.v1.ListSkillsRequest.class,
      responseType = dev.camillo.v1.ListSkillsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ListSkillsRequest,
      dev.camillo.v1.ListSkillsResponse> getListSkillsMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ListSkillsRequest, dev.camillo.v1.ListSkillsResponse> getListSkillsMethod;
    if ((getListSkillsMethod = KnowledgeServiceGrpc.getListSkillsMethod) == null) {
      synchronized (KnowledgeServiceGrpc.class) {
        if ((getListSkillsMethod = KnowledgeServiceGrpc.getListSkillsMethod) == null) {
          KnowledgeServiceGrpc.getListSkillsMethod = getListSkillsMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ListSkillsRequest, dev.camillo.v1.ListSkillsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListSkills"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListSkillsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListSkillsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new KnowledgeServiceMethodDescriptorSupplier("ListSkills"))
              .build();
        }
      }
    }
    return getListSkillsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.DeleteSkillRequest,
      dev.camillo.v1.DeleteSkillResponse> getDeleteSkillMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "DeleteSkill",
      requestType = dev.camillo.v1.DeleteSkillRequest.class,
      responseType = dev.camillo.v1.DeleteSkillResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.DeleteSkillRequest,
      dev.camillo.v1.DeleteSkillResponse> getDeleteSkillMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.DeleteSkillRequest, dev.camillo.v1.DeleteSkillResponse> getDeleteSkillMethod;
    if ((getDeleteSkillMethod = KnowledgeServiceGrpc.getDeleteSkillMethod) == null) {
      synchronized (KnowledgeServiceGrpc.class) {
        if ((getDeleteSkillMethod = KnowledgeServiceGrpc.getDeleteSkillMethod) == null) {
          KnowledgeServiceGrpc.getDeleteSkillMethod = getDeleteSkillMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.DeleteSkillRequest, dev.camillo.v1.DeleteSkillResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "DeleteSkill"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.DeleteSkillRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.DeleteSkillResponse.getDefaultInstance()))
              .setSchemaDescriptor(new KnowledgeServiceMethodDescriptorSupplier("DeleteSkill"))
              .build();
        }
      }
    }
    return getDeleteSkillMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static KnowledgeServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<KnowledgeServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<KnowledgeServiceStub>() {
        @java.lang.Override
        public KnowledgeServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new KnowledgeServiceStub(channel, callOptions);
        }
      };
    return KnowledgeServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static KnowledgeServiceBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<KnowledgeServiceBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<KnowledgeServiceBlockingV2Stub>() {
        @java.lang.Override
        public KnowledgeServiceBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new KnowledgeServiceBlockingV2Stub(channel, callOptions);
        }
      };
    return KnowledgeServiceBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static KnowledgeServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<KnowledgeServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<KnowledgeServiceBlockingStub>() {
        @java.lang.Override
        public KnowledgeServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new KnowledgeServiceBlockingStub(channel, callOptions);
        }
      };
    return KnowledgeServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static KnowledgeServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<KnowledgeServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<KnowledgeServiceFutureStub>() {
        @java.lang.Override
        public KnowledgeServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new KnowledgeServiceFutureStub(channel, callOptions);
        }
      };
    return KnowledgeServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * Knowledge of a tenant: documents, which are found in passages, and skills, which are loaded whole.
   * Documents are the tenant's. Callers who publish, change or remove them need a credential that reaches every agent
   * (else SCOPE_FORBIDDEN); every agent reads those of the categories that its key grants. Recall finds passages with
   * SOURCE_DOCUMENT.
   * `agent_id`, `request_id` and secrets: see MemoryService.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * Stores a document, or the next version of the one with its name: a header, then bytes, then the finish. The same
     * bytes with the same header store nothing. Unchanged passages keep their vectors. A document that is not of the
     * stated type, or exceeds a limit of the server (docs/knowledge.md), fails with FAILED_PRECONDITION and
     * DOCUMENT_UNREADABLE.
     * </pre>
     */
    default io.grpc.stub.StreamObserver<dev.camillo.v1.PublishDocumentRequest> publishDocument(
        io.grpc.stub.StreamObserver<dev.camillo.v1.PublishDocumentResponse> responseObserver) {
      return io.grpc.stub.ServerCalls.asyncUnimplementedStreamingCall(getPublishDocumentMethod(), responseObserver);
    }

    /**
     * <pre>
     * Returns a document in its newest or an earlier version, with all or a part of its text. A document that the channel
     * or the key excludes is not found.
     * </pre>
     */
    default void getDocument(dev.camillo.v1.GetDocumentRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.GetDocumentResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetDocumentMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists documents that pass a filter, by name, in pages.
     * </pre>
     */
    default void listDocuments(dev.camillo.v1.ListDocumentsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListDocumentsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListDocumentsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Changes the title, tags and other fields of a document, as a new version with the same text.
     * </pre>
     */
    default void updateDocument(dev.camillo.v1.UpdateDocumentRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.UpdateDocumentResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getUpdateDocumentMethod(), responseObserver);
    }

    /**
     * <pre>
     * Archives a document, so that it is no longer found, or restores it. It keeps its versions.
     * </pre>
     */
    default void archiveDocument(dev.camillo.v1.ArchiveDocumentRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ArchiveDocumentResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getArchiveDocumentMethod(), responseObserver);
    }

    /**
     * <pre>
     * Removes a document with every version and passage. Its name may be used again. LifecycleService.Forget also blocks
     * its content from being stated again.
     * </pre>
     */
    default void deleteDocument(dev.camillo.v1.DeleteDocumentRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.DeleteDocumentResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getDeleteDocumentMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists the versions of a document without their texts, newest first, in pages.
     * </pre>
     */
    default void listDocumentVersions(dev.camillo.v1.ListDocumentVersionsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListDocumentVersionsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListDocumentVersionsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Stores a skill, or its next version. An agent's own needs ROLE_WRITER, the tenant's ROLE_TENANT_ADMIN and a credential that reaches every agent, a
     * global one ROLE_ROOT. The same text stores nothing. A secret in it is refused.
     * </pre>
     */
    default void putSkill(dev.camillo.v1.PutSkillRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.PutSkillResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getPutSkillMethod(), responseObserver);
    }

    /**
     * <pre>
     * Returns a whole skill by name: the agent's own, else the tenant's, else the global one; or that of the requested
     * level.
     * </pre>
     */
    default void getSkill(dev.camillo.v1.GetSkillRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.GetSkillResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetSkillMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists the agent's skills, without their texts, by name, in pages: each name once, as GetSkill finds it.
     * </pre>
     */
    default void listSkills(dev.camillo.v1.ListSkillsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListSkillsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListSkillsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Removes a skill of one level, with its versions. Roles as for PutSkill.
     * </pre>
     */
    default void deleteSkill(dev.camillo.v1.DeleteSkillRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.DeleteSkillResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getDeleteSkillMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service KnowledgeService.
   * <pre>
   * Knowledge of a tenant: documents, which are found in passages, and skills, which are loaded whole.
   * Documents are the tenant's. Callers who publish, change or remove them need a credential that reaches every agent
   * (else SCOPE_FORBIDDEN); every agent reads those of the categories that its key grants. Recall finds passages with
   * SOURCE_DOCUMENT.
   * `agent_id`, `request_id` and secrets: see MemoryService.
   * </pre>
   */
  public static abstract class KnowledgeServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return KnowledgeServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service KnowledgeService.
   * <pre>
   * Knowledge of a tenant: documents, which are found in passages, and skills, which are loaded whole.
   * Documents are the tenant's. Callers who publish, change or remove them need a credential that reaches every agent
   * (else SCOPE_FORBIDDEN); every agent reads those of the categories that its key grants. Recall finds passages with
   * SOURCE_DOCUMENT.
   * `agent_id`, `request_id` and secrets: see MemoryService.
   * </pre>
   */
  public static final class KnowledgeServiceStub
      extends io.grpc.stub.AbstractAsyncStub<KnowledgeServiceStub> {
    private KnowledgeServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected KnowledgeServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new KnowledgeServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * Stores a document, or the next version of the one with its name: a header, then bytes, then the finish. The same
     * bytes with the same header store nothing. Unchanged passages keep their vectors. A document that is not of the
     * stated type, or exceeds a limit of the server (docs/knowledge.md), fails with FAILED_PRECONDITION and
     * DOCUMENT_UNREADABLE.
     * </pre>
     */
    public io.grpc.stub.StreamObserver<dev.camillo.v1.PublishDocumentRequest> publishDocument(
        io.grpc.stub.StreamObserver<dev.camillo.v1.PublishDocumentResponse> responseObserver) {
      return io.grpc.stub.ClientCalls.asyncClientStreamingCall(
          getChannel().newCall(getPublishDocumentMethod(), getCallOptions()), responseObserver);
    }

    /**
     * <pre>
     * Returns a document in its newest or an earlier version, with all or a part of its text. A document that the channel
     * or the key excludes is not found.
     * </pre>
     */
    public void getDocument(dev.camillo.v1.GetDocumentRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.GetDocumentResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetDocumentMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists documents that pass a filter, by name, in pages.
     * </pre>
     */
    public void listDocuments(dev.camillo.v1.ListDocumentsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListDocumentsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListDocumentsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Changes the title, tags and other fields of a document, as a new version with the same text.
     * </pre>
     */
    public void updateDocument(dev.camillo.v1.UpdateDocumentRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.UpdateDocumentResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getUpdateDocumentMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Archives a document, so that it is no longer found, or restores it. It keeps its versions.
     * </pre>
     */
    public void archiveDocument(dev.camillo.v1.ArchiveDocumentRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ArchiveDocumentResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getArchiveDocumentMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Removes a document with every version and passage. Its name may be used again. LifecycleService.Forget also blocks
     * its content from being stated again.
     * </pre>
     */
    public void deleteDocument(dev.camillo.v1.DeleteDocumentRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.DeleteDocumentResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getDeleteDocumentMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists the versions of a document without their texts, newest first, in pages.
     * </pre>
     */
    public void listDocumentVersions(dev.camillo.v1.ListDocumentVersionsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListDocumentVersionsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListDocumentVersionsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Stores a skill, or its next version. An agent's own needs ROLE_WRITER, the tenant's ROLE_TENANT_ADMIN and a credential that reaches every agent, a
     * global one ROLE_ROOT. The same text stores nothing. A secret in it is refused.
     * </pre>
     */
    public void putSkill(dev.camillo.v1.PutSkillRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.PutSkillResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getPutSkillMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Returns a whole skill by name: the agent's own, else the tenant's, else the global one; or that of the requested
     * level.
     * </pre>
     */
    public void getSkill(dev.camillo.v1.GetSkillRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.GetSkillResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetSkillMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists the agent's skills, without their texts, by name, in pages: each name once, as GetSkill finds it.
     * </pre>
     */
    public void listSkills(dev.camillo.v1.ListSkillsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListSkillsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListSkillsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Removes a skill of one level, with its versions. Roles as for PutSkill.
     * </pre>
     */
    public void deleteSkill(dev.camillo.v1.DeleteSkillRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.DeleteSkillResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getDeleteSkillMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service KnowledgeService.
   * <pre>
   * Knowledge of a tenant: documents, which are found in passages, and skills, which are loaded whole.
   * Documents are the tenant's. Callers who publish, change or remove them need a credential that reaches every agent
   * (else SCOPE_FORBIDDEN); every agent reads those of the categories that its key grants. Recall finds passages with
   * SOURCE_DOCUMENT.
   * `agent_id`, `request_id` and secrets: see MemoryService.
   * </pre>
   */
  public static final class KnowledgeServiceBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<KnowledgeServiceBlockingV2Stub> {
    private KnowledgeServiceBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected KnowledgeServiceBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new KnowledgeServiceBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * Stores a document, or the next version of the one with its name: a header, then bytes, then the finish. The same
     * bytes with the same header store nothing. Unchanged passages keep their vectors. A document that is not of the
     * stated type, or exceeds a limit of the server (docs/knowledge.md), fails with FAILED_PRECONDITION and
     * DOCUMENT_UNREADABLE.
     * </pre>
     */
    @io.grpc.ExperimentalApi("https://github.com/grpc/grpc-java/issues/10918")
    public io.grpc.stub.BlockingClientCall<dev.camillo.v1.PublishDocumentRequest, dev.camillo.v1.PublishDocumentResponse>
        publishDocument() {
      return io.grpc.stub.ClientCalls.blockingClientStreamingCall(
          getChannel(), getPublishDocumentMethod(), getCallOptions());
    }

    /**
     * <pre>
     * Returns a document in its newest or an earlier version, with all or a part of its text. A document that the channel
     * or the key excludes is not found.
     * </pre>
     */
    public dev.camillo.v1.GetDocumentResponse getDocument(dev.camillo.v1.GetDocumentRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getGetDocumentMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists documents that pass a filter, by name, in pages.
     * </pre>
     */
    public dev.camillo.v1.ListDocumentsResponse listDocuments(dev.camillo.v1.ListDocumentsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListDocumentsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Changes the title, tags and other fields of a document, as a new version with the same text.
     * </pre>
     */
    public dev.camillo.v1.UpdateDocumentResponse updateDocument(dev.camillo.v1.UpdateDocumentRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getUpdateDocumentMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Archives a document, so that it is no longer found, or restores it. It keeps its versions.
     * </pre>
     */
    public dev.camillo.v1.ArchiveDocumentResponse archiveDocument(dev.camillo.v1.ArchiveDocumentRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getArchiveDocumentMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Removes a document with every version and passage. Its name may be used again. LifecycleService.Forget also blocks
     * its content from being stated again.
     * </pre>
     */
    public dev.camillo.v1.DeleteDocumentResponse deleteDocument(dev.camillo.v1.DeleteDocumentRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getDeleteDocumentMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the versions of a document without their texts, newest first, in pages.
     * </pre>
     */
    public dev.camillo.v1.ListDocumentVersionsResponse listDocumentVersions(dev.camillo.v1.ListDocumentVersionsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListDocumentVersionsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Stores a skill, or its next version. An agent's own needs ROLE_WRITER, the tenant's ROLE_TENANT_ADMIN and a credential that reaches every agent, a
     * global one ROLE_ROOT. The same text stores nothing. A secret in it is refused.
     * </pre>
     */
    public dev.camillo.v1.PutSkillResponse putSkill(dev.camillo.v1.PutSkillRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getPutSkillMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Returns a whole skill by name: the agent's own, else the tenant's, else the global one; or that of the requested
     * level.
     * </pre>
     */
    public dev.camillo.v1.GetSkillResponse getSkill(dev.camillo.v1.GetSkillRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getGetSkillMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the agent's skills, without their texts, by name, in pages: each name once, as GetSkill finds it.
     * </pre>
     */
    public dev.camillo.v1.ListSkillsResponse listSkills(dev.camillo.v1.ListSkillsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListSkillsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Removes a skill of one level, with its versions. Roles as for PutSkill.
     * </pre>
     */
    public dev.camillo.v1.DeleteSkillResponse deleteSkill(dev.camillo.v1.DeleteSkillRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getDeleteSkillMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service KnowledgeService.
   * <pre>
   * Knowledge of a tenant: documents, which are found in passages, and skills, which are loaded whole.
   * Documents are the tenant's. Callers who publish, change or remove them need a credential that reaches every agent
   * (else SCOPE_FORBIDDEN); every agent reads those of the categories that its key grants. Recall finds passages with
   * SOURCE_DOCUMENT.
   * `agent_id`, `request_id` and secrets: see MemoryService.
   * </pre>
   */
  public static final class KnowledgeServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<KnowledgeServiceBlockingStub> {
    private KnowledgeServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected KnowledgeServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new KnowledgeServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * Returns a document in its newest or an earlier version, with all or a part of its text. A document that the channel
     * or the key excludes is not found.
     * </pre>
     */
    public dev.camillo.v1.GetDocumentResponse getDocument(dev.camillo.v1.GetDocumentRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetDocumentMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists documents that pass a filter, by name, in pages.
     * </pre>
     */
    public dev.camillo.v1.ListDocumentsResponse listDocuments(dev.camillo.v1.ListDocumentsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListDocumentsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Changes the title, tags and other fields of a document, as a new version with the same text.
     * </pre>
     */
    public dev.camillo.v1.UpdateDocumentResponse updateDocument(dev.camillo.v1.UpdateDocumentRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getUpdateDocumentMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Archives a document, so that it is no longer found, or restores it. It keeps its versions.
     * </pre>
     */
    public dev.camillo.v1.ArchiveDocumentResponse archiveDocument(dev.camillo.v1.ArchiveDocumentRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getArchiveDocumentMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Removes a document with every version and passage. Its name may be used again. LifecycleService.Forget also blocks
     * its content from being stated again.
     * </pre>
     */
    public dev.camillo.v1.DeleteDocumentResponse deleteDocument(dev.camillo.v1.DeleteDocumentRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getDeleteDocumentMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the versions of a document without their texts, newest first, in pages.
     * </pre>
     */
    public dev.camillo.v1.ListDocumentVersionsResponse listDocumentVersions(dev.camillo.v1.ListDocumentVersionsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListDocumentVersionsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Stores a skill, or its next version. An agent's own needs ROLE_WRITER, the tenant's ROLE_TENANT_ADMIN and a credential that reaches every agent, a
     * global one ROLE_ROOT. The same text stores nothing. A secret in it is refused.
     * </pre>
     */
    public dev.camillo.v1.PutSkillResponse putSkill(dev.camillo.v1.PutSkillRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getPutSkillMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Returns a whole skill by name: the agent's own, else the tenant's, else the global one; or that of the requested
     * level.
     * </pre>
     */
    public dev.camillo.v1.GetSkillResponse getSkill(dev.camillo.v1.GetSkillRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetSkillMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the agent's skills, without their texts, by name, in pages: each name once, as GetSkill finds it.
     * </pre>
     */
    public dev.camillo.v1.ListSkillsResponse listSkills(dev.camillo.v1.ListSkillsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListSkillsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Removes a skill of one level, with its versions. Roles as for PutSkill.
     * </pre>
     */
    public dev.camillo.v1.DeleteSkillResponse deleteSkill(dev.camillo.v1.DeleteSkillRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getDeleteSkillMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service KnowledgeService.
   * <pre>
   * Knowledge of a tenant: documents, which are found in passages, and skills, which are loaded whole.
   * Documents are the tenant's. Callers who publish, change or remove them need a credential that reaches every agent
   * (else SCOPE_FORBIDDEN); every agent reads those of the categories that its key grants. Recall finds passages with
   * SOURCE_DOCUMENT.
   * `agent_id`, `request_id` and secrets: see MemoryService.
   * </pre>
   */
  public static final class KnowledgeServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<KnowledgeServiceFutureStub> {
    private KnowledgeServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected KnowledgeServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new KnowledgeServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * Returns a document in its newest or an earlier version, with all or a part of its text. A document that the channel
     * or the key excludes is not found.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.GetDocumentResponse> getDocument(
        dev.camillo.v1.GetDocumentRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetDocumentMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists documents that pass a filter, by name, in pages.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.ListDocumentsResponse> listDocuments(
        dev.camillo.v1.ListDocumentsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListDocumentsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Changes the title, tags and other fields of a document, as a new version with the same text.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.UpdateDocumentResponse> updateDocument(
        dev.camillo.v1.UpdateDocumentRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getUpdateDocumentMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Archives a document, so that it is no longer found, or restores it. It keeps its versions.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.ArchiveDocumentResponse> archiveDocument(
        dev.camillo.v1.ArchiveDocumentRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getArchiveDocumentMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Removes a document with every version and passage. Its name may be used again. LifecycleService.Forget also blocks
     * its content from being stated again.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.DeleteDocumentResponse> deleteDocument(
        dev.camillo.v1.DeleteDocumentRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getDeleteDocumentMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists the versions of a document without their texts, newest first, in pages.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.ListDocumentVersionsResponse> listDocumentVersions(
        dev.camillo.v1.ListDocumentVersionsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListDocumentVersionsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Stores a skill, or its next version. An agent's own needs ROLE_WRITER, the tenant's ROLE_TENANT_ADMIN and a credential that reaches every agent, a
     * global one ROLE_ROOT. The same text stores nothing. A secret in it is refused.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.PutSkillResponse> putSkill(
        dev.camillo.v1.PutSkillRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getPutSkillMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Returns a whole skill by name: the agent's own, else the tenant's, else the global one; or that of the requested
     * level.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.GetSkillResponse> getSkill(
        dev.camillo.v1.GetSkillRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetSkillMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists the agent's skills, without their texts, by name, in pages: each name once, as GetSkill finds it.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.ListSkillsResponse> listSkills(
        dev.camillo.v1.ListSkillsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListSkillsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Removes a skill of one level, with its versions. Roles as for PutSkill.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.DeleteSkillResponse> deleteSkill(
        dev.camillo.v1.DeleteSkillRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getDeleteSkillMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_GET_DOCUMENT = 0;
  private static final int METHODID_LIST_DOCUMENTS = 1;
  private static final int METHODID_UPDATE_DOCUMENT = 2;
  private static final int METHODID_ARCHIVE_DOCUMENT = 3;
  private static final int METHODID_DELETE_DOCUMENT = 4;
  private static final int METHODID_LIST_DOCUMENT_VERSIONS = 5;
  private static final int METHODID_PUT_SKILL = 6;
  private static final int METHODID_GET_SKILL = 7;
  private static final int METHODID_LIST_SKILLS = 8;
  private static final int METHODID_DELETE_SKILL = 9;
  private static final int METHODID_PUBLISH_DOCUMENT = 10;

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
        case METHODID_GET_DOCUMENT:
          serviceImpl.getDocument((dev.camillo.v1.GetDocumentRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.GetDocumentResponse>) responseObserver);
          break;
        case METHODID_LIST_DOCUMENTS:
          serviceImpl.listDocuments((dev.camillo.v1.ListDocumentsRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ListDocumentsResponse>) responseObserver);
          break;
        case METHODID_UPDATE_DOCUMENT:
          serviceImpl.updateDocument((dev.camillo.v1.UpdateDocumentRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.UpdateDocumentResponse>) responseObserver);
          break;
        case METHODID_ARCHIVE_DOCUMENT:
          serviceImpl.archiveDocument((dev.camillo.v1.ArchiveDocumentRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ArchiveDocumentResponse>) responseObserver);
          break;
        case METHODID_DELETE_DOCUMENT:
          serviceImpl.deleteDocument((dev.camillo.v1.DeleteDocumentRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.DeleteDocumentResponse>) responseObserver);
          break;
        case METHODID_LIST_DOCUMENT_VERSIONS:
          serviceImpl.listDocumentVersions((dev.camillo.v1.ListDocumentVersionsRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ListDocumentVersionsResponse>) responseObserver);
          break;
        case METHODID_PUT_SKILL:
          serviceImpl.putSkill((dev.camillo.v1.PutSkillRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.PutSkillResponse>) responseObserver);
          break;
        case METHODID_GET_SKILL:
          serviceImpl.getSkill((dev.camillo.v1.GetSkillRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.GetSkillResponse>) responseObserver);
          break;
        case METHODID_LIST_SKILLS:
          serviceImpl.listSkills((dev.camillo.v1.ListSkillsRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ListSkillsResponse>) responseObserver);
          break;
        case METHODID_DELETE_SKILL:
          serviceImpl.deleteSkill((dev.camillo.v1.DeleteSkillRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.DeleteSkillResponse>) responseObserver);
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
        case METHODID_PUBLISH_DOCUMENT:
          return (io.grpc.stub.StreamObserver<Req>) serviceImpl.publishDocument(
              (io.grpc.stub.StreamObserver<dev.camillo.v1.PublishDocumentResponse>) responseObserver);
        default:
          throw new AssertionError();
      }
    }
  }

  public static final io.grpc.ServerServiceDefinition bindService(AsyncService service) {
    return io.grpc.ServerServiceDefinition.builder(getServiceDescriptor())
        .addMethod(
          getPublishDocumentMethod(),
          io.grpc.stub.ServerCalls.asyncClientStreamingCall(
            new MethodHandlers<
              dev.camillo.v1.PublishDocumentRequest,
              dev.camillo.v1.PublishDocumentResponse>(
                service, METHODID_PUBLISH_DOCUMENT)))
        .addMethod(
          getGetDocumentMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.GetDocumentRequest,
              dev.camillo.v1.GetDocumentResponse>(
                service, METHODID_GET_DOCUMENT)))
        .addMethod(
          getListDocumentsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.ListDocumentsRequest,
              dev.camillo.v1.ListDocumentsResponse>(
                service, METHODID_LIST_DOCUMENTS)))
        .addMethod(
          getUpdateDocumentMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.UpdateDocumentRequest,
              dev.camillo.v1.UpdateDocumentResponse>(
                service, METHODID_UPDATE_DOCUMENT)))
        .addMethod(
          getArchiveDocumentMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.ArchiveDocumentRequest,
              dev.camillo.v1.ArchiveDocumentResponse>(
                service, METHODID_ARCHIVE_DOCUMENT)))
        .addMethod(
          getDeleteDocumentMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.DeleteDocumentRequest,
              dev.camillo.v1.DeleteDocumentResponse>(
                service, METHODID_DELETE_DOCUMENT)))
        .addMethod(
          getListDocumentVersionsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.ListDocumentVersionsRequest,
              dev.camillo.v1.ListDocumentVersionsResponse>(
                service, METHODID_LIST_DOCUMENT_VERSIONS)))
        .addMethod(
          getPutSkillMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.PutSkillRequest,
              dev.camillo.v1.PutSkillResponse>(
                service, METHODID_PUT_SKILL)))
        .addMethod(
          getGetSkillMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.GetSkillRequest,
              dev.camillo.v1.GetSkillResponse>(
                service, METHODID_GET_SKILL)))
        .addMethod(
          getListSkillsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.ListSkillsRequest,
              dev.camillo.v1.ListSkillsResponse>(
                service, METHODID_LIST_SKILLS)))
        .addMethod(
          getDeleteSkillMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.DeleteSkillRequest,
              dev.camillo.v1.DeleteSkillResponse>(
                service, METHODID_DELETE_SKILL)))
        .build();
  }

  private static abstract class KnowledgeServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    KnowledgeServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return dev.camillo.v1.KnowledgeServiceOuterClass.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("KnowledgeService");
    }
  }

  private static final class KnowledgeServiceFileDescriptorSupplier
      extends KnowledgeServiceBaseDescriptorSupplier {
    KnowledgeServiceFileDescriptorSupplier() {}
  }

  private static final class KnowledgeServiceMethodDescriptorSupplier
      extends KnowledgeServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    KnowledgeServiceMethodDescriptorSupplier(java.lang.String methodName) {
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
      synchronized (KnowledgeServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new KnowledgeServiceFileDescriptorSupplier())
              .addMethod(getPublishDocumentMethod())
              .addMethod(getGetDocumentMethod())
              .addMethod(getListDocumentsMethod())
              .addMethod(getUpdateDocumentMethod())
              .addMethod(getArchiveDocumentMethod())
              .addMethod(getDeleteDocumentMethod())
              .addMethod(getListDocumentVersionsMethod())
              .addMethod(getPutSkillMethod())
              .addMethod(getGetSkillMethod())
              .addMethod(getListSkillsMethod())
              .addMethod(getDeleteSkillMethod())
              .build();
        }
      }
    }
    return result;
  }
}
