//! The key of a server on this machine, in the data directory of this user.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::plaintext_keys::stays_here;
use crate::target::resolved_key;
use crate::tls::Tls;

const ROOT_KEY_FILE: &str = "root.key";

/// A key, and what a caller is told when the server does not take one that the caller did not give.
#[derive(Debug, PartialEq)]
pub(crate) struct FoundKey {
    pub key: String,
    pub refusal: String,
}

/// The key given, else that of `CAMILLO_KEY`, else the one in this user's data directory for a server on this machine. The
/// last is for callers who show nothing else: it must not travel to whatever an address names.
pub(crate) fn found_key(
    given: Option<String>,
    address: &str,
    tls: Option<&Tls>,
    variable: impl Fn(&str) -> Option<String>,
) -> FoundKey {
    let is_given = given.is_some();
    let key = resolved_key(given, &variable);
    if is_given || !key.is_empty() || tls.is_some_and(Tls::has_identity) || !stays_here(address) {
        return FoundKey { key, refusal: String::new() };
    }
    local_key(address, &data_directory(&variable).join(ROOT_KEY_FILE))
}

fn local_key(address: &str, path: &Path) -> FoundKey {
    let shown = path.display();
    let none = |why: String| FoundKey { key: String::new(), refusal: format!("no key was given, and {why}") };
    // Whatever is not ASCII is no key; it should not be an error of its own.
    let content = match fs::read(path) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(error) if error.kind() == ErrorKind::NotFound => return none(format!("there is none in {shown}")),
        Err(error) => return none(format!("{shown} cannot be read: {}", error.kind())),
    };
    let key = content.trim();
    if key.is_empty() || !key.bytes().all(|byte| byte.is_ascii_graphic()) {
        return none(format!("{shown} holds none"));
    }
    let refusal = format!("the server at {address} does not accept the key in {shown}");
    FoundKey { key: key.to_owned(), refusal }
}

/// Where a server that this user starts keeps its data.
fn data_directory(variable: impl Fn(&str) -> Option<String>) -> PathBuf {
    let set = |name: &str| variable(name).filter(|value| !value.is_empty());
    let home = PathBuf::from(set("HOME").unwrap_or_default());
    if let Some(directory) = set("CAMILLO_DATA_DIR") {
        return directory.strip_prefix("~/").map_or_else(|| PathBuf::from(&directory), |below| home.join(below));
    }
    let share = set("XDG_DATA_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    share.unwrap_or_else(|| home.join(".local").join("share")).join("camillo")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A data directory that goes with the test.
    struct Directory(PathBuf);

    impl Directory {
        fn new(name: &str, content: Option<&[u8]>) -> Self {
            let path = std::env::temp_dir().join(format!("camillo-local-key-{}-{name}", std::process::id()));
            fs::create_dir_all(&path).unwrap();
            if let Some(content) = content {
                fs::write(path.join(ROOT_KEY_FILE), content).unwrap();
            }
            Self(path)
        }

        fn variable(&self, name: &str) -> Option<String> {
            (name == "CAMILLO_DATA_DIR").then(|| self.0.display().to_string())
        }
    }

    impl Drop for Directory {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn the_key_of_a_server_on_this_machine_is_found_and_sent_nowhere_else() {
        let directory = Directory::new("found", Some(b"cam_local\n"));
        let variable = |name: &str| directory.variable(name);
        assert_eq!(found_key(None, "localhost:7070", None, variable).key, "cam_local");
        for (given, address) in [(Some("cam_mine"), "localhost:7070"), (Some(""), "localhost:7070"), (None, "tea:7070")]
        {
            let found = found_key(given.map(str::to_owned), address, None, variable);
            assert_eq!(found, FoundKey { key: given.unwrap_or_default().to_owned(), refusal: String::new() });
        }
        let tls = Tls::new().identity("chain", "key");
        assert_eq!(found_key(None, "localhost:7070", Some(&tls), variable).key, "");
    }

    #[test]
    fn a_file_without_a_key_is_named() {
        for (name, content, said) in [
            ("none", None, "there is none in"),
            ("empty", Some(b" \n".as_slice()), "holds none"),
            ("text", Some(b"a b".as_slice()), "holds none"),
            ("bytes", Some(b"k\xe9y".as_slice()), "holds none"),
        ] {
            let directory = Directory::new(name, content);
            let found = found_key(None, "[::1]:7070", None, |name| directory.variable(name));
            assert!(found.key.is_empty());
            assert!(found.refusal.contains(said), "{}", found.refusal);
            assert!(found.refusal.contains(&directory.0.join(ROOT_KEY_FILE).display().to_string()));
        }
    }

    #[test]
    fn the_data_directory_is_where_servers_of_this_user_have_it() {
        let found = |values: &[(&str, &str)]| {
            let values: Vec<_> = values.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
            data_directory(move |name: &str| values.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone()))
        };
        let home = ("HOME", "/home/ada");
        assert_eq!(found(&[home]), PathBuf::from("/home/ada/.local/share/camillo"));
        assert_eq!(found(&[home, ("XDG_DATA_HOME", "/data")]), PathBuf::from("/data/camillo"));
        assert_eq!(found(&[home, ("XDG_DATA_HOME", "relative")]), PathBuf::from("/home/ada/.local/share/camillo"));
        assert_eq!(found(&[home, ("CAMILLO_DATA_DIR", "~/tea")]), PathBuf::from("/home/ada/tea"));
        assert_eq!(found(&[home, ("CAMILLO_DATA_DIR", "/tea")]), PathBuf::from("/tea"));
    }
}
