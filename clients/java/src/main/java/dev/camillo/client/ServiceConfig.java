package dev.camillo.client;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.gson.reflect.TypeToken;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Calls that are retried: unary calls that do no harm when they arrive twice. */
final class ServiceConfig {
  private static final String RESOURCE = "service_config.json";
  private static final JsonObject CONFIG = read();
  private static final Set<String> RETRIED =
      elements(CONFIG, "methodConfig")
          .flatMap(config -> elements(config, "name"))
          .map(name -> name.get("service").getAsString() + "/" + name.get("method").getAsString())
          .collect(Collectors.toUnmodifiableSet());

  private static final Set<String> RETRIED_CODES =
      elements(CONFIG, "methodConfig")
          .map(config -> config.getAsJsonObject("retryPolicy"))
          .flatMap(policy -> policy.getAsJsonArray("retryableStatusCodes").asList().stream())
          .map(JsonElement::getAsString)
          .collect(Collectors.toUnmodifiableSet());

  private ServiceConfig() {}

  /** The service config that every client of Camillo has, as gRPC takes it. */
  static Map<String, ?> load() {
    return new Gson().fromJson(CONFIG, new TypeToken<Map<String, Object>>() {}.getType());
  }

  /** Whether calls of a method may be repeated. */
  static boolean isRetried(MethodDescriptor<?, ?> method) {
    return RETRIED.contains(method.getFullMethodName());
  }

  /** Whether gRPC repeats such a call when it ends with this code. */
  static boolean isRetried(Status.Code code) {
    return RETRIED_CODES.contains(code.name());
  }

  private static Stream<JsonObject> elements(JsonObject object, String name) {
    return StreamSupport.stream(object.getAsJsonArray(name).spliterator(), false)
        .map(JsonElement::getAsJsonObject);
  }

  private static JsonObject read() {
    try (InputStream resource = ServiceConfig.class.getResourceAsStream(RESOURCE);
        Reader reader = new InputStreamReader(resource, StandardCharsets.UTF_8)) {
      return JsonParser.parseReader(reader).getAsJsonObject();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }
}
