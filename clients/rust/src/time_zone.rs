//! The machine's time zone, in which the days of a question begin and end.

use crate::v1::{BuildBundleRequest, BuildSnapshotRequest, BuildWorkingMemoryRequest, RecallRequest};

const MAX_CHARACTERS: usize = 64;
const NAMES_OF_UTC: [&str; 6] = ["UTC", "Etc/UTC", "Etc/UCT", "Etc/Universal", "Etc/Zulu", "Etc/GMT"];

/// A request whose text may name days.
pub(crate) trait Dated: Sized {
    /// The name of its time zone; empty: that of the server.
    fn time_zone(&mut self) -> &mut String;

    /// The same request in the machine's time zone, unless it names one.
    fn in_local_time_zone(mut self) -> Self {
        let zone = self.time_zone();
        if zone.is_empty() {
            *zone = local_time_zone(|name| std::env::var(name).ok());
        }
        self
    }
}

macro_rules! dated {
    ($($request:ty),+) => {
        $(impl Dated for $request {
            fn time_zone(&mut self) -> &mut String {
                &mut self.time_zone
            }
        })+
    };
}

dated!(BuildBundleRequest, BuildSnapshotRequest, BuildWorkingMemoryRequest, RecallRequest);

/// Name of the zone of `TZ`, else of the machine; empty for UTC, which the server takes where none is named, and for a zone
/// without a name.
fn local_time_zone(variable: impl Fn(&str) -> Option<String>) -> String {
    let stated = variable("TZ").unwrap_or_default();
    let name = match stated.trim_start_matches(':') {
        "" | "/etc/localtime" => iana_time_zone::get_timezone().unwrap_or_default(),
        // A word may be an abbreviation, which no database knows.
        stated if stated.contains('/') => stated.to_owned(),
        _ => String::new(),
    };
    let name = name.rsplit("zoneinfo/").next().unwrap_or_default();
    let name = name.trim_start_matches("posix/").trim_start_matches("right/");
    if is_name(name) && !NAMES_OF_UTC.contains(&name) { name.to_owned() } else { String::new() }
}

/// Whether this is a name of the database such as `Asia/Tokyo` or `Japan`, not a rule such as `CET-1CEST`.
fn is_name(text: &str) -> bool {
    let is_allowed = |letter: char| letter.is_ascii_alphanumeric() || "_+-/".contains(letter);
    let is_word = text.chars().all(|letter| letter.is_ascii_alphabetic());
    let is_path = text.contains('/') && text.starts_with(|first: char| first.is_ascii_alphabetic());
    (is_word || is_path) && text.len() <= MAX_CHARACTERS && text.chars().all(is_allowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zone_is_named_as_in_the_database_and_utc_is_not() {
        let cases = [
            ("Australia/Sydney", "Australia/Sydney"),
            (":America/Argentina/Buenos_Aires", "America/Argentina/Buenos_Aires"),
            ("Etc/UTC", ""),
            ("UTC", ""),
            ("CET-1CEST,M3.5.0,M10.5.0/3", ""),
            ("/usr/share/zoneinfo/Europe/Madrid", "Europe/Madrid"),
            ("/usr/share/zoneinfo/posix/Europe/Madrid", "Europe/Madrid"),
            ("EST", ""),
            ("/home/ada/zone", ""),
            ("Zone/of 東京", ""),
        ];
        for (stated, named) in cases {
            assert_eq!(local_time_zone(|_| Some(stated.to_owned())), named, "{stated}");
        }
    }

    #[test]
    fn a_zone_that_the_request_names_stays() {
        let request = RecallRequest { time_zone: "Asia/Tokyo".into(), ..Default::default() };
        assert_eq!(request.in_local_time_zone().time_zone, "Asia/Tokyo");
    }
}
