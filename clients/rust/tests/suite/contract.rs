//! The client and the other clients agree.

use serde_json::Value;

fn json(path: &str) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn what_is_tried_again_is_the_same_in_all_languages() {
    let own = concat!(env!("CARGO_MANIFEST_DIR"), "/src/service_config.json");
    let common = concat!(env!("CARGO_MANIFEST_DIR"), "/../service_config.json");
    assert_eq!(json(own), json(common));
}

#[test]
fn the_package_has_the_licence_of_the_project() {
    let read = |path| std::fs::read(path).unwrap();
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../LICENSE");
    assert_eq!(read(concat!(env!("CARGO_MANIFEST_DIR"), "/LICENSE")), read(root));
}
