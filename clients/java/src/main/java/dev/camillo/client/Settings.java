package dev.camillo.client;

import com.google.protobuf.Message;
import java.time.Duration;

/**
 * Holds what one view of a client adds to each call.
 *
 * @param agentId for whom it acts
 * @param beside what it reads beside the space of that one
 * @param timeout of a call with one answer
 * @param streamTimeout of each connection of a stream; null: none
 */
record Settings(String agentId, Beside beside, Duration timeout, Duration streamTimeout) {
  /** The request with the space and what is read beside it, where it names none. */
  <Q extends Message> Q in(Q request) {
    return RequestFields.withAgentId(beside.in(request), agentId);
  }

  Settings withAgentId(String given) {
    return inSpace(given, Beside.NOTHING);
  }

  Settings inSpace(String space, Beside read) {
    return new Settings(space, read, timeout, streamTimeout);
  }

  Settings withTimeout(Duration given) {
    return new Settings(agentId, beside, given, streamTimeout);
  }

  Settings withStreamTimeout(Duration given) {
    return new Settings(agentId, beside, timeout, given);
  }
}
