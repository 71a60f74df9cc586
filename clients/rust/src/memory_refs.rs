//! Memory refs: what stands for an artifact in a text, `[MemoryRef: <artifact id> - <description>]`.

use unicode_normalization::char::{canonical_combining_class, is_combining_mark};

/// The longest description of a ref, in characters.
pub const MAX_DESCRIPTION: usize = 200;

const BEGIN: &str = "[MemoryRef: ";
const CUT: char = '…';
const ZERO_WIDTH_JOINER: char = '\u{200d}';
const VIRAMA: u8 = 9;

/// The id of an artifact and what is said about it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct MemoryRef {
    /// Such as `npm_install_7f3k9q2mxd`.
    pub artifact_id: String,
    /// One line; may be empty.
    pub description: String,
}

/// The ref of an artifact, its description made safe; None for what is no artifact id.
pub fn render(artifact_id: &str, description: &str) -> Option<String> {
    if id_length(artifact_id) != Some(artifact_id.len()) {
        return None;
    }
    let safe = safe(description);
    let separator = if safe.is_empty() { "" } else { " - " };
    Some(format!("{BEGIN}{artifact_id}{separator}{safe}]"))
}

/// The ref that the text is, space around it aside; None for any other text.
pub fn parse(text: &str) -> Option<MemoryRef> {
    let text = text.trim_matches(is_space);
    ref_at(text).filter(|(_, length)| *length == text.len()).map(|(found, _)| found)
}

/// The refs in a text, in their order.
pub fn find_all(text: &str) -> Vec<MemoryRef> {
    let (mut found, mut place) = (Vec::new(), 0);
    while let Some(at) = text[place..].find(BEGIN) {
        place += at;
        match ref_at(&text[place..]) {
            Some((one, length)) => {
                found.push(one);
                place += length;
            }
            // Another one may begin within.
            None => place += 1,
        }
    }
    found
}

/// The id in a text that is a whole ref; any other text as it is, such as an id.
pub fn artifact_id_of(text: &str) -> String {
    parse(text).map_or_else(|| text.to_owned(), |found| found.artifact_id)
}

/// The ref that the text begins with, and how many bytes it has.
fn ref_at(text: &str) -> Option<(MemoryRef, usize)> {
    let behind = text.strip_prefix(BEGIN)?;
    let (artifact_id, rest) = behind.split_at(id_length(behind)?);
    let (description, rest) = match rest.strip_prefix(" - ") {
        Some(rest) => rest.split_at(description_length(rest)?),
        None => ("", rest),
    };
    let rest = rest.strip_prefix(']')?;
    let found = MemoryRef { artifact_id: artifact_id.to_owned(), description: description.to_owned() };
    Some((found, text.len() - rest.len()))
}

/// How many bytes of an id the text begins with; None if not of a whole one.
fn id_length(text: &str) -> Option<usize> {
    let is_inner = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_';
    let length = text.bytes().take_while(|byte| is_inner(*byte)).count();
    let begins_well = text.bytes().next().is_some_and(|byte| byte != b'_');
    (begins_well && (3..=64).contains(&length)).then_some(length)
}

/// How many bytes of a description the text begins with: no bracket and no line's end, so that where a ref ends is never
/// in doubt.
fn description_length(text: &str) -> Option<usize> {
    let length = text.find(|letter| is_control(letter) || letter == '[' || letter == ']')?;
    let description = &text[..length];
    let is_trimmed = !description.starts_with(is_space) && !description.ends_with(is_space);
    (length > 0 && is_trimmed).then_some(length)
}

/// One line without brackets, of at most MAX_DESCRIPTION characters.
fn safe(description: &str) -> String {
    let whole: String = description.chars().filter(|letter| !is_bidi_control(*letter)).map(harmless).collect();
    let line: Vec<char> =
        whole.split(is_space).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ").chars().collect();
    if line.len() <= MAX_DESCRIPTION {
        return line.into_iter().collect();
    }
    cut(&line)
}

fn harmless(letter: char) -> char {
    match letter {
        '[' => '(',
        ']' => ')',
        other if is_control(other) => ' ',
        other => other,
    }
}

fn cut(line: &[char]) -> String {
    let longest = MAX_DESCRIPTION - 1;
    // A single character may have more marks than there is room for.
    let border = (1..=longest).rev().find(|at| is_border(line, *at)).unwrap_or(longest);
    let kept: String = line[..border].iter().collect();
    format!("{}{CUT}", kept.trim_end_matches(is_space))
}

/// Whether what a reader takes for one character ends before `at`: the main rules of Unicode's annex 29.
fn is_border(line: &[char], at: usize) -> bool {
    let (before, after) = (line[at - 1], line[at]);
    if before == ZERO_WIDTH_JOINER || after == ZERO_WIDTH_JOINER || canonical_combining_class(before) == VIRAMA {
        return false;
    }
    if is_flag_half(after) {
        let halves = line[..at].iter().rev().take_while(|letter| is_flag_half(**letter)).count();
        return halves % 2 == 0;
    }
    !extends(after)
}

/// A mark, a skin tone, a tag of a flag, the vowel or the end of a Korean syllable in parts.
fn extends(letter: char) -> bool {
    is_combining_mark(letter)
        || matches!(letter, '\u{1f3fb}'..='\u{1f3ff}' | '\u{e0020}'..='\u{e007f}' | '\u{1160}'..='\u{11ff}')
        || matches!(letter, '\u{200c}' | '\u{ff9e}' | '\u{ff9f}')
}

fn is_flag_half(letter: char) -> bool {
    matches!(letter, '\u{1f1e6}'..='\u{1f1ff}')
}

/// With them, a description could turn around the text behind it.
fn is_bidi_control(letter: char) -> bool {
    matches!(letter, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

fn is_control(letter: char) -> bool {
    letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}')
}

/// Space as all clients take it: the separators of ASCII are among it, which Unicode leaves out.
fn is_space(letter: char) -> bool {
    letter.is_whitespace() || matches!(letter, '\u{1c}'..='\u{1f}')
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    fn vectors(name: &str) -> Vec<Value> {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../memory_refs.json");
        let all: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        all[name].as_array().unwrap().clone()
    }

    fn told(found: &MemoryRef) -> Value {
        json!({"artifact_id": found.artifact_id, "description": found.description})
    }

    #[test]
    fn refs_are_rendered_as_everywhere() {
        for case in vectors("render") {
            let rendered = render(case["artifact_id"].as_str().unwrap(), case["description"].as_str().unwrap());
            assert_eq!(rendered.as_deref(), case["rendered"].as_str());
            assert_eq!(parse(&rendered.unwrap()).unwrap().description, case["parsed_description"]);
        }
    }

    #[test]
    fn refs_are_parsed_as_everywhere() {
        for case in vectors("parse") {
            let found = parse(case["text"].as_str().unwrap()).as_ref().map(told);
            assert_eq!(found.unwrap_or(Value::Null), case["ref"], "{case}");
        }
    }

    #[test]
    fn refs_are_found_as_everywhere() {
        for case in vectors("find") {
            let found: Vec<Value> = find_all(case["text"].as_str().unwrap()).iter().map(told).collect();
            assert_eq!(json!(found), case["refs"], "{case}");
        }
    }

    #[test]
    fn what_is_no_id_has_no_ref() {
        for id in ["", "ab", "_abc", "Abc", "ab-c", "茶茶茶"] {
            assert_eq!(render(id, "tea"), None);
        }
    }
}
