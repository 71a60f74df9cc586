//! How long to wait before trying again.

use std::time::Duration;

use uuid::Uuid;

const FIRST: Duration = Duration::from_millis(100);
const LONGEST: Duration = Duration::from_secs(5);
/// Where no deadline ends a wait: who is told to come back later than that is told so.
pub(crate) const LONGEST_ASKED: Duration = Duration::from_secs(60);

/// The time that the server asked for, else twice as long after each failure; spread so that clients do not return as one.
pub(crate) fn pause_after(failures: u32, asked: Option<Duration>) -> Duration {
    asked.unwrap_or_else(|| {
        let longest = FIRST.saturating_mul(1 << (failures - 1).min(10)).min(LONGEST);
        longest.mul_f64(0.5 + spread() / 2.0)
    })
}

/// Something from 0 to 1.
pub(crate) fn spread() -> f64 {
    // The lowest bits of a random UUID are random.
    f64::from(Uuid::new_v4().as_u128() as u32) / f64::from(u32::MAX)
}
