//! From a request to its answer: the one path of all unary calls.

use bytes::Bytes;
use tokio::time::Instant;
use tonic::Code;
use uuid::Uuid;

use crate::calls::UnaryCall;
use crate::client::{Client, SHARED};
use crate::demands::Demands;
use crate::error::{Error, Result};
use crate::reason::Reason;
use crate::requests::{Answer, Method, Request, UnaryRequest};
use crate::revisions::Ticket;
use crate::wire::Terms;

// Done twice, they make the same: they need no request id, and are writes all the same.
const REPAIRS: [Method; 2] =
    [Method::new("camillo.v1.EventService", "RebuildChunks"), Method::new("camillo.v1.LifecycleService", "Reindex")];

/// A request on its way, and what was filled in.
struct Prepared<R> {
    request: R,
    agent_id: String,
    request_id: String,
    // Whether the request id was the caller's own.
    is_repeatable: bool,
    // The call is a read.
    demands: Demands,
    // The call is a mutation.
    write: Option<Ticket>,
    deadline: Option<Instant>,
}

impl Client {
    /// Sends any request of the contract that gets one answer.
    ///
    /// Empty fields are filled in: the agent and spaces, a request id by which a repetition happens once, and for reads the demand to
    /// see this client's own writes. Asked again while the server is unavailable or overloaded, within the timeout.
    ///
    /// ```no_run
    /// # use camillo_client::{Client, v1};
    /// # async fn example(client: Client) -> camillo_client::Result<()> {
    /// let answer = client.call(v1::GetTaskRequest { task_id: "…".into(), ..Default::default() }).await?;
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// Whatever the method fails with.
    pub async fn call<R: UnaryRequest>(&self, request: R) -> Result<R::Answer> {
        request.sent_by(self).await
    }

    pub(crate) async fn called<R: UnaryRequest>(&self, request: R, deadline: Option<Instant>) -> Result<R::Answer> {
        self.delivered(self.prepared(request, deadline)).await
    }

    /// As `call`, of a mutation whose request id was made for it and has never been used.
    pub(crate) async fn call_first<R: UnaryRequest>(&self, request: R) -> Result<R::Answer> {
        self.delivered(Prepared { is_repeatable: false, ..self.prepared(request, self.deadline()) }).await
    }

    async fn delivered<R: UnaryRequest>(&self, mut prepared: Prepared<R>) -> Result<R::Answer> {
        let answer = match self.sent(&prepared).await {
            Err(error) if error.reason() == Some(&Reason::RevisionUnknown) => {
                // Not the caller's demand but ours, and void: the database was restored, or the scope removed.
                let demands = std::mem::take(&mut prepared.demands);
                if demands.is_empty() {
                    return Err(error);
                }
                demands.release(&self.written, &mut prepared.request);
                self.sent(&prepared).await?
            }
            outcome => outcome?,
        };
        self.noted(&prepared, &answer);
        Ok(answer)
    }

    fn prepared<R: UnaryRequest>(&self, mut request: R, deadline: Option<Instant>) -> Prepared<R> {
        let agent_id = self.filled_agent(&mut request);
        let (request_id, is_repeatable) = filled_request_id(&mut request);
        let is_write = (!request_id.is_empty() || REPAIRS.contains(&R::METHOD)) && !request.is_dry_run();
        Prepared {
            demands: self.carry(&mut request, &agent_id),
            write: is_write.then(|| self.written.begin(if request.changes_shared() { SHARED } else { &agent_id })),
            deadline,
            request,
            agent_id,
            request_id,
            is_repeatable,
        }
    }

    /// For which agent the request is, after the client's own, and what is read beside it, was put where there was none.
    pub(crate) fn filled_agent<R: Request>(&self, request: &mut R) -> String {
        let Some(agent_id) = request.agent_id() else { return self.agent_id.to_string() };
        if !agent_id.is_empty() {
            return agent_id.clone();
        }
        *agent_id = self.agent_id.to_string();
        self.beside.fill(request);
        self.agent_id.to_string()
    }

    async fn sent<R: UnaryRequest>(&self, prepared: &Prepared<R>) -> Result<R::Answer> {
        let message = Bytes::from(prepared.request.encode_to_vec());
        let call = UnaryCall {
            terms: Terms { method: R::METHOD, agent_id: &prepared.agent_id, deadline: prepared.deadline },
            message: &message,
            request_id: &prepared.request_id,
        };
        decoded(self.calls.unary(call).await?)
    }

    fn noted<R: UnaryRequest>(&self, prepared: &Prepared<R>, answer: &R::Answer) {
        let revision = answer.shared_revision().or(answer.revision());
        if let (Some(ticket), Some(revision)) = (&prepared.write, revision) {
            self.written.wrote(ticket, revision, prepared.is_repeatable);
        }
        prepared.demands.met(&self.written, answer);
    }
}

/// An id that nobody else uses.
pub(crate) fn new_request_id() -> String {
    Uuid::new_v4().simple().to_string()
}

/// The id of a mutation, empty for other requests, and whether it was there before.
fn filled_request_id<R: Request>(request: &mut R) -> (String, bool) {
    let Some(request_id) = request.request_id() else { return (String::new(), false) };
    let is_own = !request_id.is_empty();
    if !is_own {
        *request_id = new_request_id();
    }
    (request_id.clone(), is_own)
}

/// The message in the bytes of an answer.
pub(crate) fn decoded<A: Answer>(bytes: Bytes) -> Result<A> {
    A::decode(bytes).map_err(|error| Error::local(Code::Internal, format!("the answer cannot be read: {error}")))
}
