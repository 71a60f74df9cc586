package dev.camillo.client;

import io.grpc.Metadata;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;

/** The metadata of a call: the credential, the agent, the scope, the trace. */
final class Headers {
  static final Metadata.Key<String> AUTHORIZATION = key("authorization");
  static final Metadata.Key<String> DEFAULT_AGENT = key("camillo-default-agent");
  static final Metadata.Key<String> SCOPE = key("camillo-scope");
  private static final int SCOPE_DIGITS = 16;

  private Headers() {}

  /** Returns what a call for this agent carries. */
  static Metadata of(Caller caller, String agentId) {
    Metadata headers = new Metadata();
    if (!caller.key().isEmpty()) {
      headers.put(AUTHORIZATION, "Bearer " + caller.key());
    }
    headers.put(DEFAULT_AGENT, caller.defaultAgent());
    headers.put(SCOPE, scope(caller.key(), agentId));
    TraceContext.inject(headers);
    return headers;
  }

  /** By this, proxies send the calls of one scope to one replica; it tells nothing of the key. */
  static String scope(String key, String agentId) {
    MessageDigest sha256 = Digests.sha256();
    sha256.update((key + "\0" + agentId).getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(sha256.digest()).substring(0, SCOPE_DIGITS);
  }

  /** Whether a text has only characters that a key can have. */
  static boolean isKey(String text) {
    return text.chars().allMatch(character -> character > ' ' && character <= '~');
  }

  /** Whether a header can hold a text. */
  static boolean isPrintable(String text) {
    return text.chars().allMatch(character -> character >= ' ' && character <= '~');
  }

  static Metadata.Key<String> key(String name) {
    return Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER);
  }
}
