import { InvalidNamespaceError, type MatchCondition, uuid5 } from "@langchain/langgraph-checkpoint";
import type { JsonObject, JsonValue } from "camillo-client";
import { compareTexts, cut, lengthOf, listOf } from "./texts.js";

// Items are the same memories as those of the Python package: change neither alone.
const IDS = "6f4c1d5e-5f0b-5a8e-9a43-0c7c6f0e2b11";
const TAG = "langgraph:";
/** The key of the metadata that holds the item itself, as JSON. */
export const ITEM = "langgraph";
const [MAX_TAG, MAX_KEY, MAX_TEXT, MAX_CONTENT, MAX_FIELDS] = [128, 128, 64, 2000, 48];
// A memory has 64 tags, and a filter 32 conditions.
const [MAX_LEVELS, MAX_CONDITIONS] = [60, 32];
const COMPARED: Readonly<Record<string, string>> = {
  $gt: "gt",
  $gte: "gte",
  $lt: "lt",
  $lte: "lte",
};

type Fields = Readonly<Record<string, unknown>>;

/** The id that an item has in every space. */
export function idOf(namespace: readonly string[], key: string): string {
  return uuid5(listOf([...namespace, key]), IDS);
}

/** The tag of items in or below a namespace: no two namespaces have the same. */
export function tagOf(prefix: readonly string[]): string {
  const text = listOf(prefix).slice(1, -1);
  return TAG + (text.length <= MAX_TAG - TAG.length ? text : uuid5(text, IDS));
}

export function tagsOf(namespace: readonly string[]): string[] {
  const levels = Math.min(namespace.length, MAX_LEVELS);
  return Array.from({ length: levels + 1 }, (_, depth) => tagOf(namespace.slice(0, depth)));
}

/** The texts, and the item's name: memories that say exactly the same would become one. */
export function contentOf(namespace: readonly string[], key: string, texts: readonly string[]) {
  const escaped = [...namespace, key].map((part) =>
    part.replaceAll("%", "%25").replaceAll("/", "%2F").replaceAll("\0", "%00"),
  );
  let name = escaped.join("/");
  if (name.length > 200 || !/^[ -~]*$/.test(name)) {
    name = `${cut(name, 160)} ${idOf(namespace, key)}`.replaceAll("\n", " ");
  }
  const said = texts.join("\n").replaceAll("\0", " ").trim();
  const text = cut(said, MAX_CONTENT - lengthOf(name) - 3);
  return (text ? `${text}\n[${name}]` : `[${name}]`).toWellFormed();
}

/** Numbers, booleans and short texts, which the server filters by. RangeError where there are too many. */
export function fieldsOf(value: Fields): JsonObject {
  const found = Object.entries(value).filter(([key, each]) => isField(key, each));
  if (found.length > MAX_FIELDS) {
    throw new RangeError(
      `a value has at most ${MAX_FIELDS} numbers, booleans and short texts to filter by`,
    );
  }
  return Object.fromEntries(found.map(([key, each]) => [key, fieldOf(each)]));
}

function isField(key: string, value: unknown): boolean {
  if (!key || lengthOf(key) > MAX_KEY || key === ITEM || key.includes("\0")) {
    return false;
  }
  if (typeof value === "string") {
    return lengthOf(value) <= MAX_TEXT && !value.includes("\0") && value.isWellFormed();
  }
  return typeof value === "boolean" || typeof value === "number";
}

function fieldOf(value: unknown): JsonValue {
  const most = Number.MAX_SAFE_INTEGER;
  return typeof value === "number"
    ? Math.max(-most, Math.min(value, most))
    : (value as string | boolean);
}

/** Conditions that every item which passes the filter satisfies, and whether only such items do. */
export function conditionsOf(filter: Fields): [Record<string, JsonObject>, boolean] {
  const conditions: Record<string, JsonObject> = {};
  let isComplete = true;
  for (const [key, wanted] of Object.entries(filter)) {
    for (const [operator, operand] of Object.entries(operatorsOf(wanted) ?? { $eq: wanted })) {
      const condition = conditionOf(key, operator, operand);
      const known = conditions[key] ?? {};
      const isFull = Object.keys(conditions).length === MAX_CONDITIONS;
      if (!condition || condition[0] in known || (isFull && !(key in conditions))) {
        isComplete = false;
      } else {
        conditions[key] = { ...known, [condition[0]]: condition[1] };
      }
    }
  }
  return [conditions, isComplete];
}

