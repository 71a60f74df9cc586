//! Many messages in few calls, within limits of number and size.

use prost::Message;
use tonic::Code;

use crate::error::{Error, Result};

const MAX_COUNT: usize = 1_000;
// Below the 4 MiB that a gRPC server takes in one message unless told otherwise.
const MAX_BYTES: usize = 3 * 1024 * 1024;
// The tag and the length of an element of a repeated field, at most.
const ELEMENT_OVERHEAD: usize = 6;

/// The messages in the order given, in packs within the limits. One that is too large alone travels alone.
pub(crate) fn packs<M: Message>(messages: impl Iterator<Item = M>) -> Vec<Vec<M>> {
    let mut packs: Vec<Vec<M>> = Vec::new();
    let mut bytes = 0;
    for message in messages {
        let size = message.encoded_len() + ELEMENT_OVERHEAD;
        match packs.last_mut() {
            Some(pack) if pack.len() < MAX_COUNT && bytes + size <= MAX_BYTES => {
                pack.push(message);
                bytes += size;
            }
            _ => {
                packs.push(vec![message]);
                bytes = size;
            }
        }
    }
    packs
}

/// The outcome of each message of a pack. With one too few, every outcome behind it would be told of another message.
pub(crate) fn whole<T>(results: Vec<T>, sent: usize) -> Result<Vec<T>> {
    match results.len() == sent {
        true => Ok(results),
        false => Err(Error::local(Code::Internal, format!("the server answered {} of {sent} messages", results.len()))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::v1::NewMemory;

    #[test]
    fn packs_hold_up_to_a_thousand_messages() {
        let sizes: Vec<usize> = packs((0..2_001).map(|_| NewMemory::from("tea"))).iter().map(Vec::len).collect();
        assert_eq!(sizes, [1_000, 1_000, 1]);
    }

    #[test]
    fn packs_hold_up_to_three_mebibytes() {
        let large = || NewMemory::from("t".repeat(2 * 1024 * 1024));
        let sizes: Vec<usize> = packs([large(), large(), "tea".into()].into_iter()).iter().map(Vec::len).collect();
        assert_eq!(sizes, [1, 2]);
    }

    #[test]
    fn of_nothing_there_is_no_pack() {
        assert!(packs(std::iter::empty::<NewMemory>()).is_empty());
    }
}
