package dev.camillo.client;

import java.time.Duration;

/**
 * Holds what one view of a client adds to each call.
 *
 * @param agentId for whom it acts
 * @param timeout of a call with one answer
 * @param streamTimeout of each connection of a stream; null: none
 */
record Settings(String agentId, Duration timeout, Duration streamTimeout) {
  Settings withAgentId(String given) {
    return new Settings(given, timeout, streamTimeout);
  }

  Settings withTimeout(Duration given) {
    return new Settings(agentId, given, streamTimeout);
  }

  Settings withStreamTimeout(Duration given) {
    return new Settings(agentId, timeout, given);
  }
}
