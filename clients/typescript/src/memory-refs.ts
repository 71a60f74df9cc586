import { isVirama } from "./viramas.js";

const MAX_DESCRIPTION = 200;
const CUT = "\u2026";

const ID = "[a-z0-9][a-z0-9_]{2,63}";
// Characters that are space to every client; the class of JavaScript has the byte order mark besides, and lacks some controls.
const SPACE =
  "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
// No bracket and no line's end in the description: where a ref ends is never in doubt.
const IN_LINE = "[^\\[\\]\\x00-\\x1f\\x7f-\\x9f\\u2028\\u2029]";
const REF = `\\[MemoryRef: (${ID})(?: - (?=[^${SPACE}])(${IN_LINE}*)(?<=[^${SPACE}]))?\\]`;

const ONLY_ID = new RegExp(`^${ID}$`, "u");
const ONLY_REF = new RegExp(`^[${SPACE}]*${REF}[${SPACE}]*$`, "u");
const ANY_REF = new RegExp(REF, "gu");
const SPACES = new RegExp(`[${SPACE}]+`, "gu");
const SPACE_AT_ENDS = new RegExp(`^[${SPACE}]+|[${SPACE}]+$`, "gu");
// Without them, nothing in a description can turn around the text behind it.
const BIDI_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const CONTROLS = /[\x00-\x1f\x7f-\x9f\u2028\u2029]/gu;
const FLAG_HALF = /^[\u{1f1e6}-\u{1f1ff}]$/u;
// A mark, a skin tone, a tag of a flag, the vowel or the end of a Korean syllable in parts.
const EXTENDS =
  /^(?:\p{M}|[\u{1f3fb}-\u{1f3ff}\u{e0020}-\u{e007f}\u1160-\u11ff\u200c\uff9e\uff9f])$/u;
const ZERO_WIDTH_JOINER = "\u200d";

/** The reference to an artifact in a text, `[MemoryRef: <artifact id> - <description>]`. */
export interface MemoryRef {
  readonly artifactId: string;
  /** Empty where there is none. */
  readonly description: string;
}

/** The ref of an artifact, its description made safe; TypeError for what is no artifact id. */
export function renderRef(artifactId: string, description = ""): string {
  if (!ONLY_ID.test(artifactId)) {
    throw new TypeError(`${JSON.stringify(artifactId)} is no artifact id`);
  }
  const safe = safeDescription(description);
  return safe ? `[MemoryRef: ${artifactId} - ${safe}]` : `[MemoryRef: ${artifactId}]`;
}

/** The ref that the text is, space around it aside; undefined for any other text. */
export function parseRef(text: string): MemoryRef | undefined {
  const match = ONLY_REF.exec(text);
  return match ? refOf(match) : undefined;
}

/** The refs in a text, in their order. */
export function findRefs(text: string): MemoryRef[] {
  return [...text.matchAll(ANY_REF)].map(refOf);
}

/** The id in a text that is a whole ref; any other text as it is, such as an id. */
export function artifactIdOf(text: string): string {
  return parseRef(text)?.artifactId ?? text;
}

function refOf([, artifactId = "", description = ""]: RegExpMatchArray): MemoryRef {
  return { artifactId, description };
}

/** One line without brackets, of at most MAX_DESCRIPTION characters. */
function safeDescription(description: string): string {
  const line = description
    .toWellFormed()
    .replace(BIDI_CONTROLS, "")
    .replace(CONTROLS, " ")
    .replaceAll("[", "(")
    .replaceAll("]", ")")
    .replace(SPACES, " ")
    .replace(SPACE_AT_ENDS, "");
  const characters = [...line];
  return characters.length <= MAX_DESCRIPTION ? line : cut(characters);
}

function cut(characters: readonly string[]): string {
  const longest = MAX_DESCRIPTION - CUT.length;
  let at = longest;
  while (at > 0 && !isBorder(characters, at)) {
    at -= 1;
  }
  // A single character may have more marks than there is room for.
  const kept = characters.slice(0, at > 0 ? at : longest).join("");
  return kept.replace(SPACE_AT_ENDS, "") + CUT;
}

/** Whether what a reader takes for one character ends before `at`: the main rules of Unicode's annex 29. */
function isBorder(characters: readonly string[], at: number): boolean {
  const before = characters[at - 1] ?? "";
  const after = characters[at] ?? "";
  if (before === ZERO_WIDTH_JOINER || after === ZERO_WIDTH_JOINER || isVirama(before)) {
    return false;
  }
  return FLAG_HALF.test(after) ? flagHalvesBefore(characters, at) % 2 === 0 : !EXTENDS.test(after);
}

function flagHalvesBefore(characters: readonly string[], at: number): number {
  let first = at;
  while (first > 0 && FLAG_HALF.test(characters[first - 1] ?? "")) {
    first -= 1;
  }
  return at - first;
}
