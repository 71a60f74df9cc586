package dev.camillo.client;

/**
 * Holds what every call tells of who makes it.
 *
 * @param key the credential; empty: none
 * @param defaultAgent of calls that name no agent, with a key that may act for any
 * @param refusal what is said where the server refuses a key that nobody gave; empty: its own words
 */
record Caller(String key, String defaultAgent, String refusal) {
  /** Without the key: this may end in a log. */
  @Override
  public String toString() {
    return "Caller[defaultAgent=" + defaultAgent + "]";
  }
}
