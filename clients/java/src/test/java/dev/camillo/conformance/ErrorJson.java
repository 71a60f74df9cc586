package dev.camillo.conformance;

import com.google.gson.Gson;
import com.google.gson.JsonArray;
import com.google.gson.JsonObject;
import dev.camillo.client.errors.CamilloError;

/** How a failure is told to the suite. */
final class ErrorJson {
  private ErrorJson() {}

  static JsonObject of(Exception failed) {
    if (failed instanceof CamilloError error) {
      return of(error);
    }
    JsonObject told = new JsonObject();
    told.addProperty("code", failed instanceof UnknownCommand ? "UNKNOWN_COMMAND" : "RUNNER");
    told.addProperty("type", failed.getClass().getSimpleName());
    told.addProperty("message", String.valueOf(failed.getMessage()));
    return told;
  }

  private static JsonObject of(CamilloError error) {
    JsonObject told = new JsonObject();
    told.addProperty("code", error.code().name());
    told.addProperty("reason", error.reason());
    told.addProperty("type", error.getClass().getSimpleName());
    told.addProperty("message", error.message());
    told.add("metadata", new Gson().toJsonTree(error.metadata()));
    JsonArray fields = new JsonArray();
    error.fieldViolations().forEach(violation -> fields.add(violation.field()));
    told.add("fields", fields);
    Double seconds = error.retryAfter().map(wait -> wait.toNanos() / 1e9).orElse(null);
    told.addProperty("retry_after_seconds", seconds);
    told.addProperty("request_id", error.requestId());
    return told;
  }
}
