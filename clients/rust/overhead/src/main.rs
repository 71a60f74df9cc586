//! Recalls by a bare stub and by the client, in turn: reads an order in JSON from a line, answers with one line of how long
//! each call took. `python -m bench.clients` asks.

mod contenders;

use std::io::{BufRead, stdin};
use std::time::Instant;

use camillo_client::v1::RecallResponse;
use serde_json::{Value, json};

use crate::contenders::{Bare, Facade, Failure};

/// Holds what one contender has done.
#[derive(Default)]
struct Taken {
    nanoseconds: Vec<u64>,
    hits: usize,
}

impl Taken {
    fn told(&self) -> Value {
        json!({"ns": self.nanoseconds, "hits": self.hits})
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Failure> {
    let mut line = String::new();
    stdin().lock().read_line(&mut line)?;
    let order: Value = serde_json::from_str(&line)?;
    let queries: Vec<String> = serde_json::from_value(order["queries"].clone())?;
    let (mut bare, facade) = (Bare::connected(&order).await?, Facade::connected(&order)?);
    let mut taken = Default::default();
    for count in ["warm_up_blocks", "blocks"] {
        taken = turns(&mut bare, &facade, &queries, order[count].as_u64().ok_or("no blocks")?).await?;
    }
    let (of_bare, of_facade) = taken;
    println!("{}", json!({"id": order["id"], "ok": {"bare": of_bare.told(), "facade": of_facade.told()}}));
    Ok(())
}

/// A block is each query once. They take turns, there and back, so that what disturbs the machine disturbs both.
async fn turns(bare: &mut Bare, facade: &Facade, queries: &[String], blocks: u64) -> Result<(Taken, Taken), Failure> {
    let (mut of_bare, mut of_facade) = (Taken::default(), Taken::default());
    for turn in 0..2 * blocks {
        if matches!(turn % 4, 0 | 3) {
            block(queries, &mut of_bare, async |query| bare.recall(query).await).await?;
        } else {
            block(queries, &mut of_facade, async |query| facade.recall(query).await).await?;
        }
    }
    Ok((of_bare, of_facade))
}

async fn block(
    queries: &[String],
    taken: &mut Taken,
    mut recall: impl AsyncFnMut(&str) -> Result<RecallResponse, Failure>,
) -> Result<(), Failure> {
    for query in queries {
        let began = Instant::now();
        let answer = recall(query).await?;
        taken.nanoseconds.push(u64::try_from(began.elapsed().as_nanos())?);
        taken.hits += answer.hits.len();
    }
    Ok(())
}
