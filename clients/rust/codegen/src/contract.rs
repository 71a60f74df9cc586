//! The contract as the templates ask for it.

use std::collections::HashMap;

use prost_types::field_descriptor_proto::{Label, Type};
use prost_types::{
    DescriptorProto, FieldDescriptorProto, FileDescriptorProto, FileDescriptorSet, MethodDescriptorProto,
};

const PACKAGE: &str = "camillo.v1";

/// All services and messages of the package.
pub struct Contract<'a> {
    messages: HashMap<String, &'a DescriptorProto>,
    /// The files of the package.
    pub files: Vec<&'a FileDescriptorProto>,
}

/// One RPC.
pub struct Rpc<'a> {
    /// The full name of its service.
    pub service: String,
    /// Its own name and types.
    pub method: &'a MethodDescriptorProto,
    /// Holds what it takes.
    pub request: &'a DescriptorProto,
    /// Holds what it gives.
    pub answer: &'a DescriptorProto,
}

impl<'a> Contract<'a> {
    /// The contract in the descriptors.
    pub fn new(set: &'a FileDescriptorSet) -> Self {
        let files: Vec<_> = set.file.iter().filter(|file| file.package() == PACKAGE).collect();
        let messages = files
            .iter()
            .flat_map(|file| &file.message_type)
            .map(|message| (format!(".{PACKAGE}.{}", message.name()), message))
            .collect();
        Self { messages, files }
    }

    /// Every RPC, by service, in the order of the contract.
    pub fn rpcs(&self) -> Vec<Rpc<'a>> {
        self.files
            .iter()
            .flat_map(|file| &file.service)
            .flat_map(|service| service.method.iter().map(move |method| (service.name(), method)))
            .map(|(service, method)| Rpc {
                service: format!("{PACKAGE}.{service}"),
                method,
                request: self.messages[method.input_type()],
                answer: self.messages[method.output_type()],
            })
            .collect()
    }

    /// The message of a field; None where the field is no message of the package.
    pub fn message_of(&self, field: &FieldDescriptorProto) -> Option<&'a DescriptorProto> {
        self.messages.get(field.type_name()).copied()
    }
}

/// A field that is neither repeated nor one of several alternatives.
pub fn plain<'a>(message: &'a DescriptorProto, name: &str, kind: Type) -> Option<&'a FieldDescriptorProto> {
    message.field.iter().find(|field| {
        field.name() == name
            && field.r#type() == kind
            && field.label() != Label::Repeated
            && (field.oneof_index.is_none() || field.proto3_optional())
    })
}
