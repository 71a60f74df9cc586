package dev.camillo.client;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The service config, with pauses that nobody notices: how often is repeated stays as it is. */
final class HastyRetries {
  static final Map<String, ?> CONFIG = hastened(ServiceConfig.load());

  private HastyRetries() {}

  private static Map<String, ?> hastened(Map<String, ?> config) {
    List<?> hastened =
        ((List<?>) config.get("methodConfig")).stream().map(HastyRetries::hastenedMethods).toList();
    return Map.of("methodConfig", hastened);
  }

  private static Map<String, ?> hastenedMethods(Object methods) {
    Map<String, Object> changed = copy(methods);
    Map<String, Object> policy = copy(changed.get("retryPolicy"));
    policy.putAll(Map.of("initialBackoff", "0.001s", "maxBackoff", "0.002s"));
    changed.put("retryPolicy", policy);
    return changed;
  }

  private static Map<String, Object> copy(Object map) {
    Map<String, Object> copy = new HashMap<>();
    ((Map<?, ?>) map).forEach((name, value) -> copy.put((String) name, value));
    return copy;
  }
}