function conditionOf(
  key: string,
  operator: string,
  operand: unknown,
): [string, JsonValue] | undefined {
  const operands = operator === "$in" && Array.isArray(operand) ? operand : [operand];
  const isCompared = (each: unknown) =>
    isField(key, each) && !(typeof each === "number" && Math.abs(each) >= Number.MAX_SAFE_INTEGER);
  if (!operands.length || operands.length > MAX_TEXT || !operands.every(isCompared)) {
    return undefined;
  }
  const compared = COMPARED[operator];
  if (compared) {
    return typeof operand === "number" ? [compared, operand] : undefined;
  }
  if (operator === "$eq" || operator === "$in") {
    return ["in", operands];
  }
  // The server compares texts in their normal form, so that it would leave out too many.
  const isExact = operator === "$ne" && typeof operand !== "string";
  return isExact ? ["ne", operand as JsonValue] : undefined;
}

/** Whether an item's value passes the filter; RangeError for an operator that there is not. */
export function passes(value: Fields, filter: Fields = {}): boolean {
  return Object.entries(filter).every(([key, wanted]) => compare(value[key], wanted));
}

function compare(value: unknown, wanted: unknown): boolean {
  const operators = operatorsOf(wanted);
  if (operators) {
    return Object.entries(operators).every(([name, operand]) => holds(value, name, operand));
  }
  if (!wanted || typeof wanted !== "object") {
    return value === wanted;
  }
  if (!value || typeof value !== "object" || Array.isArray(value) !== Array.isArray(wanted)) {
    return false;
  }
  const isWhole = !Array.isArray(value) || value.length === (wanted as unknown[]).length;
  return isWhole && passes(value as Fields, wanted as Fields);
}

function holds(value: unknown, operator: string, operand: unknown): boolean {
  switch (operator) {
    case "$eq":
    case "$ne":
      return (value === operand) === (operator === "$eq");
    case "$in":
    case "$nin":
      return (Array.isArray(operand) && operand.includes(value)) === (operator === "$in");
  }
  if (!(operator in COMPARED)) {
    throw new RangeError(`there is no operator ${operator}`);
  }
  const order = orderOf(value, operand);
  const isLess = operator.startsWith("$lt");
  return (isLess ? order < 0 : order > 0) || (operator.endsWith("e") && order === 0);
}

/** NaN where the two do not compare. */
function orderOf(value: unknown, operand: unknown): number {
  if (typeof value === "number" && typeof operand === "number") {
    return Math.sign(value - operand);
  }
  const areTexts = typeof value === "string" && typeof operand === "string";
  return areTexts ? compareTexts(value, operand) : Number.NaN;
}

function operatorsOf(wanted: unknown): Fields | undefined {
  const isObject = wanted !== null && typeof wanted === "object" && !Array.isArray(wanted);
  return isObject && Object.keys(wanted).some((key) => key.startsWith("$"))
    ? (wanted as Fields)
    : undefined;
}

/** Whether a namespace begins or ends so; `*` is any one label. */
export function matches({ matchType, path }: MatchCondition, namespace: readonly string[]) {
  const start = matchType === "suffix" ? namespace.length - path.length : 0;
  return (
    start >= 0 &&
    namespace.length >= path.length &&
    path.every((each, place) => each === "*" || each === namespace[start + place])
  );
}

/** InvalidNamespaceError for labels that no store of LangGraph takes. */
export function checkNamespace(namespace: readonly string[]): void {
  const isWrong = (label: unknown) => typeof label !== "string" || !label || /[.\0]/.test(label);
  if (!namespace.length || namespace.some(isWrong)) {
    const labels = JSON.stringify(namespace);
    throw new InvalidNamespaceError(
      `${labels} is no namespace: its labels are texts without periods, one or more`,
    );
  }
}
