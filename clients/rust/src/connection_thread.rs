//! One thread for all that a channel does beside the calls: connecting, writing and reading.
//!
//! On several threads, a call that is sent while its connection breaks may never be answered: once in about 900 breaks it
//! waited until its deadline.

use std::io;
use std::pin::Pin;
use std::thread;

use hyper::rt::Executor;
use tokio::runtime;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

type Work = Pin<Box<dyn Future<Output = ()> + Send>>;

/// Runs what it is given, and ends with the last clone: connections have clones, too.
#[derive(Clone)]
pub(crate) struct ConnectionThread(UnboundedSender<Work>);

impl ConnectionThread {
    pub(crate) fn start() -> io::Result<Self> {
        let runtime = runtime::Builder::new_current_thread().enable_all().build()?;
        let (sender, receiver) = unbounded_channel();
        thread::Builder::new().name("camillo-connection".to_owned()).spawn(move || runtime.block_on(run(receiver)))?;
        Ok(Self(sender))
    }
}

impl Executor<Work> for ConnectionThread {
    fn execute(&self, work: Work) {
        // The thread takes work for as long as anybody can send it some.
        let _ = self.0.send(work);
    }
}

async fn run(mut receiver: UnboundedReceiver<Work>) {
    while let Some(work) = receiver.recv().await {
        tokio::spawn(work);
    }
}
