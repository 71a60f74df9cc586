//! Messages of the contract from and to proto3 JSON, by the descriptors.

use std::sync::LazyLock;

use camillo_client::requests::{Answer, Request};
use prost::{Message as _, Name};
use prost_reflect::{DescriptorPool, DynamicMessage, MessageDescriptor};
use serde_json::Value;

use crate::failures::Failed;

static CONTRACT: LazyLock<DescriptorPool> = LazyLock::new(|| {
    DescriptorPool::decode(include_bytes!("generated/contract.binpb").as_slice())
        .expect("the descriptors are part of the runner")
});

/// The request in the JSON; null is an empty one.
pub fn request<R: Request>(json: &Value) -> Result<R, Failed> {
    if json.is_null() {
        return Ok(R::default());
    }
    let dynamic = DynamicMessage::deserialize(descriptor::<R>()?, json).map_err(|error| unreadable(&error))?;
    R::decode(dynamic.encode_to_vec().as_slice()).map_err(|error| unreadable(&error))
}

/// The answer as JSON.
pub fn answer<A: Name>(message: &A) -> Result<Value, Failed> {
    let mut dynamic = DynamicMessage::new(descriptor::<A>()?);
    dynamic.merge(message.encode_to_vec().as_slice()).map_err(|error| unreadable(&error))?;
    serde_json::to_value(&dynamic).map_err(|error| unreadable(&error))
}

/// The answers as a list.
pub fn answers<A: Answer>(messages: &[A]) -> Result<Value, Failed> {
    messages.iter().map(answer).collect::<Result<Vec<Value>, Failed>>().map(Value::Array)
}

fn descriptor<M: Name>() -> Result<MessageDescriptor, Failed> {
    CONTRACT
        .get_message_by_name(&M::full_name())
        .ok_or_else(|| Failed::bad_command(&format!("{} is not in the contract", M::full_name())))
}

fn unreadable(error: &dyn std::error::Error) -> Failed {
    Failed::bad_command(&error.to_string())
}
