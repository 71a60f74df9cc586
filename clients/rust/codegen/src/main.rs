//! Writes the generated part of the client: messages and stubs, what every request can be asked for, the reasons of
//! errors; and the descriptors that the conformance runner reads JSON by.

mod contract;
mod methods;
mod reasons;

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use contract::Contract;
use prost::Message;
use prost_types::FileDescriptorSet;
use tonic_prost_build::Config;

const MARK: &str = "// @generated from the contract by camillo-codegen; do not edit.\n";

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [descriptors, client, runner] = arguments.as_slice() else {
        return Err("usage: camillo-codegen DESCRIPTORS CLIENT_DIRECTORY RUNNER_DIRECTORY".into());
    };
    let set = FileDescriptorSet::decode(fs::read(descriptors)?.as_slice())?;
    let contract = Contract::new(&set);
    write_messages(&set, Path::new(client))?;
    write(client, "methods.rs", &methods::source(&contract))?;
    write(client, "reasons.rs", &reasons::source(&contract)?)?;
    fs::create_dir_all(runner)?;
    fs::write(Path::new(runner).join("contract.binpb"), without_comments(set).encode_to_vec())?;
    Ok(())
}

fn write(directory: &str, name: &str, source: &str) -> Result<(), Box<dyn Error>> {
    fs::write(Path::new(directory).join(name), format!("{MARK}{source}"))?;
    Ok(())
}

/// Messages and client stubs; of what the contract imports only the errors, the rest has types already or is for gateways.
fn write_messages(set: &FileDescriptorSet, directory: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(directory)?;
    let wanted = FileDescriptorSet { file: set.file.iter().filter(|file| is_wanted(file.name())).cloned().collect() };
    let mut config = Config::new();
    // Their examples are in YAML, which rustdoc would take for Rust.
    config.disable_comments([".google.rpc"]);
    config.enable_type_names().bytes([".camillo.v1"]).include_file("mod.rs");
    tonic_prost_build::configure().build_server(false).out_dir(directory).compile_fds_with_config(wanted, config)?;
    Ok(())
}

fn is_wanted(file: &str) -> bool {
    ["camillo/", "google/protobuf/", "google/rpc/"].iter().any(|package| file.starts_with(package))
}

fn without_comments(mut set: FileDescriptorSet) -> FileDescriptorSet {
    for file in &mut set.file {
        file.source_code_info = None;
    }
    set
}
