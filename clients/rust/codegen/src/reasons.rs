//! The reasons of errors, as an enum that newer servers can add to.

use std::fmt::Write;

use prost_types::{EnumDescriptorProto, FileDescriptorProto};

use crate::contract::Contract;

const ENUM: &str = "ErrorReason";
const PREFIX: &str = "ERROR_REASON_";
// The fields of a file that hold its enums, and of an enum that hold its values.
const ENUM_TYPE: i32 = 5;
const VALUE: i32 = 2;

struct Named {
    text: String,
    variant: String,
    comment: String,
}

/// The source of `reasons.rs`.
pub fn source(contract: &Contract<'_>) -> Result<String, &'static str> {
    let (file, place) = find(contract).ok_or("the contract has no enum ErrorReason")?;
    let names = names(file, &file.enum_type[place], place);
    Ok(declaration(&names) + &conversions(&names))
}

fn find<'a>(contract: &Contract<'a>) -> Option<(&'a FileDescriptorProto, usize)> {
    contract.files.iter().find_map(|file| {
        let place = file.enum_type.iter().position(|found| found.name() == ENUM)?;
        Some((*file, place))
    })
}

fn names(file: &FileDescriptorProto, reasons: &EnumDescriptorProto, place: usize) -> Vec<Named> {
    let values = reasons.value.iter().enumerate().filter(|(_, value)| value.number() != 0);
    values
        .map(|(number, value)| {
            let text = value.name().trim_start_matches(PREFIX).to_owned();
            let path = [ENUM_TYPE, place as i32, VALUE, number as i32];
            Named { variant: camel_case(&text), comment: comment(file, &path), text }
        })
        .collect()
}

fn comment(file: &FileDescriptorProto, path: &[i32]) -> String {
    let locations = file.source_code_info.iter().flat_map(|info| &info.location);
    let text = locations.filter(|location| location.path == path).map(|location| location.leading_comments());
    text.collect::<String>().trim().to_owned()
}

fn declaration(names: &[Named]) -> String {
    let mut source = String::from(
        "\n/// Why a call failed, in the words of the contract.\n\
         #[derive(Clone, Debug, PartialEq, Eq, Hash)]\n#[non_exhaustive]\npub enum Reason {\n",
    );
    for named in names {
        for line in named.comment.lines() {
            let _ = writeln!(source, "    /// {}", line.trim());
        }
        let _ = writeln!(source, "    {},", named.variant);
    }
    source
        + "    /// A reason that this client does not know: of a newer server, or of another service.\n    Other(String),\n}\n"
}

fn conversions(names: &[Named]) -> String {
    let (mut to_text, mut from_text) = (String::new(), String::new());
    for Named { text, variant, .. } in names {
        let _ = writeln!(to_text, "            Self::{variant} => \"{text}\",");
        let _ = writeln!(from_text, "            \"{text}\" => Self::{variant},");
    }
    format!(
        "\nimpl Reason {{\n    /// The name in the contract, without `{PREFIX}`.\n    pub fn as_str(&self) -> &str {{\n        match self {{\n\
         {to_text}            Self::Other(text) => text,\n        }}\n    }}\n\n    \
         /// The reason of this name.\n    pub fn from_name(name: &str) -> Self {{\n        match name {{\n\
         {from_text}            other => Self::Other(other.to_owned()),\n        }}\n    }}\n}}\n"
    )
}

fn camel_case(text: &str) -> String {
    let word = |word: &str| word[..1].to_owned() + &word[1..].to_ascii_lowercase();
    text.split('_').map(word).collect()
}
