package dev.camillo.v1;

import static io.grpc.MethodDescriptor.generateFullMethodName;

/**
 * <pre>
 * Tenants, agents and keys. An empty `tenant_id` means the caller's own; another one needs ROLE_ROOT. All methods but
 * WhoAmI need ROLE_TENANT_ADMIN; managing tenants needs ROLE_ROOT. The secret of a key is shown once.
 * </pre>
 */
@io.grpc.stub.annotations.GrpcGenerated
public final class AdminServiceGrpc {

  private AdminServiceGrpc() {}

  public static final java.lang.String SERVICE_NAME = "camillo.v1.AdminService";

  // Static method descriptors that strictly reflect the proto.
  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.WhoAmIRequest,
      dev.camillo.v1.WhoAmIResponse> getWhoAmIMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "WhoAmI",
      requestType = dev.camillo.v1.WhoAmIRequest.class,
      responseType = dev.camillo.v1.WhoAmIResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.WhoAmIRequest,
      dev.camillo.v1.WhoAmIResponse> getWhoAmIMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.WhoAmIRequest, dev.camillo.v1.WhoAmIResponse> getWhoAmIMethod;
    if ((getWhoAmIMethod = AdminServiceGrpc.getWhoAmIMethod) == null) {
      synchronized (AdminServiceGrpc.class) {
        if ((getWhoAmIMethod = AdminServiceGrpc.getWhoAmIMethod) == null) {
          AdminServiceGrpc.getWhoAmIMethod = getWhoAmIMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.WhoAmIRequest, dev.camillo.v1.WhoAmIResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "WhoAmI"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.WhoAmIRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.WhoAmIResponse.getDefaultInstance()))
              .setSchemaDescriptor(new AdminServiceMethodDescriptorSupplier("WhoAmI"))
              .build();
        }
      }
    }
    return getWhoAmIMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.CreateTenantRequest,
      dev.camillo.v1.CreateTenantResponse> getCreateTenantMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "CreateTenant",
      requestType = dev.camillo.v1.CreateTenantRequest.class,
      responseType = dev.camillo.v1.CreateTenantResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.CreateTenantRequest,
      dev.camillo.v1.CreateTenantResponse> getCreateTenantMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.CreateTenantRequest, dev.camillo.v1.CreateTenantResponse> getCreateTenantMethod;
    if ((getCreateTenantMethod = AdminServiceGrpc.getCreateTenantMethod) == null) {
      synchronized (AdminServiceGrpc.class) {
        if ((getCreateTenantMethod = AdminServiceGrpc.getCreateTenantMethod) == null) {
          AdminServiceGrpc.getCreateTenantMethod = getCreateTenantMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.CreateTenantRequest, dev.camillo.v1.CreateTenantResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "CreateTenant"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.CreateTenantRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.CreateTenantResponse.getDefaultInstance()))
              .setSchemaDescriptor(new AdminServiceMethodDescriptorSupplier("CreateTenant"))
              .build();
        }
      }
    }
    return getCreateTenantMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ListTenantsRequest,
      dev.camillo.v1.ListTenantsResponse> getListTenantsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListTenants",
      requestType = dev.camillo.v1.ListTenantsRequest.class,
      responseType = dev.camillo.v1.ListTenantsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ListTenantsRequest,
      dev.camillo.v1.ListTenantsResponse> getListTenantsMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ListTenantsRequest, dev.camillo.v1.ListTenantsResponse> getListTenantsMethod;
    if ((getListTenantsMethod = AdminServiceGrpc.getListTenantsMethod) == null) {
      synchronized (AdminServiceGrpc.class) {
        if ((getListTenantsMethod = AdminServiceGrpc.getListTenantsMethod) == null) {
          AdminServiceGrpc.getListTenantsMethod = getListTenantsMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ListTenantsRequest, dev.camillo.v1.ListTenantsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListTenants"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListTenantsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListTenantsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new AdminServiceMethodDescriptorSupplier("ListTenants"))
              .build();
        }
      }
    }
    return getListTenantsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.DeleteTenantRequest,
      dev.camillo.v1.DeleteTenantResponse> getDeleteTenantMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "DeleteTenant",
      requestType = dev.camillo.v1.DeleteTenantRequest.class,
      responseType = dev.camillo.v1.DeleteTenantResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.DeleteTenantRequest,
      dev.camillo.v1.DeleteTenantResponse> getDeleteTenantMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.DeleteTenantRequest, dev.camillo.v1.DeleteTenantResponse> getDeleteTenantMethod;
    if ((getDeleteTenantMethod = AdminServiceGrpc.getDeleteTenantMethod) == null) {
      synchronized (AdminServiceGrpc.class) {
        if ((getDeleteTenantMethod = AdminServiceGrpc.getDeleteTenantMethod) == null) {
          AdminServiceGrpc.getDeleteTenantMethod = getDeleteTenantMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.DeleteTenantRequest, dev.camillo.v1.DeleteTenantResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "DeleteTenant"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.DeleteTenantRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.DeleteTenantResponse.getDefaultInstance()))
              .setSchemaDescriptor(new AdminServiceMethodDescriptorSupplier("DeleteTenant"))
              .build();
        }
      }
    }
    return getDeleteTenantMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.GetQuotasRequest,
      dev.camillo.v1.GetQuotasResponse> getGetQuotasMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "GetQuotas",
      requestType = dev.camillo.v1.GetQuotasRequest.class,
      responseType = dev.camillo.v1.GetQuotasResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.GetQuotasRequest,
      dev.camillo.v1.GetQuotasResponse> getGetQuotasMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.GetQuotasRequest, dev.camillo.v1.GetQuotasResponse> getGetQuotasMethod;
    if ((getGetQuotasMethod = AdminServiceGrpc.getGetQuotasMethod) == null) {
      synchronized (AdminServiceGrpc.class) {
        if ((getGetQuotasMethod = AdminServiceGrpc.getGetQuotasMethod) == null) {
          AdminServiceGrpc.getGetQuotasMethod = getGetQuotasMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.GetQuotasRequest, dev.camillo.v1.GetQuotasResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "GetQuotas"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.GetQuotasRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.GetQuotasResponse.getDefaultInstance()))
              .setSchemaDescriptor(new AdminServiceMethodDescriptorSupplier("GetQuotas"))
              .build();
        }
      }
    }
    return getGetQuotasMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.SetQuotasRequest,
      dev.camillo.v1.SetQuotasResponse> getSetQuotasMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "SetQuotas",
      requestType = dev.camillo.v1.SetQuotasRequest.class,
      responseType = dev.camillo.v1.SetQuotasResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.SetQuotasRequest,
      dev.camillo.v1.SetQuotasResponse> getSetQuotasMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.SetQuotasRequest, dev.camillo.v1.SetQuotasResponse> getSetQuotasMethod;
    if ((getSetQuotasMethod = AdminServiceGrpc.getSetQuotasMethod) == null) {
      synchronized (AdminServiceGrpc.class) {
        if ((getSetQuotasMethod = AdminServiceGrpc.getSetQuotasMethod) == null) {
          AdminServiceGrpc.getSetQuotasMethod = getSetQuotasMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.SetQuotasRequest, dev.camillo.v1.SetQuotasResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "SetQuotas"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.SetQuotasRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.SetQuotasResponse.getDefaultInstance()))
              .setSchemaDescriptor(new AdminServiceMethodDescriptorSupplier("SetQuotas"))
              .build();
        }
      }
    }
    return getSetQuotasMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.CreateAgentRequest,
      dev.camillo.v1.CreateAgentResponse> getCreateAgentMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "CreateAgent",
      requestType = dev.camillo.v1.CreateAgentRequest.class,
      responseType = dev.camillo.v1.CreateAgentResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.CreateAgentRequest,
      dev.camillo.v1.CreateAgentResponse> getCreateAgentMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.CreateAgentRequest, dev.camillo.v1.CreateAgentResponse> getCreateAgentMethod;
    if ((getCreateAgentMethod = AdminServiceGrpc.getCreateAgentMethod) == null) {
      synchronized (AdminServiceGrpc.class) {
        if ((getCreateAgentMethod = AdminServiceGrpc.getCreateAgentMethod) == null) {
          AdminServiceGrpc.getCreateAgentMethod = getCreateAgentMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.CreateAgentRequest, dev.camillo.v1.CreateAgentResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "CreateAgent"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.CreateAgentRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.CreateAgentResponse.getDefaultInstance()))
              .setSchemaDescriptor(new AdminServiceMethodDescriptorSupplier("CreateAgent"))
              .build();
        }
      }
    }
    return getCreateAgentMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ListAgentsRequest,
      dev.camillo.v1.ListAgentsResponse> getListAgentsMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListAgents",
      requestType = dev.camillo.v1.ListAgentsRequest.class,
      responseType = dev.camillo.v1.ListAgentsResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ListAgentsRequest,
      dev.camillo.v1.ListAgentsResponse> getListAgentsMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ListAgentsRequest, dev.camillo.v1.ListAgentsResponse> getListAgentsMethod;
    if ((getListAgentsMethod = AdminServiceGrpc.getListAgentsMethod) == null) {
      synchronized (AdminServiceGrpc.class) {
        if ((getListAgentsMethod = AdminServiceGrpc.getListAgentsMethod) == null) {
          AdminServiceGrpc.getListAgentsMethod = getListAgentsMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ListAgentsRequest, dev.camillo.v1.ListAgentsResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListAgents"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListAgentsRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListAgentsResponse.getDefaultInstance()))
              .setSchemaDescriptor(new AdminServiceMethodDescriptorSupplier("ListAgents"))
              .build();
        }
      }
    }
    return getListAgentsMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.DeleteAgentRequest,
      dev.camillo.v1.DeleteAgentResponse> getDeleteAgentMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "DeleteAgent",
      requestType = dev.camillo.v1.DeleteAgentRequest.class,
      responseType = dev.camillo.v1.DeleteAgentResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.DeleteAgentRequest,
      dev.camillo.v1.DeleteAgentResponse> getDeleteAgentMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.DeleteAgentRequest, dev.camillo.v1.DeleteAgentResponse> getDeleteAgentMethod;
    if ((getDeleteAgentMethod = AdminServiceGrpc.getDeleteAgentMethod) == null) {
      synchronized (AdminServiceGrpc.class) {
        if ((getDeleteAgentMethod = AdminServiceGrpc.getDeleteAgentMethod) == null) {
          AdminServiceGrpc.getDeleteAgentMethod = getDeleteAgentMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.DeleteAgentRequest, dev.camillo.v1.DeleteAgentResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "DeleteAgent"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.DeleteAgentRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.DeleteAgentResponse.getDefaultInstance()))
              .setSchemaDescriptor(new AdminServiceMethodDescriptorSupplier("DeleteAgent"))
              .build();
        }
      }
    }
    return getDeleteAgentMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.CreateKeyRequest,
      dev.camillo.v1.CreateKeyResponse> getCreateKeyMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "CreateKey",
      requestType = dev.camillo.v1.CreateKeyRequest.class,
      responseType = dev.camillo.v1.CreateKeyResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.CreateKeyRequest,
      dev.camillo.v1.CreateKeyResponse> getCreateKeyMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.CreateKeyRequest, dev.camillo.v1.CreateKeyResponse> getCreateKeyMethod;
    if ((getCreateKeyMethod = AdminServiceGrpc.getCreateKeyMethod) == null) {
      synchronized (AdminServiceGrpc.class) {
        if ((getCreateKeyMethod = AdminServiceGrpc.getCreateKeyMethod) == null) {
          AdminServiceGrpc.getCreateKeyMethod = getCreateKeyMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.CreateKeyRequest, dev.camillo.v1.CreateKeyResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "CreateKey"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.CreateKeyRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.CreateKeyResponse.getDefaultInstance()))
              .setSchemaDescriptor(new AdminServiceMethodDescriptorSupplier("CreateKey"))
              .build();
        }
      }
    }
    return getCreateKeyMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ListKeysRequest,
      dev.camillo.v1.ListKeysResponse> getListKeysMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListKeys",
      requestType = dev.camillo.v1.ListKeysRequest.class,
      responseType = dev.camillo.v1.ListKeysResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ListKeysRequest,
      dev.camillo.v1.ListKeysResponse> getListKeysMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ListKeysRequest, dev.camillo.v1.ListKeysResponse> getListKeysMethod;
    if ((getListKeysMethod = AdminServiceGrpc.getListKeysMethod) == null) {
      synchronized (AdminServiceGrpc.class) {
        if ((getListKeysMethod = AdminServiceGrpc.getListKeysMethod) == null) {
          AdminServiceGrpc.getListKeysMethod = getListKeysMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ListKeysRequest, dev.camillo.v1.ListKeysResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListKeys"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListKeysRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListKeysResponse.getDefaultInstance()))
              .setSchemaDescriptor(new AdminServiceMethodDescriptorSupplier("ListKeys"))
              .build();
        }
      }
    }
    return getListKeysMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.RevokeKeyRequest,
      dev.camillo.v1.RevokeKeyResponse> getRevokeKeyMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "RevokeKey",
      requestType = dev.camillo.v1.RevokeKeyRequest.class,
      responseType = dev.camillo.v1.RevokeKeyResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.RevokeKeyRequest,
      dev.camillo.v1.RevokeKeyResponse> getRevokeKeyMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.RevokeKeyRequest, dev.camillo.v1.RevokeKeyResponse> getRevokeKeyMethod;
    if ((getRevokeKeyMethod = AdminServiceGrpc.getRevokeKeyMethod) == null) {
      synchronized (AdminServiceGrpc.class) {
        if ((getRevokeKeyMethod = AdminServiceGrpc.getRevokeKeyMethod) == null) {
          AdminServiceGrpc.getRevokeKeyMethod = getRevokeKeyMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.RevokeKeyRequest, dev.camillo.v1.RevokeKeyResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "RevokeKey"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.RevokeKeyRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.RevokeKeyResponse.getDefaultInstance()))
              .setSchemaDescriptor(new AdminServiceMethodDescriptorSupplier("RevokeKey"))
              .build();
        }
      }
    }
    return getRevokeKeyMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ListIndexesRequest,
      dev.camillo.v1.ListIndexesResponse> getListIndexesMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ListIndexes",
      requestType = dev.camillo.v1.ListIndexesRequest.class,
      responseType = dev.camillo.v1.ListIndexesResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ListIndexesRequest,
      dev.camillo.v1.ListIndexesResponse> getListIndexesMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ListIndexesRequest, dev.camillo.v1.ListIndexesResponse> getListIndexesMethod;
    if ((getListIndexesMethod = AdminServiceGrpc.getListIndexesMethod) == null) {
      synchronized (AdminServiceGrpc.class) {
        if ((getListIndexesMethod = AdminServiceGrpc.getListIndexesMethod) == null) {
          AdminServiceGrpc.getListIndexesMethod = getListIndexesMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ListIndexesRequest, dev.camillo.v1.ListIndexesResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ListIndexes"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListIndexesRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ListIndexesResponse.getDefaultInstance()))
              .setSchemaDescriptor(new AdminServiceMethodDescriptorSupplier("ListIndexes"))
              .build();
        }
      }
    }
    return getListIndexesMethod;
  }

  private static volatile io.grpc.MethodDescriptor<dev.camillo.v1.ProfileServerRequest,
      dev.camillo.v1.ProfileServerResponse> getProfileServerMethod;

  @io.grpc.stub.annotations.RpcMethod(
      fullMethodName = SERVICE_NAME + '/' + "ProfileServer",
      requestType = dev.camillo.v1.ProfileServerRequest.class,
      responseType = dev.camillo.v1.ProfileServerResponse.class,
      methodType = io.grpc.MethodDescriptor.MethodType.UNARY)
  public static io.grpc.MethodDescriptor<dev.camillo.v1.ProfileServerRequest,
      dev.camillo.v1.ProfileServerResponse> getProfileServerMethod() {
    io.grpc.MethodDescriptor<dev.camillo.v1.ProfileServerRequest, dev.camillo.v1.ProfileServerResponse> getProfileServerMethod;
    if ((getProfileServerMethod = AdminServiceGrpc.getProfileServerMethod) == null) {
      synchronized (AdminServiceGrpc.class) {
        if ((getProfileServerMethod = AdminServiceGrpc.getProfileServerMethod) == null) {
          AdminServiceGrpc.getProfileServerMethod = getProfileServerMethod =
              io.grpc.MethodDescriptor.<dev.camillo.v1.ProfileServerRequest, dev.camillo.v1.ProfileServerResponse>newBuilder()
              .setType(io.grpc.MethodDescriptor.MethodType.UNARY)
              .setFullMethodName(generateFullMethodName(SERVICE_NAME, "ProfileServer"))
              .setSampledToLocalTracing(true)
              .setRequestMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ProfileServerRequest.getDefaultInstance()))
              .setResponseMarshaller(io.grpc.protobuf.ProtoUtils.marshaller(
                  dev.camillo.v1.ProfileServerResponse.getDefaultInstance()))
              .setSchemaDescriptor(new AdminServiceMethodDescriptorSupplier("ProfileServer"))
              .build();
        }
      }
    }
    return getProfileServerMethod;
  }

  /**
   * Creates a new async stub that supports all call types for the service
   */
  public static AdminServiceStub newStub(io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<AdminServiceStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<AdminServiceStub>() {
        @java.lang.Override
        public AdminServiceStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new AdminServiceStub(channel, callOptions);
        }
      };
    return AdminServiceStub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports all types of calls on the service
   */
  public static AdminServiceBlockingV2Stub newBlockingV2Stub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<AdminServiceBlockingV2Stub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<AdminServiceBlockingV2Stub>() {
        @java.lang.Override
        public AdminServiceBlockingV2Stub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new AdminServiceBlockingV2Stub(channel, callOptions);
        }
      };
    return AdminServiceBlockingV2Stub.newStub(factory, channel);
  }

  /**
   * Creates a new blocking-style stub that supports unary and streaming output calls on the service
   */
  public static AdminServiceBlockingStub newBlockingStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<AdminServiceBlockingStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<AdminServiceBlockingStub>() {
        @java.lang.Override
        public AdminServiceBlockingStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new AdminServiceBlockingStub(channel, callOptions);
        }
      };
    return AdminServiceBlockingStub.newStub(factory, channel);
  }

  /**
   * Creates a new ListenableFuture-style stub that supports unary calls on the service
   */
  public static AdminServiceFutureStub newFutureStub(
      io.grpc.Channel channel) {
    io.grpc.stub.AbstractStub.StubFactory<AdminServiceFutureStub> factory =
      new io.grpc.stub.AbstractStub.StubFactory<AdminServiceFutureStub>() {
        @java.lang.Override
        public AdminServiceFutureStub newStub(io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
          return new AdminServiceFutureStub(channel, callOptions);
        }
      };
    return AdminServiceFutureStub.newStub(factory, channel);
  }

  /**
   * <pre>
   * Tenants, agents and keys. An empty `tenant_id` means the caller's own; another one needs ROLE_ROOT. All methods but
   * WhoAmI need ROLE_TENANT_ADMIN; managing tenants needs ROLE_ROOT. The secret of a key is shown once.
   * </pre>
   */
  public interface AsyncService {

    /**
     * <pre>
     * Describes the caller's credential and the server.
     * </pre>
     */
    default void whoAmI(dev.camillo.v1.WhoAmIRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.WhoAmIResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getWhoAmIMethod(), responseObserver);
    }

    /**
     * <pre>
     * Creates a tenant.
     * </pre>
     */
    default void createTenant(dev.camillo.v1.CreateTenantRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.CreateTenantResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getCreateTenantMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists all tenants, by id, in pages.
     * </pre>
     */
    default void listTenants(dev.camillo.v1.ListTenantsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListTenantsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListTenantsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Removes a tenant with everything in it, for good. A large tenant is removed in steps that are committed separately:
     * after a deadline, repeat the call to continue.
     * </pre>
     */
    default void deleteTenant(dev.camillo.v1.DeleteTenantRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.DeleteTenantResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getDeleteTenantMethod(), responseObserver);
    }

    /**
     * <pre>
     * Returns a tenant's limits and how much of each it uses; needs a credential that reaches any agent. A write beyond a
     * limit is refused with QUOTA_EXCEEDED, a call beyond the rate with OVERLOADED. Several servers together may exceed a
     * limit by what they write within a minute.
     * </pre>
     */
    default void getQuotas(dev.camillo.v1.GetQuotasRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.GetQuotasResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getGetQuotasMethod(), responseObserver);
    }

    /**
     * <pre>
     * Sets limits of a tenant. Other server processes apply them within a minute.
     * </pre>
     */
    default void setQuotas(dev.camillo.v1.SetQuotasRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.SetQuotasResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getSetQuotasMethod(), responseObserver);
    }

    /**
     * <pre>
     * Creates an agent. Optional: the first write of an agent creates it, too.
     * </pre>
     */
    default void createAgent(dev.camillo.v1.CreateAgentRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.CreateAgentResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getCreateAgentMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists the agents of a tenant and its spaces such as users/42, by id, in pages.
     * </pre>
     */
    default void listAgents(dev.camillo.v1.ListAgentsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListAgentsResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListAgentsMethod(), responseObserver);
    }

    /**
     * <pre>
     * Removes an agent, or a space such as users/42, and all its records for good, a large one in steps as DeleteTenant
     * does, and revokes its keys. Its entries in the audit trail, the receipt (see LifecycleService.ListReceipts) and its
     * blocked values stay.
     * </pre>
     */
    default void deleteAgent(dev.camillo.v1.DeleteAgentRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.DeleteAgentResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getDeleteAgentMethod(), responseObserver);
    }

    /**
     * <pre>
     * Creates a key. Only this answer has its secret.
     * </pre>
     */
    default void createKey(dev.camillo.v1.CreateKeyRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.CreateKeyResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getCreateKeyMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists the keys of a tenant, newest first, in pages.
     * </pre>
     */
    default void listKeys(dev.camillo.v1.ListKeysRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListKeysResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListKeysMethod(), responseObserver);
    }

    /**
     * <pre>
     * Revokes a key. The answering server refuses it at once, all others within seconds.
     * </pre>
     */
    default void revokeKey(dev.camillo.v1.RevokeKeyRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.RevokeKeyResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getRevokeKeyMethod(), responseObserver);
    }

    /**
     * <pre>
     * Lists the indexes of a tenant that the answering process holds in memory, by agent, in pages. Other processes hold
     * their own. With `compare`, each is compared with Postgres first and dropped if it differs; Postgres answers recalls
     * until it is loaded again.
     * </pre>
     */
    default void listIndexes(dev.camillo.v1.ListIndexesRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListIndexesResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getListIndexesMethod(), responseObserver);
    }

    /**
     * <pre>
     * Profiles the processor time of the answering process: py-spy samples the stacks of its threads while it keeps
     * serving. A profile has names of functions, files and threads, and no data. A process runs one profile at a time
     * (else OVERLOADED). PROFILER_UNAVAILABLE if py-spy is missing or lacks permission. The deadline must be longer than
     * `seconds`.
     * </pre>
     */
    default void profileServer(dev.camillo.v1.ProfileServerRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ProfileServerResponse> responseObserver) {
      io.grpc.stub.ServerCalls.asyncUnimplementedUnaryCall(getProfileServerMethod(), responseObserver);
    }
  }

  /**
   * Base class for the server implementation of the service AdminService.
   * <pre>
   * Tenants, agents and keys. An empty `tenant_id` means the caller's own; another one needs ROLE_ROOT. All methods but
   * WhoAmI need ROLE_TENANT_ADMIN; managing tenants needs ROLE_ROOT. The secret of a key is shown once.
   * </pre>
   */
  public static abstract class AdminServiceImplBase
      implements io.grpc.BindableService, AsyncService {

    @java.lang.Override public final io.grpc.ServerServiceDefinition bindService() {
      return AdminServiceGrpc.bindService(this);
    }
  }

  /**
   * A stub to allow clients to do asynchronous rpc calls to service AdminService.
   * <pre>
   * Tenants, agents and keys. An empty `tenant_id` means the caller's own; another one needs ROLE_ROOT. All methods but
   * WhoAmI need ROLE_TENANT_ADMIN; managing tenants needs ROLE_ROOT. The secret of a key is shown once.
   * </pre>
   */
  public static final class AdminServiceStub
      extends io.grpc.stub.AbstractAsyncStub<AdminServiceStub> {
    private AdminServiceStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected AdminServiceStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new AdminServiceStub(channel, callOptions);
    }

    /**
     * <pre>
     * Describes the caller's credential and the server.
     * </pre>
     */
    public void whoAmI(dev.camillo.v1.WhoAmIRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.WhoAmIResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getWhoAmIMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Creates a tenant.
     * </pre>
     */
    public void createTenant(dev.camillo.v1.CreateTenantRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.CreateTenantResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getCreateTenantMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists all tenants, by id, in pages.
     * </pre>
     */
    public void listTenants(dev.camillo.v1.ListTenantsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListTenantsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListTenantsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Removes a tenant with everything in it, for good. A large tenant is removed in steps that are committed separately:
     * after a deadline, repeat the call to continue.
     * </pre>
     */
    public void deleteTenant(dev.camillo.v1.DeleteTenantRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.DeleteTenantResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getDeleteTenantMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Returns a tenant's limits and how much of each it uses; needs a credential that reaches any agent. A write beyond a
     * limit is refused with QUOTA_EXCEEDED, a call beyond the rate with OVERLOADED. Several servers together may exceed a
     * limit by what they write within a minute.
     * </pre>
     */
    public void getQuotas(dev.camillo.v1.GetQuotasRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.GetQuotasResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getGetQuotasMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Sets limits of a tenant. Other server processes apply them within a minute.
     * </pre>
     */
    public void setQuotas(dev.camillo.v1.SetQuotasRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.SetQuotasResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getSetQuotasMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Creates an agent. Optional: the first write of an agent creates it, too.
     * </pre>
     */
    public void createAgent(dev.camillo.v1.CreateAgentRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.CreateAgentResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getCreateAgentMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists the agents of a tenant and its spaces such as users/42, by id, in pages.
     * </pre>
     */
    public void listAgents(dev.camillo.v1.ListAgentsRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListAgentsResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListAgentsMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Removes an agent, or a space such as users/42, and all its records for good, a large one in steps as DeleteTenant
     * does, and revokes its keys. Its entries in the audit trail, the receipt (see LifecycleService.ListReceipts) and its
     * blocked values stay.
     * </pre>
     */
    public void deleteAgent(dev.camillo.v1.DeleteAgentRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.DeleteAgentResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getDeleteAgentMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Creates a key. Only this answer has its secret.
     * </pre>
     */
    public void createKey(dev.camillo.v1.CreateKeyRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.CreateKeyResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getCreateKeyMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists the keys of a tenant, newest first, in pages.
     * </pre>
     */
    public void listKeys(dev.camillo.v1.ListKeysRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListKeysResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListKeysMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Revokes a key. The answering server refuses it at once, all others within seconds.
     * </pre>
     */
    public void revokeKey(dev.camillo.v1.RevokeKeyRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.RevokeKeyResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getRevokeKeyMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Lists the indexes of a tenant that the answering process holds in memory, by agent, in pages. Other processes hold
     * their own. With `compare`, each is compared with Postgres first and dropped if it differs; Postgres answers recalls
     * until it is loaded again.
     * </pre>
     */
    public void listIndexes(dev.camillo.v1.ListIndexesRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ListIndexesResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getListIndexesMethod(), getCallOptions()), request, responseObserver);
    }

    /**
     * <pre>
     * Profiles the processor time of the answering process: py-spy samples the stacks of its threads while it keeps
     * serving. A profile has names of functions, files and threads, and no data. A process runs one profile at a time
     * (else OVERLOADED). PROFILER_UNAVAILABLE if py-spy is missing or lacks permission. The deadline must be longer than
     * `seconds`.
     * </pre>
     */
    public void profileServer(dev.camillo.v1.ProfileServerRequest request,
        io.grpc.stub.StreamObserver<dev.camillo.v1.ProfileServerResponse> responseObserver) {
      io.grpc.stub.ClientCalls.asyncUnaryCall(
          getChannel().newCall(getProfileServerMethod(), getCallOptions()), request, responseObserver);
    }
  }

  /**
   * A stub to allow clients to do synchronous rpc calls to service AdminService.
   * <pre>
   * Tenants, agents and keys. An empty `tenant_id` means the caller's own; another one needs ROLE_ROOT. All methods but
   * WhoAmI need ROLE_TENANT_ADMIN; managing tenants needs ROLE_ROOT. The secret of a key is shown once.
   * </pre>
   */
  public static final class AdminServiceBlockingV2Stub
      extends io.grpc.stub.AbstractBlockingStub<AdminServiceBlockingV2Stub> {
    private AdminServiceBlockingV2Stub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected AdminServiceBlockingV2Stub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new AdminServiceBlockingV2Stub(channel, callOptions);
    }

    /**
     * <pre>
     * Describes the caller's credential and the server.
     * </pre>
     */
    public dev.camillo.v1.WhoAmIResponse whoAmI(dev.camillo.v1.WhoAmIRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getWhoAmIMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Creates a tenant.
     * </pre>
     */
    public dev.camillo.v1.CreateTenantResponse createTenant(dev.camillo.v1.CreateTenantRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getCreateTenantMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists all tenants, by id, in pages.
     * </pre>
     */
    public dev.camillo.v1.ListTenantsResponse listTenants(dev.camillo.v1.ListTenantsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListTenantsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Removes a tenant with everything in it, for good. A large tenant is removed in steps that are committed separately:
     * after a deadline, repeat the call to continue.
     * </pre>
     */
    public dev.camillo.v1.DeleteTenantResponse deleteTenant(dev.camillo.v1.DeleteTenantRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getDeleteTenantMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Returns a tenant's limits and how much of each it uses; needs a credential that reaches any agent. A write beyond a
     * limit is refused with QUOTA_EXCEEDED, a call beyond the rate with OVERLOADED. Several servers together may exceed a
     * limit by what they write within a minute.
     * </pre>
     */
    public dev.camillo.v1.GetQuotasResponse getQuotas(dev.camillo.v1.GetQuotasRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getGetQuotasMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Sets limits of a tenant. Other server processes apply them within a minute.
     * </pre>
     */
    public dev.camillo.v1.SetQuotasResponse setQuotas(dev.camillo.v1.SetQuotasRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getSetQuotasMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Creates an agent. Optional: the first write of an agent creates it, too.
     * </pre>
     */
    public dev.camillo.v1.CreateAgentResponse createAgent(dev.camillo.v1.CreateAgentRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getCreateAgentMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the agents of a tenant and its spaces such as users/42, by id, in pages.
     * </pre>
     */
    public dev.camillo.v1.ListAgentsResponse listAgents(dev.camillo.v1.ListAgentsRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListAgentsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Removes an agent, or a space such as users/42, and all its records for good, a large one in steps as DeleteTenant
     * does, and revokes its keys. Its entries in the audit trail, the receipt (see LifecycleService.ListReceipts) and its
     * blocked values stay.
     * </pre>
     */
    public dev.camillo.v1.DeleteAgentResponse deleteAgent(dev.camillo.v1.DeleteAgentRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getDeleteAgentMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Creates a key. Only this answer has its secret.
     * </pre>
     */
    public dev.camillo.v1.CreateKeyResponse createKey(dev.camillo.v1.CreateKeyRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getCreateKeyMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the keys of a tenant, newest first, in pages.
     * </pre>
     */
    public dev.camillo.v1.ListKeysResponse listKeys(dev.camillo.v1.ListKeysRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListKeysMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Revokes a key. The answering server refuses it at once, all others within seconds.
     * </pre>
     */
    public dev.camillo.v1.RevokeKeyResponse revokeKey(dev.camillo.v1.RevokeKeyRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getRevokeKeyMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the indexes of a tenant that the answering process holds in memory, by agent, in pages. Other processes hold
     * their own. With `compare`, each is compared with Postgres first and dropped if it differs; Postgres answers recalls
     * until it is loaded again.
     * </pre>
     */
    public dev.camillo.v1.ListIndexesResponse listIndexes(dev.camillo.v1.ListIndexesRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getListIndexesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Profiles the processor time of the answering process: py-spy samples the stacks of its threads while it keeps
     * serving. A profile has names of functions, files and threads, and no data. A process runs one profile at a time
     * (else OVERLOADED). PROFILER_UNAVAILABLE if py-spy is missing or lacks permission. The deadline must be longer than
     * `seconds`.
     * </pre>
     */
    public dev.camillo.v1.ProfileServerResponse profileServer(dev.camillo.v1.ProfileServerRequest request) throws io.grpc.StatusException {
      return io.grpc.stub.ClientCalls.blockingV2UnaryCall(
          getChannel(), getProfileServerMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do limited synchronous rpc calls to service AdminService.
   * <pre>
   * Tenants, agents and keys. An empty `tenant_id` means the caller's own; another one needs ROLE_ROOT. All methods but
   * WhoAmI need ROLE_TENANT_ADMIN; managing tenants needs ROLE_ROOT. The secret of a key is shown once.
   * </pre>
   */
  public static final class AdminServiceBlockingStub
      extends io.grpc.stub.AbstractBlockingStub<AdminServiceBlockingStub> {
    private AdminServiceBlockingStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected AdminServiceBlockingStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new AdminServiceBlockingStub(channel, callOptions);
    }

    /**
     * <pre>
     * Describes the caller's credential and the server.
     * </pre>
     */
    public dev.camillo.v1.WhoAmIResponse whoAmI(dev.camillo.v1.WhoAmIRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getWhoAmIMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Creates a tenant.
     * </pre>
     */
    public dev.camillo.v1.CreateTenantResponse createTenant(dev.camillo.v1.CreateTenantRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getCreateTenantMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists all tenants, by id, in pages.
     * </pre>
     */
    public dev.camillo.v1.ListTenantsResponse listTenants(dev.camillo.v1.ListTenantsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListTenantsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Removes a tenant with everything in it, for good. A large tenant is removed in steps that are committed separately:
     * after a deadline, repeat the call to continue.
     * </pre>
     */
    public dev.camillo.v1.DeleteTenantResponse deleteTenant(dev.camillo.v1.DeleteTenantRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getDeleteTenantMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Returns a tenant's limits and how much of each it uses; needs a credential that reaches any agent. A write beyond a
     * limit is refused with QUOTA_EXCEEDED, a call beyond the rate with OVERLOADED. Several servers together may exceed a
     * limit by what they write within a minute.
     * </pre>
     */
    public dev.camillo.v1.GetQuotasResponse getQuotas(dev.camillo.v1.GetQuotasRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getGetQuotasMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Sets limits of a tenant. Other server processes apply them within a minute.
     * </pre>
     */
    public dev.camillo.v1.SetQuotasResponse setQuotas(dev.camillo.v1.SetQuotasRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getSetQuotasMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Creates an agent. Optional: the first write of an agent creates it, too.
     * </pre>
     */
    public dev.camillo.v1.CreateAgentResponse createAgent(dev.camillo.v1.CreateAgentRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getCreateAgentMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the agents of a tenant and its spaces such as users/42, by id, in pages.
     * </pre>
     */
    public dev.camillo.v1.ListAgentsResponse listAgents(dev.camillo.v1.ListAgentsRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListAgentsMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Removes an agent, or a space such as users/42, and all its records for good, a large one in steps as DeleteTenant
     * does, and revokes its keys. Its entries in the audit trail, the receipt (see LifecycleService.ListReceipts) and its
     * blocked values stay.
     * </pre>
     */
    public dev.camillo.v1.DeleteAgentResponse deleteAgent(dev.camillo.v1.DeleteAgentRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getDeleteAgentMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Creates a key. Only this answer has its secret.
     * </pre>
     */
    public dev.camillo.v1.CreateKeyResponse createKey(dev.camillo.v1.CreateKeyRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getCreateKeyMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the keys of a tenant, newest first, in pages.
     * </pre>
     */
    public dev.camillo.v1.ListKeysResponse listKeys(dev.camillo.v1.ListKeysRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListKeysMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Revokes a key. The answering server refuses it at once, all others within seconds.
     * </pre>
     */
    public dev.camillo.v1.RevokeKeyResponse revokeKey(dev.camillo.v1.RevokeKeyRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getRevokeKeyMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Lists the indexes of a tenant that the answering process holds in memory, by agent, in pages. Other processes hold
     * their own. With `compare`, each is compared with Postgres first and dropped if it differs; Postgres answers recalls
     * until it is loaded again.
     * </pre>
     */
    public dev.camillo.v1.ListIndexesResponse listIndexes(dev.camillo.v1.ListIndexesRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getListIndexesMethod(), getCallOptions(), request);
    }

    /**
     * <pre>
     * Profiles the processor time of the answering process: py-spy samples the stacks of its threads while it keeps
     * serving. A profile has names of functions, files and threads, and no data. A process runs one profile at a time
     * (else OVERLOADED). PROFILER_UNAVAILABLE if py-spy is missing or lacks permission. The deadline must be longer than
     * `seconds`.
     * </pre>
     */
    public dev.camillo.v1.ProfileServerResponse profileServer(dev.camillo.v1.ProfileServerRequest request) {
      return io.grpc.stub.ClientCalls.blockingUnaryCall(
          getChannel(), getProfileServerMethod(), getCallOptions(), request);
    }
  }

  /**
   * A stub to allow clients to do ListenableFuture-style rpc calls to service AdminService.
   * <pre>
   * Tenants, agents and keys. An empty `tenant_id` means the caller's own; another one needs ROLE_ROOT. All methods but
   * WhoAmI need ROLE_TENANT_ADMIN; managing tenants needs ROLE_ROOT. The secret of a key is shown once.
   * </pre>
   */
  public static final class AdminServiceFutureStub
      extends io.grpc.stub.AbstractFutureStub<AdminServiceFutureStub> {
    private AdminServiceFutureStub(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      super(channel, callOptions);
    }

    @java.lang.Override
    protected AdminServiceFutureStub build(
        io.grpc.Channel channel, io.grpc.CallOptions callOptions) {
      return new AdminServiceFutureStub(channel, callOptions);
    }

    /**
     * <pre>
     * Describes the caller's credential and the server.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.WhoAmIResponse> whoAmI(
        dev.camillo.v1.WhoAmIRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getWhoAmIMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Creates a tenant.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.CreateTenantResponse> createTenant(
        dev.camillo.v1.CreateTenantRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getCreateTenantMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists all tenants, by id, in pages.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.ListTenantsResponse> listTenants(
        dev.camillo.v1.ListTenantsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListTenantsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Removes a tenant with everything in it, for good. A large tenant is removed in steps that are committed separately:
     * after a deadline, repeat the call to continue.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.DeleteTenantResponse> deleteTenant(
        dev.camillo.v1.DeleteTenantRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getDeleteTenantMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Returns a tenant's limits and how much of each it uses; needs a credential that reaches any agent. A write beyond a
     * limit is refused with QUOTA_EXCEEDED, a call beyond the rate with OVERLOADED. Several servers together may exceed a
     * limit by what they write within a minute.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.GetQuotasResponse> getQuotas(
        dev.camillo.v1.GetQuotasRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getGetQuotasMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Sets limits of a tenant. Other server processes apply them within a minute.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.SetQuotasResponse> setQuotas(
        dev.camillo.v1.SetQuotasRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getSetQuotasMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Creates an agent. Optional: the first write of an agent creates it, too.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.CreateAgentResponse> createAgent(
        dev.camillo.v1.CreateAgentRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getCreateAgentMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists the agents of a tenant and its spaces such as users/42, by id, in pages.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.ListAgentsResponse> listAgents(
        dev.camillo.v1.ListAgentsRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListAgentsMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Removes an agent, or a space such as users/42, and all its records for good, a large one in steps as DeleteTenant
     * does, and revokes its keys. Its entries in the audit trail, the receipt (see LifecycleService.ListReceipts) and its
     * blocked values stay.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.DeleteAgentResponse> deleteAgent(
        dev.camillo.v1.DeleteAgentRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getDeleteAgentMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Creates a key. Only this answer has its secret.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.CreateKeyResponse> createKey(
        dev.camillo.v1.CreateKeyRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getCreateKeyMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists the keys of a tenant, newest first, in pages.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.ListKeysResponse> listKeys(
        dev.camillo.v1.ListKeysRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListKeysMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Revokes a key. The answering server refuses it at once, all others within seconds.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.RevokeKeyResponse> revokeKey(
        dev.camillo.v1.RevokeKeyRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getRevokeKeyMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Lists the indexes of a tenant that the answering process holds in memory, by agent, in pages. Other processes hold
     * their own. With `compare`, each is compared with Postgres first and dropped if it differs; Postgres answers recalls
     * until it is loaded again.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.ListIndexesResponse> listIndexes(
        dev.camillo.v1.ListIndexesRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getListIndexesMethod(), getCallOptions()), request);
    }

    /**
     * <pre>
     * Profiles the processor time of the answering process: py-spy samples the stacks of its threads while it keeps
     * serving. A profile has names of functions, files and threads, and no data. A process runs one profile at a time
     * (else OVERLOADED). PROFILER_UNAVAILABLE if py-spy is missing or lacks permission. The deadline must be longer than
     * `seconds`.
     * </pre>
     */
    public com.google.common.util.concurrent.ListenableFuture<dev.camillo.v1.ProfileServerResponse> profileServer(
        dev.camillo.v1.ProfileServerRequest request) {
      return io.grpc.stub.ClientCalls.futureUnaryCall(
          getChannel().newCall(getProfileServerMethod(), getCallOptions()), request);
    }
  }

  private static final int METHODID_WHO_AM_I = 0;
  private static final int METHODID_CREATE_TENANT = 1;
  private static final int METHODID_LIST_TENANTS = 2;
  private static final int METHODID_DELETE_TENANT = 3;
  private static final int METHODID_GET_QUOTAS = 4;
  private static final int METHODID_SET_QUOTAS = 5;
  private static final int METHODID_CREATE_AGENT = 6;
  private static final int METHODID_LIST_AGENTS = 7;
  private static final int METHODID_DELETE_AGENT = 8;
  private static final int METHODID_CREATE_KEY = 9;
  private static final int METHODID_LIST_KEYS = 10;
  private static final int METHODID_REVOKE_KEY = 11;
  private static final int METHODID_LIST_INDEXES = 12;
  private static final int METHODID_PROFILE_SERVER = 13;

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
        case METHODID_WHO_AM_I:
          serviceImpl.whoAmI((dev.camillo.v1.WhoAmIRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.WhoAmIResponse>) responseObserver);
          break;
        case METHODID_CREATE_TENANT:
          serviceImpl.createTenant((dev.camillo.v1.CreateTenantRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.CreateTenantResponse>) responseObserver);
          break;
        case METHODID_LIST_TENANTS:
          serviceImpl.listTenants((dev.camillo.v1.ListTenantsRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ListTenantsResponse>) responseObserver);
          break;
        case METHODID_DELETE_TENANT:
          serviceImpl.deleteTenant((dev.camillo.v1.DeleteTenantRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.DeleteTenantResponse>) responseObserver);
          break;
        case METHODID_GET_QUOTAS:
          serviceImpl.getQuotas((dev.camillo.v1.GetQuotasRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.GetQuotasResponse>) responseObserver);
          break;
        case METHODID_SET_QUOTAS:
          serviceImpl.setQuotas((dev.camillo.v1.SetQuotasRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.SetQuotasResponse>) responseObserver);
          break;
        case METHODID_CREATE_AGENT:
          serviceImpl.createAgent((dev.camillo.v1.CreateAgentRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.CreateAgentResponse>) responseObserver);
          break;
        case METHODID_LIST_AGENTS:
          serviceImpl.listAgents((dev.camillo.v1.ListAgentsRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ListAgentsResponse>) responseObserver);
          break;
        case METHODID_DELETE_AGENT:
          serviceImpl.deleteAgent((dev.camillo.v1.DeleteAgentRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.DeleteAgentResponse>) responseObserver);
          break;
        case METHODID_CREATE_KEY:
          serviceImpl.createKey((dev.camillo.v1.CreateKeyRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.CreateKeyResponse>) responseObserver);
          break;
        case METHODID_LIST_KEYS:
          serviceImpl.listKeys((dev.camillo.v1.ListKeysRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ListKeysResponse>) responseObserver);
          break;
        case METHODID_REVOKE_KEY:
          serviceImpl.revokeKey((dev.camillo.v1.RevokeKeyRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.RevokeKeyResponse>) responseObserver);
          break;
        case METHODID_LIST_INDEXES:
          serviceImpl.listIndexes((dev.camillo.v1.ListIndexesRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ListIndexesResponse>) responseObserver);
          break;
        case METHODID_PROFILE_SERVER:
          serviceImpl.profileServer((dev.camillo.v1.ProfileServerRequest) request,
              (io.grpc.stub.StreamObserver<dev.camillo.v1.ProfileServerResponse>) responseObserver);
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
          getWhoAmIMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.WhoAmIRequest,
              dev.camillo.v1.WhoAmIResponse>(
                service, METHODID_WHO_AM_I)))
        .addMethod(
          getCreateTenantMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.CreateTenantRequest,
              dev.camillo.v1.CreateTenantResponse>(
                service, METHODID_CREATE_TENANT)))
        .addMethod(
          getListTenantsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.ListTenantsRequest,
              dev.camillo.v1.ListTenantsResponse>(
                service, METHODID_LIST_TENANTS)))
        .addMethod(
          getDeleteTenantMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.DeleteTenantRequest,
              dev.camillo.v1.DeleteTenantResponse>(
                service, METHODID_DELETE_TENANT)))
        .addMethod(
          getGetQuotasMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.GetQuotasRequest,
              dev.camillo.v1.GetQuotasResponse>(
                service, METHODID_GET_QUOTAS)))
        .addMethod(
          getSetQuotasMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.SetQuotasRequest,
              dev.camillo.v1.SetQuotasResponse>(
                service, METHODID_SET_QUOTAS)))
        .addMethod(
          getCreateAgentMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.CreateAgentRequest,
              dev.camillo.v1.CreateAgentResponse>(
                service, METHODID_CREATE_AGENT)))
        .addMethod(
          getListAgentsMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.ListAgentsRequest,
              dev.camillo.v1.ListAgentsResponse>(
                service, METHODID_LIST_AGENTS)))
        .addMethod(
          getDeleteAgentMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.DeleteAgentRequest,
              dev.camillo.v1.DeleteAgentResponse>(
                service, METHODID_DELETE_AGENT)))
        .addMethod(
          getCreateKeyMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.CreateKeyRequest,
              dev.camillo.v1.CreateKeyResponse>(
                service, METHODID_CREATE_KEY)))
        .addMethod(
          getListKeysMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.ListKeysRequest,
              dev.camillo.v1.ListKeysResponse>(
                service, METHODID_LIST_KEYS)))
        .addMethod(
          getRevokeKeyMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.RevokeKeyRequest,
              dev.camillo.v1.RevokeKeyResponse>(
                service, METHODID_REVOKE_KEY)))
        .addMethod(
          getListIndexesMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.ListIndexesRequest,
              dev.camillo.v1.ListIndexesResponse>(
                service, METHODID_LIST_INDEXES)))
        .addMethod(
          getProfileServerMethod(),
          io.grpc.stub.ServerCalls.asyncUnaryCall(
            new MethodHandlers<
              dev.camillo.v1.ProfileServerRequest,
              dev.camillo.v1.ProfileServerResponse>(
                service, METHODID_PROFILE_SERVER)))
        .build();
  }

  private static abstract class AdminServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoFileDescriptorSupplier, io.grpc.protobuf.ProtoServiceDescriptorSupplier {
    AdminServiceBaseDescriptorSupplier() {}

    @java.lang.Override
    public com.google.protobuf.Descriptors.FileDescriptor getFileDescriptor() {
      return dev.camillo.v1.AdminServiceOuterClass.getDescriptor();
    }

    @java.lang.Override
    public com.google.protobuf.Descriptors.ServiceDescriptor getServiceDescriptor() {
      return getFileDescriptor().findServiceByName("AdminService");
    }
  }

  private static final class AdminServiceFileDescriptorSupplier
      extends AdminServiceBaseDescriptorSupplier {
    AdminServiceFileDescriptorSupplier() {}
  }

  private static final class AdminServiceMethodDescriptorSupplier
      extends AdminServiceBaseDescriptorSupplier
      implements io.grpc.protobuf.ProtoMethodDescriptorSupplier {
    private final java.lang.String methodName;

    AdminServiceMethodDescriptorSupplier(java.lang.String methodName) {
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
      synchronized (AdminServiceGrpc.class) {
        result = serviceDescriptor;
        if (result == null) {
          serviceDescriptor = result = io.grpc.ServiceDescriptor.newBuilder(SERVICE_NAME)
              .setSchemaDescriptor(new AdminServiceFileDescriptorSupplier())
              .addMethod(getWhoAmIMethod())
              .addMethod(getCreateTenantMethod())
              .addMethod(getListTenantsMethod())
              .addMethod(getDeleteTenantMethod())
              .addMethod(getGetQuotasMethod())
              .addMethod(getSetQuotasMethod())
              .addMethod(getCreateAgentMethod())
              .addMethod(getListAgentsMethod())
              .addMethod(getDeleteAgentMethod())
              .addMethod(getCreateKeyMethod())
              .addMethod(getListKeysMethod())
              .addMethod(getRevokeKeyMethod())
              .addMethod(getListIndexesMethod())
              .addMethod(getProfileServerMethod())
              .build();
        }
      }
    }
    return result;
  }
}
