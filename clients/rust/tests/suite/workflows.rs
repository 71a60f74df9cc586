//! The steps of workflows, as events.

use crate::scripted_server::Server;
use camillo_client::v1::new_event::Content;
use camillo_client::v1::{
    ActorType, Event, EventKind, ListWorkflowRequest, ListWorkflowResponse, NewEvent, RecordEventRequest,
    RecordEventResponse, RecordedEvent, WorkflowStatus, WorkflowStep,
};
use tokio_stream::StreamExt;

#[tokio::test]
async fn a_step_is_an_event_of_its_run() {
    let server = Server::start().await;
    let recorded = RecordedEvent { event_id: "e1".into(), ..Default::default() };
    for _ in 0..2 {
        server.will_answer::<RecordEventRequest>(RecordEventResponse {
            recorded: Some(recorded.clone()),
            ..Default::default()
        });
    }
    let workflows = server.client().workflows();
    let step = WorkflowStep::of("backup", "copy").in_run("r-7").ended(WorkflowStatus::Failed).with_output("备份 🗄️");
    assert_eq!(workflows.record(step.clone()).await.unwrap().event_id, "e1");
    let event = NewEvent::from(WorkflowStep::of("backup", "copy")).by(ActorType::Agent, "ada").with_tags(["夜"]);
    workflows.record(event).await.unwrap();
    let mut sent = server.requests::<RecordEventRequest>();
    let (first, second) = (sent.remove(0).event.unwrap(), sent.remove(0).event.unwrap());
    assert_eq!((first.session_id.as_str(), first.kind()), ("r-7", EventKind::WorkflowStep));
    assert_eq!(
        first.actor.as_ref().map(|actor| (actor.r#type(), actor.id.as_str())),
        Some((ActorType::System, "backup"))
    );
    assert_eq!(first.content, Some(Content::WorkflowStep(step)));
    assert_eq!((second.session_id.as_str(), second.actor.unwrap().id.as_str()), ("backup", "ada"));
}

#[tokio::test]
async fn the_steps_of_a_workflow_are_listed_over_all_pages() {
    let server = Server::start().await;
    let page = |id: &str, next: &str| ListWorkflowResponse {
        steps: vec![Event { event_id: id.into(), ..Default::default() }],
        next_page_token: next.into(),
    };
    server
        .will_answer::<ListWorkflowRequest>(page("e1", "p2"))
        .will_answer::<ListWorkflowRequest>(page("e2", ""))
        .will_answer::<ListWorkflowRequest>(page("e3", ""));
    let workflows = server.client().workflows();
    let failed = ListWorkflowRequest {
        workflow: "backup".into(),
        run: "r-7".into(),
        statuses: vec![WorkflowStatus::Failed.into()],
        ..Default::default()
    };
    let all: Vec<_> = workflows.list("backup").chain(workflows.list_as(failed)).collect().await;
    let ids: Vec<String> = all.into_iter().map(|step| step.unwrap().event_id).collect();
    assert_eq!(ids, ["e1", "e2", "e3"]);
    let sent = server.requests::<ListWorkflowRequest>();
    assert_eq!((sent[1].workflow.as_str(), sent[1].page_token.as_str()), ("backup", "p2"));
    assert_eq!((sent[2].run.as_str(), sent[2].statuses.len()), ("r-7", 1));
}
