//! JSON and times as the contract has them.

use std::time::SystemTime;

use prost_types::value::Kind;
use prost_types::{ListValue, Struct, Timestamp, Value};
use serde_json::{Map, Number, Value as Json};

/// The object as metadata, arguments of a tool or content of an event: `to_struct(&json!({"tea": 2}))`. Anything but an object
/// becomes an empty one.
pub fn to_struct(object: &Json) -> Struct {
    let pairs = object.as_object().into_iter().flatten();
    Struct { fields: pairs.map(|(key, value)| (key.clone(), to_value(value))).collect() }
}

/// The object as JSON.
pub fn to_json(object: &Struct) -> Json {
    let pairs = object.fields.iter().map(|(key, value)| (key.clone(), json_of(value)));
    Json::Object(pairs.collect::<Map<_, _>>())
}

/// The time as the contract has it.
pub fn to_timestamp(time: SystemTime) -> Timestamp {
    time.into()
}

/// The time as Rust has it; None for one that it cannot hold.
pub fn to_time(timestamp: &Timestamp) -> Option<SystemTime> {
    SystemTime::try_from(*timestamp).ok()
}

fn to_value(json: &Json) -> Value {
    let kind = match json {
        Json::Null => Kind::NullValue(0),
        Json::Bool(value) => Kind::BoolValue(*value),
        Json::Number(value) => Kind::NumberValue(value.as_f64().unwrap_or_default()),
        Json::String(value) => Kind::StringValue(value.clone()),
        Json::Array(values) => Kind::ListValue(ListValue { values: values.iter().map(to_value).collect() }),
        Json::Object(_) => Kind::StructValue(to_struct(json)),
    };
    Value { kind: Some(kind) }
}

fn json_of(value: &Value) -> Json {
    match &value.kind {
        None | Some(Kind::NullValue(_)) => Json::Null,
        Some(Kind::BoolValue(value)) => Json::Bool(*value),
        Some(Kind::NumberValue(value)) => Number::from_f64(*value).map_or(Json::Null, Json::Number),
        Some(Kind::StringValue(value)) => Json::String(value.clone()),
        Some(Kind::ListValue(list)) => Json::Array(list.values.iter().map(json_of).collect()),
        Some(Kind::StructValue(object)) => to_json(object),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn every_kind_of_value_comes_back() {
        let object = json!({"a": null, "b": true, "c": 1.5, "d": "tea", "e": [1.0, [], {}], "f": {"g": "茶"}});
        assert_eq!(to_json(&to_struct(&object)), object);
    }

    #[test]
    fn a_time_comes_back() {
        let now = SystemTime::now();
        assert_eq!(to_time(&to_timestamp(now)), Some(now));
    }
}
