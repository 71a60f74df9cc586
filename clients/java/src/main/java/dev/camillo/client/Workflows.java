package dev.camillo.client;

import dev.camillo.client.errors.CamilloError;
import dev.camillo.v1.Event;
import dev.camillo.v1.EventKind;
import dev.camillo.v1.EventServiceGrpc;
import dev.camillo.v1.ListWorkflowRequest;
import dev.camillo.v1.ListWorkflowResponse;
import dev.camillo.v1.NewEvent;
import dev.camillo.v1.RecordedEvent;
import dev.camillo.v1.WorkflowStep;
import java.util.function.Consumer;

/** Workflows, as the events of their steps. Failures are {@link CamilloError}. */
public final class Workflows {
  private final UnaryCalls unary;
  private final Events events;

  Workflows(Calls calls, UnaryCalls unary) {
    this.unary = unary;
    this.events = new Events(calls, unary);
  }

  /** Stores a step with its run, its status, its output and so on; see the other. */
  public Written<RecordedEvent> record(
      String workflow, String step, Consumer<WorkflowStep.Builder> fields) {
    WorkflowStep.Builder told = WorkflowStep.newBuilder().setWorkflow(workflow).setStep(step);
    fields.accept(told);
    return record(told.build(), event -> {});
  }

  /**
   * Stores a step, with what else is said of its event: the conversation is by default the run,
   * else the workflow, and who caused it the system of the workflow's name. The beginning of a long
   * output stays in the event, and the whole becomes an artifact; EventTooLarge, before it is
   * sent, above 8 MiB.
   */
  public Written<RecordedEvent> record(WorkflowStep step, Consumer<NewEvent.Builder> fields) {
    String session = step.getRun().isEmpty() ? step.getWorkflow() : step.getRun();
    return events.record(
        event -> {
          event
              .setKind(EventKind.EVENT_KIND_WORKFLOW_STEP)
              .setSessionId(session)
              .setActor(Actors.system(step.getWorkflow()))
              .setWorkflowStep(step);
          fields.accept(event);
        });
  }

  /**
   * The steps of a workflow, the agent's and the tenant's shared ones, in the order in which they
   * happened.
   */
  public Series<Event> list(String workflow) {
    return list(workflow, options -> {});
  }

  /** As the other, of a run, of statuses, or for a channel. */
  public Series<Event> list(String workflow, Consumer<ListWorkflowRequest.Builder> options) {
    ListWorkflowRequest.Builder request = ListWorkflowRequest.newBuilder().setWorkflow(workflow);
    options.accept(request);
    return new Series<>(
            new Pages<>(unary, EventServiceGrpc.getListWorkflowMethod(), request.build()), () -> {})
        .parts(ListWorkflowResponse::getStepsList);
  }
}
