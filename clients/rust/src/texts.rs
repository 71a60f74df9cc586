//! Bytes of an artifact as text, by the names that the contract has for encodings.

// Holds what Windows has where Latin 1 has controls; five are not used.
const WINDOWS: [char; 32] = [
    '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}', '\u{90}', '‘', '’',
    '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
];

/// The text; what is not valid is replaced, and what a newer server calls otherwise is taken for UTF-8.
pub(crate) fn decoded(bytes: &[u8], encoding: &str) -> String {
    match encoding {
        "windows-1252" => bytes.iter().map(|byte| of_windows(*byte)).collect(),
        "utf-16" => of_utf_16(bytes),
        _ => String::from_utf8_lossy(bytes).into_owned(),
    }
}

fn of_windows(byte: u8) -> char {
    match byte {
        0x80..=0x9f => WINDOWS[usize::from(byte - 0x80)],
        other => char::from(other),
    }
}

/// A part of a text has no mark of its order: then it is the usual one.
fn of_utf_16(bytes: &[u8]) -> String {
    let (text, is_big) = match bytes {
        [0xfe, 0xff, text @ ..] => (text, true),
        [0xff, 0xfe, text @ ..] => (text, false),
        text => (text, false),
    };
    let (pairs, rest) = text.as_chunks::<2>();
    let unit = |pair: &[u8; 2]| if is_big { u16::from_be_bytes(*pair) } else { u16::from_le_bytes(*pair) };
    let mut decoded = String::from_utf16_lossy(&pairs.iter().map(unit).collect::<Vec<_>>());
    if !rest.is_empty() {
        decoded.push(char::REPLACEMENT_CHARACTER);
    }
    decoded
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_encoding_that_the_server_knows_is_read() {
        assert_eq!(decoded("thé 茶".as_bytes(), "utf-8"), "thé 茶");
        assert_eq!(decoded(b"th\xe9 \x80 \x9f", "windows-1252"), "thé € Ÿ");
        assert_eq!(decoded(b"t\xff", ""), "t\u{fffd}");
    }

    #[test]
    fn the_order_of_utf_16_is_told_or_the_usual_one() {
        let units: Vec<u16> = "thé 茶".encode_utf16().collect();
        let little: Vec<u8> = units.iter().flat_map(|unit| unit.to_le_bytes()).collect();
        let big: Vec<u8> = units.iter().flat_map(|unit| unit.to_be_bytes()).collect();
        assert_eq!(decoded(&little, "utf-16"), "thé 茶");
        assert_eq!(decoded(&[&[0xff, 0xfe][..], &little].concat(), "utf-16"), "thé 茶");
        assert_eq!(decoded(&[&[0xfe, 0xff][..], &big].concat(), "utf-16"), "thé 茶");
        assert_eq!(decoded(&[b't', 0, 0xd8], "utf-16"), "t\u{fffd}");
    }
}
