package dev.camillo.client;

import com.google.protobuf.Message;
import dev.camillo.v1.AdminServiceGrpc;
import dev.camillo.v1.ArtifactServiceGrpc;
import dev.camillo.v1.AuditServiceGrpc;
import dev.camillo.v1.DecisionServiceGrpc;
import dev.camillo.v1.DistillationServiceGrpc;
import dev.camillo.v1.EventServiceGrpc;
import dev.camillo.v1.KnowledgeServiceGrpc;
import dev.camillo.v1.LifecycleServiceGrpc;
import dev.camillo.v1.LinkServiceGrpc;
import dev.camillo.v1.MemoryServiceGrpc;
import dev.camillo.v1.RunServiceGrpc;
import dev.camillo.v1.SlotServiceGrpc;
import dev.camillo.v1.SnapshotServiceGrpc;
import dev.camillo.v1.SpaceServiceGrpc;
import dev.camillo.v1.SpoolServiceGrpc;
import dev.camillo.v1.TaskServiceGrpc;
import io.grpc.MethodDescriptor;
import io.grpc.ServiceDescriptor;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Every method of the contract, by its name: for bridges and proxies, which learn only at run time
 * what to call.
 */
public final class Methods {
  static final List<ServiceDescriptor> SERVICES =
      List.of(
          AdminServiceGrpc.getServiceDescriptor(),
          ArtifactServiceGrpc.getServiceDescriptor(),
          AuditServiceGrpc.getServiceDescriptor(),
          DecisionServiceGrpc.getServiceDescriptor(),
          DistillationServiceGrpc.getServiceDescriptor(),
          EventServiceGrpc.getServiceDescriptor(),
          KnowledgeServiceGrpc.getServiceDescriptor(),
          LifecycleServiceGrpc.getServiceDescriptor(),
          LinkServiceGrpc.getServiceDescriptor(),
          MemoryServiceGrpc.getServiceDescriptor(),
          RunServiceGrpc.getServiceDescriptor(),
          SlotServiceGrpc.getServiceDescriptor(),
          SnapshotServiceGrpc.getServiceDescriptor(),
          SpaceServiceGrpc.getServiceDescriptor(),
          SpoolServiceGrpc.getServiceDescriptor(),
          TaskServiceGrpc.getServiceDescriptor());

  private static final Map<String, MethodDescriptor<?, ?>> BY_NAME =
      SERVICES.stream()
          .flatMap(service -> service.getMethods().stream())
          .collect(Collectors.toMap(MethodDescriptor::getFullMethodName, method -> method));

  private Methods() {}

  /** IllegalArgumentException for a method that is called otherwise. */
  static void check(MethodDescriptor<?, ?> method, MethodDescriptor.MethodType type) {
    if (method.getType() != type) {
      throw new IllegalArgumentException(
          method.getFullMethodName() + " is " + method.getType() + ", not " + type);
    }
  }

  /**
   * The method of a name such as {@code camillo.v1.MemoryService/Remember}; none if this client
   * does not know it.
   */
  @SuppressWarnings("unchecked")
  public static Optional<MethodDescriptor<Message, Message>> find(String fullName) {
    return Optional.ofNullable((MethodDescriptor<Message, Message>) BY_NAME.get(fullName));
  }

  /** An empty request of a method. */
  public static Message request(MethodDescriptor<Message, Message> method) {
    var marshaller = (MethodDescriptor.PrototypeMarshaller<Message>) method.getRequestMarshaller();
    return marshaller.getMessagePrototype();
  }

  /** An empty answer of a method. */
  static Message answer(MethodDescriptor<?, ?> method) {
    var marshaller = (MethodDescriptor.PrototypeMarshaller<?>) method.getResponseMarshaller();
    return (Message) marshaller.getMessagePrototype();
  }
}
