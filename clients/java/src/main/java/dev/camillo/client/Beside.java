package dev.camillo.client;

import com.google.protobuf.Message;
import dev.camillo.v1.Form;
import dev.camillo.v1.Options;
import dev.camillo.v1.RecallRequest;
import dev.camillo.v1.SpaceRead;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Holds the spaces that reads of a client take in beside its own.
 *
 * @param paths of them, each once
 * @param withShared whether that of the tenant is read, too
 */
record Beside(List<String> paths, boolean withShared) {
  static final Beside NOTHING = new Beside(List.of(), false);

  // As RecallRequest.spaces allows.
  private static final int MAX_PATHS = 7;

  /** These spaces; IllegalArgumentException for too many, and for what is no space. */
  static Beside of(Collection<String> read, String own) {
    Set<String> named = new LinkedHashSet<>();
    read.forEach(space -> named.add(checked(space)));
    boolean withShared = named.remove(Camillo.SHARED) && !own.equals(Camillo.SHARED);
    named.remove(own);
    if (named.size() > MAX_PATHS) {
      throw new IllegalArgumentException(
          "a client reads up to " + MAX_PATHS + " spaces beside its own");
    }
    return new Beside(List.copyOf(named), withShared);
  }

  /** The name of a space, as the contract has it; IllegalArgumentException for any other text. */
  static String checked(String space) {
    var form = Form.FORM_AGENT.getValueDescriptor().getOptions().getExtension(Options.pattern);
    if (!space.matches(form.getRegex())) {
      throw new IllegalArgumentException("a space is @shared, " + form.getRule());
    }
    return space;
  }

  /** The space of a person; IllegalArgumentException for an id that is no part of a path. */
  static String ofUser(String userId) {
    if (userId.contains("/")) {
      throw new IllegalArgumentException("the id of a user has no slash");
    }
    return checked("users/" + userId);
  }

  /** The request with them, where it can read several spaces and names neither one nor others. */
  @SuppressWarnings("unchecked")
  <Q extends Message> Q in(Q request) {
    boolean isOpen =
        RequestFields.readsSpaces(request)
            && RequestFields.agentId(request, "").isEmpty()
            && RequestFields.spaces(request).isEmpty();
    if (!isOpen || equals(NOTHING)) {
      return request;
    }
    var spaces = paths.stream().map(path -> SpaceRead.newBuilder().setSpace(path).build());
    Q reading = RequestFields.withSpaces(request, spaces.toList());
    // Bundles read what the tenant shares in any case.
    return withShared && reading instanceof RecallRequest recall
        ? (Q) recall.toBuilder().setIncludeShared(true).build()
        : reading;
  }
}
