import {
  create,
  type DescField,
  type DescMessage,
  type MessageInitShape,
  type MessageShape,
  ScalarType,
} from "@bufbuild/protobuf";
import { type FieldMask, FieldMaskSchema, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { enumNumber } from "./enum-names.js";

// A record of what a caller says: interfaces have no index, so that each names its fields.
type Stated = object;

/**
 * A message of those of its fields that the caller stated: enums by name or number, times as Date.
 * Anything else that the caller said, such as a timeout, is passed over.
 */
export function stated<Desc extends DescMessage>(desc: Desc, fields: Stated): MessageShape<Desc> {
  const values: Record<string, unknown> = {};
  for (const [field, value] of known(desc, fields)) {
    if (value !== undefined && value !== null) {
      values[field.localName] = wireValue(field, value);
    }
  }
  return create(desc, values as MessageInitShape<Desc>);
}

/** The names of the fields stated, as an update needs them; those that are null get their default. */
export function maskOf(desc: DescMessage, fields: Stated): FieldMask {
  const paths = known(desc, fields)
    .filter(([, value]) => value !== undefined)
    .map(([field]) => field.name);
  return create(FieldMaskSchema, { paths });
}

function known(desc: DescMessage, fields: Stated): [DescField, unknown][] {
  return Object.entries(fields).flatMap(([name, value]): [DescField, unknown][] => {
    const field = desc.field[name];
    return field ? [[field, value]] : [];
  });
}

function wireValue(field: DescField, value: unknown): unknown {
  if (value instanceof Date) {
    return timestampFromDate(value);
  }
  if (Array.isArray(value)) {
    return value.map((each) => (field.enum ? enumNumber(field.enum, each) : each));
  }
  if (typeof value === "number" && field.scalar === ScalarType.INT64) {
    return BigInt(value);
  }
  return field.enum ? enumNumber(field.enum, value as number | string) : value;
}
