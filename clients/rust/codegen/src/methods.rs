//! Holds what every request and answer of the contract can be asked for, and calls by the name of a method.

use std::fmt::Write;

use prost_types::DescriptorProto;
use prost_types::field_descriptor_proto::Type;

use crate::contract::{Contract, Rpc, plain};

/// The source of `methods.rs`.
pub fn source(contract: &Contract<'_>) -> String {
    let rpcs = contract.rpcs();
    let mut source = String::new();
    for rpc in &rpcs {
        source.push_str(&request(rpc));
        source.push_str(&answer(contract, rpc));
        source.push_str(&kinds(contract, rpc));
    }
    for (name, visitor, is_of) in DISPATCHES {
        let those: Vec<_> = rpcs.iter().filter(|rpc| is_of(contract, rpc)).collect();
        source.push_str(&dispatch(name, visitor, &those));
    }
    source
}

type Test = fn(&Contract<'_>, &Rpc<'_>) -> bool;

const DISPATCHES: [(&str, &str, Test); 4] = [
    ("unary", "UnaryVisitor", |_, rpc| is_unary(rpc)),
    ("list", "ListVisitor", |_, rpc| is_list(rpc)),
    ("stream", "StreamVisitor", |_, rpc| is_stream(rpc)),
    ("watch", "WatchVisitor", is_watch),
];

fn is_unary(rpc: &Rpc<'_>) -> bool {
    !rpc.method.client_streaming() && !rpc.method.server_streaming()
}

fn is_stream(rpc: &Rpc<'_>) -> bool {
    !rpc.method.client_streaming() && rpc.method.server_streaming()
}

fn is_list(rpc: &Rpc<'_>) -> bool {
    is_unary(rpc)
        && plain(rpc.request, "page_token", Type::String).is_some()
        && plain(rpc.answer, "next_page_token", Type::String).is_some()
}

/// A stream of changes, each with a token to go on from.
fn is_watch(contract: &Contract<'_>, rpc: &Rpc<'_>) -> bool {
    let change = plain(rpc.answer, "change", Type::Message).and_then(|field| contract.message_of(field));
    is_stream(rpc)
        && change.is_some_and(|change| plain(change, "resume_token", Type::String).is_some())
        && rpc.request.field.iter().any(|field| field.name() == "resume_token")
}

/// A batch of requests, each with a demand of its own.
fn is_several_reads(contract: &Contract<'_>, rpc: &Rpc<'_>) -> bool {
    let parts = rpc.request.field.iter().filter_map(|field| contract.message_of(field));
    // Each has an agent of its own; a space that one read searches beside its own has none.
    parts.into_iter().any(|part| {
        plain(part, "freshness", Type::Message).is_some() && plain(part, "agent_id", Type::String).is_some()
    })
}

fn request(rpc: &Rpc<'_>) -> String {
    let mut source = format!(
        "\nimpl Request for v1::{} {{\n    type Answer = v1::{};\n    const METHOD: Method = Method::new(\"{}\", \"{}\");\n",
        rpc.request.name(),
        rpc.answer.name(),
        rpc.service,
        rpc.method.name(),
    );
    for (field, kind, result) in accessors(rpc) {
        if plain(rpc.request, field, kind).is_some() {
            let given = given(rpc, field);
            let _ = writeln!(source, "    fn {field}(&mut self) -> Option<&mut {result}> {{\n        {given}\n    }}");
        }
    }
    if plain(rpc.request, "dry_run", Type::Bool).is_some() {
        source.push_str("    fn is_dry_run(&self) -> bool {\n        self.dry_run\n    }\n");
    }
    if plain(rpc.request, "include_shared", Type::Bool).is_some() {
        source.push_str(
            "    fn include_shared(&mut self) -> Option<&mut bool> {\n        Some(&mut self.include_shared)\n    }\n",
        );
    }
    if has_spaces(rpc.request, ".camillo.v1.SpaceRead") {
        source.push_str(
            "    fn spaces(&mut self) -> Option<&mut Vec<v1::SpaceRead>> {\n        Some(&mut self.spaces)\n    }\n",
        );
    }
    if let Some(changes) = changes_shared(rpc) {
        let _ = writeln!(source, "    fn changes_shared(&self) -> bool {{\n        {changes}\n    }}");
    }
    source + "}\n"
}

/// Whether there is a list `spaces` of such messages.
fn has_spaces(message: &DescriptorProto, type_name: &str) -> bool {
    message.field.iter().any(|field| field.name() == "spaces" && field.type_name() == type_name)
}

fn accessors(rpc: &Rpc<'_>) -> Vec<(&'static str, Type, &'static str)> {
    let mut found = vec![
        ("request_id", Type::String, "String"),
        ("freshness", Type::Message, "Option<v1::Freshness>"),
        ("shared_freshness", Type::Message, "Option<v1::Freshness>"),
    ];
    // There the agent is not who acts, but who is made or removed.
    if !rpc.service.ends_with(".AdminService") {
        found.push(("agent_id", Type::String, "String"));
    }
    found
}

/// The field, unless the request says that it does not count.
fn given(rpc: &Rpc<'_>, field: &str) -> String {
    match field {
        "agent_id" if plain(rpc.request, "all_scopes", Type::Bool).is_some() => {
            format!("(!self.all_scopes).then_some(&mut self.{field})")
        }
        "shared_freshness" => format!("self.searches_shared().then_some(&mut self.{field})"),
        _ => format!("Some(&mut self.{field})"),
    }
}

