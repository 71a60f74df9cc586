// Holds what Node's decoder of this name leaves as control characters, from 0x80 on.
const WINDOWS_1252 =
  "\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f" +
  "\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178";

/** Text in an encoding as artifacts name theirs; what is not valid in it is replaced. */
export function decoded(bytes: Uint8Array, encoding: string): string {
  if (encoding === "windows-1252") {
    const latin = Buffer.from(bytes).toString("latin1");
    return latin.replace(
      /[\x80-\x9f]/g,
      (control) => WINDOWS_1252[control.charCodeAt(0) - 0x80] ?? control,
    );
  }
  if (encoding === "utf-16") {
    return inUtf16(bytes);
  }
  return new TextDecoder(encoding || "utf-8", { ignoreBOM: true }).decode(bytes);
}

/** The mark at the beginning tells the order of bytes, and is no character. */
function inUtf16(bytes: Uint8Array): string {
  const isBigEndian = bytes[0] === 0xfe && bytes[1] === 0xff;
  return new TextDecoder(isBigEndian ? "utf-16be" : "utf-16le").decode(bytes);
}

/** Whether text is the same in every encoding of artifacts. */
export function isAscii(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte < 0x80);
}
