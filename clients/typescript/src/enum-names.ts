import type { DescEnum } from "@bufbuild/protobuf";

/** The names of an enum's values in lower case, such as `task_outcome`. */
export type NameOf<E> = Lowercase<Exclude<keyof E & string, "UNSPECIFIED">>;

/** The number of a value that is given as a number or by its name; TypeError for a name that is none. */
export function enumNumber(desc: DescEnum, value: number | string): number {
  if (typeof value === "number") {
    return value;
  }
  const known = desc.values.filter(({ number }) => number !== 0);
  const found = known.find(({ localName }) => localName.toLowerCase() === value);
  if (!found) {
    const names = known.map(({ localName }) => localName.toLowerCase()).join(", ");
    throw new TypeError(`${JSON.stringify(value)} is none of ${names}`);
  }
  return found.number;
}

/** The name of a value in lower case; its number where this client does not know it. */
export function enumName(desc: DescEnum, number: number): string {
  return desc.value[number]?.localName.toLowerCase() ?? String(number);
}
