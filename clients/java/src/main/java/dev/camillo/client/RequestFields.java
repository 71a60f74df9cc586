package dev.camillo.client;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.camillo.v1.Freshness;
import dev.camillo.v1.Revision;
import dev.camillo.v1.SkillLevel;
import dev.camillo.v1.SpaceRead;
import dev.camillo.v1.SpaceRevision;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/** The fields that many requests and answers have in common, by their names. */
final class RequestFields {
  private static final String AGENT_ID = "agent_id";
  private static final String REQUEST_ID = "request_id";
  static final String FRESHNESS = "freshness";
  static final String SHARED_FRESHNESS = "shared_freshness";
  private static final String REVISION = "revision";
  private static final String SHARED_REVISION = "shared_revision";
  private static final String LEVEL = "level";
  // Holds what answers of BuildBundle and its like have: the revision is in it.
  private static final String BUNDLE = "bundle";
  private static final String SPACES = "spaces";

  // Done twice, they make the same: they need no request id, and are writes all the same.
  private static final Set<String> REPAIRS = Set.of("RebuildChunksRequest", "ReindexRequest");

  private RequestFields() {}

  /** Whose call it is: the agent that the request names, else this one. */
  static String agentId(Message request, String otherwise) {
    String named = text(request, AGENT_ID);
    return named.isEmpty() ? otherwise : named;
  }

  /** The id of a mutation; empty for a read. */
  static String requestId(Message request) {
    return text(request, REQUEST_ID);
  }

  /** The request with the agent filled in, where it names none and may. */
  static <Q extends Message> Q withAgentId(Q request, String agentId) {
    FieldDescriptor field = field(request, AGENT_ID);
    boolean isOpen = field != null && text(request, AGENT_ID).isEmpty();
    // For a choice, such as what a new key reaches, the caller may have taken the other part; and
    // "every scope" is none.
    if (!isOpen || isChoice(field) || flag(request, "all_scopes") || agentId.isEmpty()) {
      return request;
    }
    return with(request, field, agentId);
  }

  /** The request with a fresh id, where it takes one and has none. */
  static <Q extends Message> Q withRequestId(Q request) {
    FieldDescriptor field = field(request, REQUEST_ID);
    boolean isMissing = field != null && requestId(request).isEmpty();
    return isMissing ? with(request, field, newRequestId()) : request;
  }

  /** An id that nobody else uses. */
  static String newRequestId() {
    return UUID.randomUUID().toString().replace("-", "");
  }

  /** Whether a request can say how fresh its answer has to be. */
  static boolean isFreshRead(Message request) {
    return has(request, FRESHNESS);
  }

  /** Whether a message is not set. */
  static boolean isOpen(Message request, String name) {
    return !request.hasField(field(request, name));
  }

  static <Q extends Message> Q withFreshness(Q request, String name, Freshness freshness) {
    return with(request, field(request, name), freshness);
  }

  /** Whether the answer tells a revision that later reads have to reach. */
  static boolean isWrite(Message request) {
    boolean changes = has(request, REQUEST_ID);
    boolean repairs = REPAIRS.contains(request.getDescriptorForType().getName());
    return (changes || repairs) && !flag(request, "dry_run");
  }

  /** Whether a request can read other spaces beside that of its agent. */
  static boolean readsSpaces(Message request) {
    FieldDescriptor field = field(request, SPACES);
    return field != null
        && field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
        && field.getMessageType().equals(SpaceRead.getDescriptor());
  }

  /** The spaces that a request names beside that of its agent. */
  @SuppressWarnings("unchecked")
  static List<SpaceRead> spaces(Message request) {
    return readsSpaces(request)
        ? (List<SpaceRead>) request.getField(field(request, SPACES))
        : List.of();
  }

  static <Q extends Message> Q withSpaces(Q request, List<SpaceRead> spaces) {
    return with(request, field(request, SPACES), spaces);
  }

  /** The revision that an answer, or its bundle, tells of another space; else an empty one. */
  static Revision spaceRevision(Message answer, String space) {
    if (has(answer, BUNDLE)) {
      return spaceRevision(part(answer, BUNDLE), space);
    }
    FieldDescriptor field = field(answer, SPACES);
    List<?> told = field == null ? List.of() : (List<?>) answer.getField(field);
    return told.stream()
        .map(SpaceRevision.class::cast)
        .filter(each -> each.getSpace().equals(space))
        .map(SpaceRevision::getRevision)
        .findFirst()
        .orElse(Revision.getDefaultInstance());
  }

  /** The revision of an answer; an empty one where it tells none. */
  static Revision revision(Message answer) {
    if (has(answer, REVISION)) {
      return (Revision) part(answer, REVISION);
    }
    return has(answer, BUNDLE) ? revision(part(answer, BUNDLE)) : Revision.getDefaultInstance();
  }

  /** The revision of the tenant's shared scope that an answer tells; an empty one otherwise. */
  static Revision sharedRevision(Message answer) {
    return has(answer, SHARED_REVISION)
        ? (Revision) part(answer, SHARED_REVISION)
        : Revision.getDefaultInstance();
  }

  /** The revision that holds a write: that of the shared scope where the answer tells one. */
  static Revision writtenRevision(Message answer) {
    return has(answer, SHARED_REVISION) ? sharedRevision(answer) : revision(answer);
  }

  /**
   * Whether a write changes the tenant's shared scope, whichever agent sends it: documents and
   * actions are the tenant's, and skills of its level.
   */
  static boolean changesShared(Message request, Message answer) {
    FieldDescriptor level = field(request, LEVEL);
    boolean isTenants =
        level != null
            && request.getField(level).equals(SkillLevel.SKILL_LEVEL_TENANT.getValueDescriptor());
    return isTenants || has(answer, SHARED_REVISION);
  }

  /** Whether messages of this kind have a field of this name. */
  static boolean has(Message message, String name) {
    return field(message, name) != null;
  }

  /** A field that is a message. */
  static Message part(Message message, String name) {
    return (Message) message.getField(field(message, name));
  }

  /** A field of text by its name; empty where there is none. */
  static String text(Message message, String name) {
    FieldDescriptor field = field(message, name);
    return field == null ? "" : (String) message.getField(field);
  }

  /**
   * The message with a field of text set; IllegalArgumentException where it has none of this name.
   */
  static <Q extends Message> Q withText(Q message, String name, String value) {
    FieldDescriptor field = field(message, name);
    if (field == null) {
      String type = message.getDescriptorForType().getFullName();
      throw new IllegalArgumentException(type + " has no " + name);
    }
    return with(message, field, value);
  }

  private static boolean flag(Message message, String name) {
    FieldDescriptor field = field(message, name);
    return field != null && (Boolean) message.getField(field);
  }

  private static boolean isChoice(FieldDescriptor field) {
    return field.getRealContainingOneof() != null;
  }

  private static FieldDescriptor field(Message message, String name) {
    Descriptor type = message.getDescriptorForType();
    return type.findFieldByName(name);
  }

  @SuppressWarnings("unchecked")
  private static <Q extends Message> Q with(Q message, FieldDescriptor field, Object value) {
    return (Q) message.toBuilder().setField(field, value).build();
  }
}
