//! Where the bytes of an upload come from.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::pin::Pin;
use std::sync::{Mutex, PoisonError};

use async_stream::try_stream;
use bytes::Bytes;
use futures_core::Stream;
use tokio::fs::{self, File};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncSeekExt, SeekFrom};

/// How many bytes are sent in one message.
pub(crate) const CHUNK_BYTES: usize = 256 * 1024;

pub(crate) type Chunks = Pin<Box<dyn Stream<Item = io::Result<Bytes>> + Send>>;
type Reader = Box<dyn AsyncRead + Send + Unpin>;

/// Bytes to be stored: text, bytes, the file at a path, or what a reader gives. An upload of a reader cannot go on after a
/// break, for it is read once.
pub struct UploadSource(Kind);

enum Kind {
    Bytes(Bytes),
    File(PathBuf),
    Reader(Mutex<Option<Reader>>),
}

impl UploadSource {
    /// The file at a path.
    pub fn file(path: impl Into<PathBuf>) -> Self {
        Self(Kind::File(path.into()))
    }

    /// Returns what a reader gives, to its end.
    pub fn reader(reader: impl AsyncRead + Send + Unpin + 'static) -> Self {
        Self(Kind::Reader(Mutex::new(Some(Box::new(reader)))))
    }

    pub(crate) fn can_restart(&self) -> bool {
        !matches!(self.0, Kind::Reader(_))
    }

    /// The name of the file, if it is one.
    pub(crate) fn name(&self) -> Option<String> {
        match &self.0 {
            Kind::File(path) => Some(path.file_name()?.to_string_lossy().into_owned()),
            _ => None,
        }
    }

    /// How many bytes there are; None where that is not known beforehand.
    pub(crate) async fn size(&self) -> io::Result<Option<u64>> {
        match &self.0 {
            Kind::Bytes(bytes) => Ok(Some(bytes.len() as u64)),
            // Files that do not tell, as those of /proc, say 0.
            Kind::File(path) => Ok(Some(fs::metadata(path).await?.len()).filter(|size| *size > 0)),
            Kind::Reader(_) => Ok(None),
        }
    }

    /// The bytes from there on, up to `size`; none of the chunks is empty.
    pub(crate) fn chunks(&self, start: u64, size: Option<u64>) -> Chunks {
        match &self.0 {
            Kind::Bytes(bytes) => {
                of_bytes(bytes.slice(usize::try_from(start).unwrap_or(usize::MAX).min(bytes.len())..))
            }
            Kind::File(path) => of_file(path.clone(), start, size),
            Kind::Reader(reader) => of_reader(reader.lock().unwrap_or_else(PoisonError::into_inner).take()),
        }
    }
}

fn of_bytes(mut bytes: Bytes) -> Chunks {
    Box::pin(try_stream! {
        while !bytes.is_empty() {
            yield bytes.split_to(bytes.len().min(CHUNK_BYTES));
        }
    })
}

/// Where the length is known, what is appended meanwhile is left out.
fn of_file(path: PathBuf, start: u64, size: Option<u64>) -> Chunks {
    Box::pin(try_stream! {
        let mut file = File::open(path).await?;
        file.seek(SeekFrom::Start(start)).await?;
        let mut rest = file.take(size.map_or(u64::MAX, |size| size.saturating_sub(start)));
        while let Some(chunk) = next_chunk(&mut rest).await? {
            yield chunk;
        }
    })
}

fn of_reader(reader: Option<Reader>) -> Chunks {
    Box::pin(try_stream! {
        if let Some(mut reader) = reader {
            while let Some(chunk) = next_chunk(&mut reader).await? {
                yield chunk;
            }
        }
    })
}

async fn next_chunk(reader: &mut (impl AsyncRead + Send + Unpin)) -> io::Result<Option<Bytes>> {
    let mut chunk = Vec::with_capacity(CHUNK_BYTES);
    reader.take(CHUNK_BYTES as u64).read_to_end(&mut chunk).await?;
    Ok((!chunk.is_empty()).then(|| chunk.into()))
}

impl fmt::Debug for UploadSource {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Bytes(bytes) => write!(formatter, "UploadSource of {} bytes", bytes.len()),
            Kind::File(path) => write!(formatter, "UploadSource of {}", path.display()),
            Kind::Reader(_) => formatter.write_str("UploadSource of a reader"),
        }
    }
}

impl From<Bytes> for UploadSource {
    fn from(bytes: Bytes) -> Self {
        Self(Kind::Bytes(bytes))
    }
}

impl From<Vec<u8>> for UploadSource {
    fn from(bytes: Vec<u8>) -> Self {
        Bytes::from(bytes).into()
    }
}

impl From<String> for UploadSource {
    fn from(text: String) -> Self {
        text.into_bytes().into()
    }
}

impl From<&str> for UploadSource {
    fn from(text: &str) -> Self {
        text.to_owned().into()
    }
}

impl From<&Path> for UploadSource {
    fn from(path: &Path) -> Self {
        Self::file(path)
    }
}

impl From<PathBuf> for UploadSource {
    fn from(path: PathBuf) -> Self {
        Self::file(path)
    }
}
