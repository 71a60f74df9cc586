/**
 * The JSON of a value in ASCII, as Python writes it: the server puts other texts into their normal form. TypeError for what JSON does
 * not have.
 */
export function jsonOf(value: unknown): string {
  const text = JSON.stringify(value, (_, each) => {
    if (typeof each === "number" && !Number.isFinite(each)) {
      throw new TypeError(`JSON does not have the number ${each}`);
    }
    return each;
  });
  return text.replace(/[\u007f-\uffff]/g, (unit) => {
    return `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}

/** A list of texts with the spaces that Python writes: ids and tags are made of it, and are the same in both languages. */
export function listOf(texts: readonly string[]): string {
  return `[${texts.map(jsonOf).join(", ")}]`;
}

/** How many characters a text has; half of a pair counts as one. */
export function lengthOf(text: string): number {
  return [...text].length;
}

/** The first so many characters. */
export function cut(text: string, length: number): string {
  return [...text].slice(0, Math.max(0, length)).join("");
}

/** Compares as Python does, by character. */
export function compareTexts(one: string, other: string): number {
  return Buffer.compare(Buffer.from(one), Buffer.from(other));
}

/** Every text in a JSON value. */
export function leaves(value: unknown): string[] {
  if (typeof value === "string") {
    return [value];
  }
  return value && typeof value === "object" ? Object.values(value).flatMap(leaves) : [];
}

/**
 * The texts at a path of a JSON value, as `index` names them: `title`, `a.b`, `chapters[*].text`, `tags[-1]`, `{a,b.c}`, and `$` for
 * the whole value as JSON.
 */
export function textsAt(value: unknown, path: string): string[] {
  const [, before, choices, behind] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(path) ?? [];
  if (choices !== undefined) {
    return choices
      .split(",")
      .flatMap((choice) => textsAt(value, `${before}${choice.trim()}${behind}`));
  }
  const steps = path === "$" ? [] : (path.match(/[^.[\]]+/g) ?? []);
  let found: unknown[] = [value];
  for (const step of steps) {
    found = found.flatMap((each) => childrenOf(each, step));
  }
  return found.filter((each) => each !== null).map(textOf);
}

function childrenOf(value: unknown, step: string): unknown[] {
  if (!value || typeof value !== "object") {
    return [];
  }
  if (step === "*") {
    return Object.values(value);
  }
  if (Array.isArray(value)) {
    return value.slice(Number(step)).slice(0, /^-?\d+$/.test(step) ? 1 : 0);
  }
  return Object.hasOwn(value, step) ? [(value as Record<string, unknown>)[step]] : [];
}

function textOf(value: unknown): string {
  return typeof value === "object" ? JSON.stringify(value, null, 2) : String(value);
}
