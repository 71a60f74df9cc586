//! Calls by the name of a method, for programs that know it only when they run: each function here calls a visitor with
//! the type of the method's request.

use crate::requests::{
    Answer, Change, ListRequest, Method, Page, Request, StreamRequest, UnaryRequest, UploadRequest, WatchRequest,
};
use crate::v1;

/// Something done with a method that gives one answer.
pub trait UnaryVisitor {
    /// Holds what comes of it.
    type Output;
    /// Does it.
    fn visit<R: UnaryRequest>(self) -> Self::Output;
}

/// Something done with a method that gives a list in pages.
pub trait ListVisitor {
    /// Holds what comes of it.
    type Output;
    /// Does it.
    fn visit<R: ListRequest>(self) -> Self::Output;
}

/// Something done with a method that gives a stream.
pub trait StreamVisitor {
    /// Holds what comes of it.
    type Output;
    /// Does it.
    fn visit<R: StreamRequest>(self) -> Self::Output;
}

/// Something done with a method that gives changes without end.
pub trait WatchVisitor {
    /// Holds what comes of it.
    type Output;
    /// Does it.
    fn visit<R: WatchRequest>(self) -> Self::Output;
}

include!("generated/methods.rs");
