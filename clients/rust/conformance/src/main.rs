//! The runner of the conformance suite: reads one JSON command a line, does it with the client, writes one JSON answer a
//! line. Ends with the input.

mod calls;
mod commands;
mod failures;
mod json_messages;

use std::io::{BufRead, Write, stdin, stdout};

use serde_json::{Value, json};

use crate::commands::Commands;
use crate::failures::Failed;

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let mut commands = Commands::default();
    for line in stdin().lock().lines() {
        let answer = answer(&mut commands, &line?).await;
        let mut output = stdout().lock();
        writeln!(output, "{answer}")?;
        output.flush()?;
    }
    Ok(())
}

async fn answer(commands: &mut Commands, line: &str) -> Value {
    let command: Value = match serde_json::from_str(line) {
        Ok(command) => command,
        Err(error) => return json!({"id": null, "error": Failed::bad_command(&error.to_string()).to_json()}),
    };
    match commands.run(&command).await {
        Ok(told) => json!({"id": command["id"], "ok": told}),
        Err(failed) => json!({"id": command["id"], "error": failed.to_json()}),
    }
}
