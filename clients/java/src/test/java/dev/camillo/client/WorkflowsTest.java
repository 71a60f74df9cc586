package dev.camillo.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.camillo.client.errors.EventTooLarge;
import dev.camillo.v1.Event;
import dev.camillo.v1.EventKind;
import dev.camillo.v1.EventServiceGrpc;
import dev.camillo.v1.ListWorkflowRequest;
import dev.camillo.v1.ListWorkflowResponse;
import dev.camillo.v1.NewEvent;
import dev.camillo.v1.RecordEventRequest;
import dev.camillo.v1.RecordEventResponse;
import dev.camillo.v1.WorkflowStatus;
import dev.camillo.v1.WorkflowStep;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The steps of workflows, as events. */
class WorkflowsTest {
  private ScriptedServer server;
  private Camillo camillo;

  @BeforeEach
  void connect() throws IOException {
    server = new ScriptedServer();
    camillo = server.client(new ArrayList<>()).agentId("ada").connect();
  }

  @AfterEach
  void close() {
    camillo.close();
    server.close();
  }

  @Test
  void aStepIsAnEventOfItsRun() {
    server.on(
        EventServiceGrpc.getRecordEventMethod(),
        ScriptedServer.messages(RecordEventResponse.getDefaultInstance()));
    camillo
        .workflows()
        .record(
            "backup",
            "copy",
            step ->
                step.setRun("r-7")
                    .setStatus(WorkflowStatus.WORKFLOW_STATUS_FAILED)
                    .setOutput("备份 🗄️"));
    WorkflowStep step = WorkflowStep.newBuilder().setWorkflow("backup").setStep("copy").build();
    camillo.workflows().record(step, event -> event.setActor(Actors.agent("ada")).addTags("夜"));
    NewEvent first = server.of(RecordEventRequest.class).get(0).getEvent();
    assertEquals(List.of("r-7", "backup"), List.of(first.getSessionId(), first.getActor().getId()));
    assertEquals(EventKind.EVENT_KIND_WORKFLOW_STEP, first.getKind());
    assertEquals("备份 🗄️", first.getWorkflowStep().getOutput());
    NewEvent second = server.of(RecordEventRequest.class).get(1).getEvent();
    assertEquals(
        List.of("backup", "ada"), List.of(second.getSessionId(), second.getActor().getId()));
    assertEquals(step, second.getWorkflowStep());
  }

  @Test
  void anOutputThatIsTooLargeIsNotSent() {
    String output = "č".repeat(4 * 1024 * 1024 + 1);
    assertThrows(
        EventTooLarge.class,
        () -> camillo.workflows().record("backup", "copy", step -> step.setOutput(output)));
    assertTrue(server.requests.isEmpty());
  }

  @Test
  void theStepsOfAWorkflowAreListedOverAllPages() {
    server.on(
        EventServiceGrpc.getListWorkflowMethod(),
        ScriptedServer.messages(page("e1", "p2")),
        ScriptedServer.messages(page("e2", "")));
    assertEquals(
        List.of("e1", "e2"),
        camillo
            .workflows()
            .list("backup", options -> options.setRun("r-7"))
            .map(Event::getEventId)
            .toList());
    ListWorkflowRequest next = server.of(ListWorkflowRequest.class).get(1);
    assertEquals(
        List.of("backup", "r-7", "p2"),
        List.of(next.getWorkflow(), next.getRun(), next.getPageToken()));
  }

  private static ListWorkflowResponse page(String id, String next) {
    return ListWorkflowResponse.newBuilder()
        .addSteps(Event.newBuilder().setEventId(id))
        .setNextPageToken(next)
        .build();
  }
}
