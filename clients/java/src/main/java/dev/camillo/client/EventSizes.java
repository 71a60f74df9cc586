package dev.camillo.client;

import dev.camillo.client.errors.EventTooLarge;
import dev.camillo.client.errors.Failure;
import dev.camillo.client.errors.FieldViolation;
import dev.camillo.v1.NewEvent;
import io.grpc.Status;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * An event that is larger than the server takes is not sent: what is that large belongs into an
 * artifact.
 */
final class EventSizes {
  private static final long MAX_TEXT_BYTES = 1024 * 1024;
  private static final long MAX_TOOL_RESULT_BYTES = 8 * 1024 * 1024;
  private static final long MAX_STEP_OUTPUT_BYTES = 8 * 1024 * 1024;

  private EventSizes() {}

  /**
   * Throws EventTooLarge for an event that cannot be sent. The size of JSON is measured by the
   * server alone.
   */
  static void check(NewEvent event) {
    if (event.hasText()) {
      check("content.text", event.getTextBytes().size(), MAX_TEXT_BYTES);
    } else if (event.hasToolResult()) {
      check(
          "content.tool_result.excerpt_text",
          event.getToolResult().getExcerptTextBytes().size(),
          MAX_TOOL_RESULT_BYTES);
    } else if (event.hasWorkflowStep()) {
      check(
          "content.workflow_step.output",
          event.getWorkflowStep().getOutputBytes().size(),
          MAX_STEP_OUTPUT_BYTES);
    }
  }

  private static void check(String field, long size, long most) {
    if (size <= most) {
      return;
    }
    String told =
        String.format(
            Locale.ROOT,
            "%,d bytes, more than the %,d that an event holds: store it as an artifact",
            size,
            most);
    throw new EventTooLarge(
        new Failure(
            Status.Code.INVALID_ARGUMENT,
            "the event is too large",
            "camillo.v1",
            "INVALID_FIELD",
            Map.of(),
            List.of(new FieldViolation(field, told)),
            null,
            ""));
  }
}