/// Whether a write changes the tenant's shared scope, as that of a skill does at the tenant's level.
fn changes_shared(rpc: &Rpc<'_>) -> Option<&'static str> {
    plain(rpc.request, "request_id", Type::String)?;
    if plain(rpc.answer, "shared_revision", Type::Message).is_some() {
        return Some("true");
    }
    let level = plain(rpc.request, "level", Type::Enum).filter(|level| level.type_name().ends_with(".SkillLevel"));
    level.map(|_| "self.level == i32::from(v1::SkillLevel::Tenant)")
}

fn answer(contract: &Contract<'_>, rpc: &Rpc<'_>) -> String {
    let shared = plain(rpc.answer, "shared_revision", Type::Message).map(|_| "self.shared_revision.as_ref()");
    let told: String = [("revision", revision(contract, rpc)), ("shared_revision", shared)]
        .into_iter()
        .filter_map(|(name, expression)| Some((name, expression?)))
        .map(|(name, expression)| {
            format!("    fn {name}(&self) -> Option<&v1::Revision> {{\n        {expression}\n    }}\n")
        })
        .collect();
    let spaces = space_revisions(contract, rpc)
        .map(|expression| format!("    fn spaces(&self) -> &[v1::SpaceRevision] {{\n        {expression}\n    }}\n"));
    let told = told + spaces.as_deref().unwrap_or_default();
    let open = if told.is_empty() { "" } else { "\n" };
    format!("\nimpl Answer for v1::{} {{{open}{told}}}\n", rpc.answer.name())
}

/// The answer's own revision, or that of the bundle it holds.
fn revision(contract: &Contract<'_>, rpc: &Rpc<'_>) -> Option<&'static str> {
    if plain(rpc.answer, "revision", Type::Message).is_some() {
        return Some("self.revision.as_ref()");
    }
    plain(bundle(contract, rpc)?, "revision", Type::Message)
        .map(|_| "self.bundle.as_ref().and_then(|bundle| bundle.revision.as_ref())")
}

/// The revisions of other spaces that the answer tells, or the bundle it holds.
fn space_revisions(contract: &Contract<'_>, rpc: &Rpc<'_>) -> Option<&'static str> {
    let has_some = |message| has_spaces(message, ".camillo.v1.SpaceRevision");
    if has_some(rpc.answer) {
        return Some("&self.spaces");
    }
    bundle(contract, rpc)
        .filter(|bundle| has_some(bundle))
        .map(|_| "self.bundle.as_ref().map_or(&[], |bundle| bundle.spaces.as_slice())")
}

fn bundle<'a>(contract: &Contract<'a>, rpc: &Rpc<'_>) -> Option<&'a DescriptorProto> {
    contract.message_of(plain(rpc.answer, "bundle", Type::Message)?)
}

fn kinds(contract: &Contract<'_>, rpc: &Rpc<'_>) -> String {
    let (name, answer) = (rpc.request.name(), rpc.answer.name());
    let mut source = String::new();
    // The client says by hand how several reads in one are sent.
    if is_unary(rpc) && !is_several_reads(contract, rpc) {
        let _ = writeln!(source, "\nimpl UnaryRequest for v1::{name} {{}}");
    }
    if is_stream(rpc) {
        let _ = writeln!(source, "\nimpl StreamRequest for v1::{name} {{}}");
    }
    if rpc.method.client_streaming() && !rpc.method.server_streaming() {
        let _ = writeln!(source, "\nimpl UploadRequest for v1::{name} {{}}");
    }
    if is_list(rpc) {
        let _ = write!(
            source,
            "\nimpl ListRequest for v1::{name} {{\n    fn page_token(&mut self) -> &mut String {{\n        &mut self.page_token\n    }}\n}}\n\
             \nimpl Page for v1::{answer} {{\n    fn next_page_token(&self) -> &str {{\n        &self.next_page_token\n    }}\n}}\n",
        );
    }
    if is_watch(contract, rpc) {
        source.push_str(&watch(rpc, answer));
    }
    source
}

fn watch(rpc: &Rpc<'_>, answer: &str) -> String {
    let request = rpc.request.name();
    // Where it begins is one of several places, or a token alone.
    let resumed = match plain(rpc.request, "resume_token", Type::String) {
        Some(_) => "self.resume_token = token".to_owned(),
        None => format!("self.start = Some(v1::{}::Start::ResumeToken(token))", snake_case(request)),
    };
    format!(
        "\nimpl WatchRequest for v1::{request} {{\n    fn resume(&mut self, token: String) {{\n        \
         {resumed};\n    }}\n}}\n\
         \nimpl Change for v1::{answer} {{\n    fn resume_token(&self) -> &str {{\n        \
         self.change.as_ref().map_or(\"\", |change| change.resume_token.as_str())\n    }}\n}}\n"
    )
}

fn dispatch(name: &str, visitor: &str, rpcs: &[&Rpc<'_>]) -> String {
    let mut source = format!(
        "\n/// Calls the visitor with the request type of the {name} method of this full name, such as\n\
         /// `camillo.v1.{}`; None if there is none.\n\
         pub fn {name}<V: {visitor}>(method: &str, visitor: V) -> Option<V::Output> {{\n    Some(match method {{\n",
        rpcs.first().map_or(String::new(), |rpc| example(rpc)),
    );
    for rpc in rpcs {
        let _ = writeln!(
            source,
            "        \"{}/{}\" => visitor.visit::<v1::{}>(),",
            rpc.service,
            rpc.method.name(),
            rpc.request.name(),
        );
    }
    source + "        _ => return None,\n    })\n}\n"
}

fn example(rpc: &Rpc<'_>) -> String {
    let service = rpc.service.rsplit('.').next().unwrap_or_default();
    format!("{service}/{}", rpc.method.name())
}

fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for (place, letter) in name.char_indices() {
        if letter.is_ascii_uppercase() && place > 0 {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}
