//! Bytes of an artifact are those that the server read: their CRC-32C and their number tell.

use tonic::Code;

use crate::error::{Error, Result};
use crate::v1::{ReadArtifactRequest, ReadArtifactResponse};

/// Follows the messages of a read, over all calls that it takes.
#[derive(Debug, Default)]
pub(crate) struct RangeCheck {
    taken_bytes: i64,
    crc32c: u32,
    range_bytes: i64,
    // Where the next byte belongs, once a message has told where the range begins.
    next_offset: Option<i64>,
}

impl RangeCheck {
    /// DataLoss if the bytes so far are not those that the server counted.
    pub(crate) fn take(&mut self, message: &ReadArtifactResponse) -> Result<()> {
        let crc32c = crc32c::crc32c_append(self.crc32c, &message.data);
        let end = message.offset.saturating_add(length(&message.data));
        if self.next_offset.is_some_and(|expected| expected != message.offset) {
            return Err(damaged(format!("bytes are missing before {}", message.offset)));
        }
        if crc32c != message.crc32c {
            return Err(damaged(format!("checksum differs in the bytes before {end}")));
        }
        self.crc32c = crc32c;
        self.range_bytes = message.range_bytes;
        self.taken_bytes = self.taken_bytes.saturating_add(length(&message.data));
        self.next_offset = Some(end);
        Ok(())
    }

    /// Whether all has come; never known of a range by JSON pointer.
    pub(crate) fn is_complete(&self) -> bool {
        self.range_bytes != 0 && self.taken_bytes == self.range_bytes
    }

    /// DataLoss if there should have been more.
    pub(crate) fn end(&self) -> Result<()> {
        // The length of a range by JSON pointer is not known beforehand.
        if self.range_bytes != 0 && self.taken_bytes != self.range_bytes {
            return Err(damaged(format!("{} bytes came of {}", self.taken_bytes, self.range_bytes)));
        }
        Ok(())
    }

    /// Asks for what has not come yet.
    pub(crate) fn go_on(&self, request: &mut ReadArtifactRequest) {
        request.resume_after_bytes = self.taken_bytes;
        request.resume_crc32c = self.crc32c;
    }
}

fn length(data: &[u8]) -> i64 {
    i64::try_from(data.len()).unwrap_or(i64::MAX)
}

fn damaged(message: String) -> Error {
    Error::local(Code::DataLoss, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(offset: i64, data: &'static [u8], before: u32) -> ReadArtifactResponse {
        let crc32c = crc32c::crc32c_append(before, data);
        ReadArtifactResponse { data: data.into(), offset, crc32c, range_bytes: 8, ..Default::default() }
    }

    #[test]
    fn bytes_that_follow_each_other_are_taken() {
        let mut check = RangeCheck::default();
        let first = message(10, b"tea ", 0);
        check.take(&first).unwrap();
        check.take(&message(14, b"time", first.crc32c)).unwrap();
        check.end().unwrap();
    }

    #[test]
    fn damaged_missing_and_repeated_bytes_are_refused() {
        let mut check = RangeCheck::default();
        check.take(&message(0, b"tea ", 0)).unwrap();
        let damaged = ReadArtifactResponse { crc32c: 1, ..message(4, b"time", 0) };
        assert_eq!(check.take(&damaged).unwrap_err().code(), Code::DataLoss);
        assert_eq!(check.take(&message(6, b"me", check.crc32c)).unwrap_err().code(), Code::DataLoss);
        assert_eq!(check.take(&message(0, b"tea ", check.crc32c)).unwrap_err().code(), Code::DataLoss);
        assert_eq!(check.end().unwrap_err().code(), Code::DataLoss);
    }

    #[test]
    fn a_place_that_there_is_not_does_no_harm() {
        let mut check = RangeCheck::default();
        check.take(&message(i64::MAX, b"tea ", 0)).unwrap();
        assert_eq!(check.take(&message(0, b"time", check.crc32c)).unwrap_err().code(), Code::DataLoss);
    }

    #[test]
    fn a_read_goes_on_behind_what_has_come() {
        let mut check = RangeCheck::default();
        check.take(&message(0, b"tea ", 0)).unwrap();
        let mut request = ReadArtifactRequest::default();
        check.go_on(&mut request);
        assert_eq!((request.resume_after_bytes, request.resume_crc32c), (4, check.crc32c));
    }
}
